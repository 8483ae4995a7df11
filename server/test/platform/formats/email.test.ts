import { expect, test } from "vitest";
import { isEmail } from "../../../src/platform/formats/name.ts";

test.each([
  "ada@example.com",
  "ada.lovelace+news@mail.example.co.uk",
  "root@localhost",
  "ada@[192.0.2.1]",
  "ada@[IPv6:2001:db8::1]",
  "o'hara_{x}=1@a-b.example",
  "jörg@müller.example",
  "用户@例子.广告",
  "a@xn--mller-kva.example",
])("%s is an address", (text) => expect(isEmail(text)).toBe(true));

test.each([
  "",
  "ada",
  "@example.com",
  "ada@",
  "ada@[]",
  "ada@[192.0.2.1",
  "a@b@example.com",
  "\u202ex@z.example",
  "x\u200b@z.example",
  "x\u0000@z.example",
  "x..y@z.example",
  ".x@z.example",
  "x.@z.example",
  "x@-z.example",
  "x@z-.example",
  "x@z..example",
  "x@z.example.",
  "x@z.example?bcc=a",
  "x@z.example,y",
  "<x@z.example>",
  '"x y"@z.example',
  `${"x".repeat(250)}@z.example`,
])("%j is none", (text) => expect(isEmail(text)).toBe(false));

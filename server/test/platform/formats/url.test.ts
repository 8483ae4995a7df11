import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseUrl } from "../../../src/platform/formats/url.ts";
import { inEnglish } from "../../../src/platform/i18n/english.ts";
import { anyText } from "../../harness/any-text.ts";

const urlOf = (typed: string): string => {
  const result = normaliseUrl(typed);
  return result.ok ? result.url : inEnglish(result.problem);
};

describe("an accepted address", () => {
  test.each([
    ["a bare host means https", "example.test", "https://example.test"],
    ["a bare host may have a port", "example.test:8443/x", "https://example.test:8443/x"],
    [
      "a bare host may have an address in its query",
      "a.test/?u=http://b.test",
      "https://a.test/?u=http://b.test",
    ],
    ["spaces around it go", "  https://example.test ", "https://example.test"],
    ["scheme and host become lower case, the path does not", "HTTP://EX.test/A", "http://ex.test/A"],
    ["https loses its default port", "https://a.test:443/x", "https://a.test/x"],
    ["http loses its default port", "http://a.test:80", "http://a.test"],
    ["http on 443 keeps it", "http://a.test:443", "http://a.test:443"],
    ["the root's slash goes", "https://a.test/", "https://a.test"],
    ["any other final slash stays: it is another resource", "https://a.test/x/", "https://a.test/x/"],
    ["a query keeps the root's slash", "https://a.test?q=1", "https://a.test/?q=1"],
    ["the fragment goes", "https://a.test/x#part", "https://a.test/x"],
    ["the host's final dot goes", "https://a.test./x", "https://a.test/x"],
    ["dot segments are resolved", "https://a.test/a/../b", "https://a.test/b"],
    ["a hexadecimal IPv4 becomes four numbers", "http://0x7f.1", "http://127.0.0.1"],
    ["a decimal IPv4 becomes four numbers", "http://2130706433/", "http://127.0.0.1"],
    ["an octal IPv4 becomes four numbers", "http://0177.0.0.1/", "http://127.0.0.1"],
    ["full-width digits become plain ones", "１２７.0.0.1", "https://127.0.0.1"],
    ["a bare IPv6 gets its brackets", "::1", "https://[::1]"],
    ["IPv6 takes its short form", "http://[0:0:0:0:0:0:0:1]:8080", "http://[::1]:8080"],
    ["IDN becomes punycode", "https://MÜNCHEN.test/straße", "https://xn--mnchen-3ya.test/stra%C3%9Fe"],
  ])("%s", (_, typed, url) => expect(urlOf(typed)).toBe(url));
});

describe("a refused address", () => {
  test.each([
    ["", "required"],
    ["   ", "required"],
    ["ftp://a.test", "http:// or https://"],
    ["javascript:alert(1)", "http:// or https://"],
    ["mailto:a@b.test", "http:// or https://"],
    ["file:///etc/passwd", "http:// or https://"],
    ["1http://a.test", "http:// or https://"],
    ["https://", "not a valid address"],
    ["https://256.1.1.1", "not a valid address"],
    ["a.test:99999", "not a valid address"],
    ["https://a b.test", "spaces"],
    ["https://a.test/\u202egnp.exe", "control characters"],
    ["https://a.test/\u0000", "control characters"],
    ["https://a..test", "empty part"],
    ["https://a.test..", "empty part"],
    [`https://${"a".repeat(64)}.test`, "longer than 63"],
    [`https://${"a.".repeat(127)}test`, "longer than 253"],
    ["https://me:secret@a.test", "authConfig"],
    ["me@a.test", "authConfig"],
    [`https://a.test/${"x".repeat(2048)}`, "longer than 2048"],
    [`https://a.test/${"ß".repeat(1000)}`, "longer than 2048"],
  ])("%j is answered with the reason", (typed, words) => {
    expect(normaliseUrl(typed).ok).toBe(false);
    expect(urlOf(typed)).toContain(words);
  });

  test("never repeats a password back", () => {
    expect(urlOf("https://me:hunter2@a.test")).not.toContain("hunter2");
  });
});

describe("what people see", () => {
  test.each([
    ["münchen.test/", "https://münchen.test"],
    ["https://münchen.test/straße#x", "https://münchen.test/straße"],
    ["https://xn--mnchen-3ya.test", "https://xn--mnchen-3ya.test"],
    ["HTTPS://EXAMPLE.test/", "https://example.test"],
    ["１２７.0.0.1", "https://127.0.0.1"],
  ])("%s is shown as %s", (typed, shown) => {
    expect(normaliseUrl(typed)).toMatchObject({ ok: true, displayUrl: shown });
  });
});

const parts = fc.record({
  scheme: fc.constantFrom("", "http://", "HTTPS://", "https://"),
  host: fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.constantFrom("münchen.test", "日本.test", "localhost", "a.test."),
  ),
  port: fc.oneof(
    fc.constant(""),
    fc.integer({ min: 1, max: 65535 }).map((port) => `:${port}`),
  ),
  rest: fc.oneof(
    fc.constant(""),
    fc.webPath(),
    anyText().map((text) => `/${text}`),
  ),
});

describe("for any address", () => {
  test("normalising twice changes nothing, and the shown form means the same address", () => {
    fc.assert(
      fc.property(parts, ({ scheme, host, port, rest }) => {
        const first = normaliseUrl(scheme + host + port + rest);
        if (!first.ok) return;
        expect(urlOf(first.url)).toBe(first.url);
        expect(urlOf(first.displayUrl)).toBe(first.url);
        expect(first.url).toMatch(/^https?:\/\/[^/]+/);
        expect(first.url.length).toBeLessThanOrEqual(2048);
      }),
      { numRuns: 500 },
    );
  });

  test("any text at all gets an answer, never an exception", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const result = normaliseUrl(text);
        expect(result.ok ? result.url : result.problem).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });
});

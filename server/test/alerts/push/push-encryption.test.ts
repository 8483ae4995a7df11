import { createECDH, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import {
  arePushKeys,
  encryptPush,
  MAX_PLAIN_BYTES,
  vapidHeader,
} from "../../../src/alerts/push/send-push.ts";
import { browserOf, newBrowser, readVapid } from "../../harness/push.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

function keysOf(secret: string) {
  const keys = createECDH("prime256v1");
  keys.setPrivateKey(bytes(secret));
  return keys;
}

test("the example of RFC 8291, section 5, byte for byte", () => {
  const receiver = keysOf("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94");
  const browser = browserOf("https://push.example.net/push/x", receiver, bytes("BTBZMqHH6r4Tts7J_aSIgg"));
  const { keys } = browser.subscription;
  expect(keys.p256dh).toBe(
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  );
  const once = {
    keys: keysOf("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
  };
  const plain = "When I grow up, I want to be a watermelon";
  const body = encryptPush(Buffer.from(plain), keys, once);
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
  expect(browser.read(body)).toBe(plain);
});

test("each message has keys of its own, and only its browser reads it", () => {
  const [browser, other] = [newBrowser("https://a.example/"), newBrowser("https://b.example/")];
  const plain = Buffer.from("你好 😀");
  const [first, second] = [0, 1].map(() => encryptPush(plain, browser.subscription.keys)) as [Buffer, Buffer];
  expect(first.equals(second)).toBe(false);
  expect([browser.read(first), browser.read(second)]).toEqual(["你好 😀", "你好 😀"]);
  expect(() => other.read(first)).toThrow();
});

test("the longest message is within what push services take", () => {
  const { subscription } = newBrowser("https://a.example/");
  expect(encryptPush(Buffer.alloc(MAX_PLAIN_BYTES), subscription.keys).length).toBe(4_096);
});

test("keys that are none are distinguished from keys", () => {
  const { keys } = newBrowser("https://a.example/").subscription;
  expect(arePushKeys(keys)).toBe(true);
  const notOnCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString("base64url");
  expect(arePushKeys({ ...keys, p256dh: notOnCurve })).toBe(false);
  expect(arePushKeys({ ...keys, p256dh: keys.p256dh.slice(4) })).toBe(false);
  expect(arePushKeys({ ...keys, auth: "AAAA" })).toBe(false);
});

test("the token of RFC 8292 is signed by the key that it names, for the push service alone, and for hours", () => {
  const keys = freshKeys();
  const now = Date.UTC(2026, 10, 22, 12);
  const header = vapidHeader("https://push.example.net:8443/send/abc", keys, "mailto:me@example.com", now);
  const { claims, publicKey } = readVapid(header);
  expect(publicKey).toBe(keys.publicKey);
  expect(claims).toEqual({
    aud: "https://push.example.net:8443",
    exp: now / 1000 + 43_200,
    sub: "mailto:me@example.com",
  });
  expect(() => readVapid(header.replace(/k=\S+/, `k=${freshKeys().publicKey}`))).toThrow();
});

function freshKeys() {
  const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), bytes(jwk.x ?? ""), bytes(jwk.y ?? "")]);
  return { jwk, publicKey: point.toString("base64url") };
}

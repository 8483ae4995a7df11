import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../../src/platform/access/password.ts";
import { createSecretBox } from "../../../src/platform/secrets/secret-box.ts";

test("a password is stored as an argon2id PHC string with a salt of its own", async () => {
  const [one, two] = [await hashPassword("a password"), await hashPassword("a password")];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword("a password", one)).toBe(true);
  expect(await verifyPassword("another password", one)).toBe(false);
});

test("a password typed in another Unicode form is the same password", async () => {
  const hash = await hashPassword("caf\u00e9 au lait");
  expect(await verifyPassword("cafe\u0301 au lait", hash)).toBe(true);
});

test("a hash made with other costs is still verified by those", async () => {
  const cheap = "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$";
  expect(await verifyPassword("x", cheap)).toBe(false);
  expect(await verifyPassword("x", "not a hash")).toBe(false);
  expect(await verifyPassword("", null)).toBe(false);
});

test("the password of an unknown account takes as long to refuse as that of a known one", async () => {
  const hash = await hashPassword("a password");
  const shortest = { known: Infinity, unknown: Infinity };
  for (let n = 0; n < 20; n += 1) {
    for (const [who, phc] of [
      ["known", hash],
      ["unknown", null],
    ] as const) {
      const started = performance.now();
      await verifyPassword("wrong", phc);
      shortest[who] = Math.min(shortest[who], performance.now() - started);
    }
  }
  expect(shortest.unknown).toBeGreaterThan(shortest.known / 4);
});

test("a flood of sign-ins is turned away instead of filling memory", async () => {
  const flood = Array.from({ length: 100 }, () => verifyPassword("x", null));
  const outcomes = await Promise.allSettled(flood);
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused.length).toBe(100 - 2 - 64);
  expect(await verifyPassword("x", null)).toBe(false);
});

test("a known device does not wait behind a flood of unknown ones", async () => {
  const flood = Promise.allSettled(Array.from({ length: 100 }, () => verifyPassword("x", null)));
  let over = false;
  void flood.then(() => (over = true));
  expect(await verifyPassword("x", null, { first: true })).toBe(false);
  expect(over).toBe(false);
  await flood;
});

test("a sealed secret opens with its key only, and not when altered", () => {
  const box = createSecretBox(randomBytes(32));
  const sealed = box.seal("hush ü");
  expect(sealed).toMatch(/^v1\.[\w-]+$/);
  expect(sealed).not.toBe(box.seal("hush ü"));
  expect(box.open(sealed)).toBe("hush ü");
  expect(() => createSecretBox(randomBytes(32)).open(sealed)).toThrow();
  const flipped = sealed[10] === "A" ? "B" : "A";
  expect(() => box.open(sealed.slice(0, 10) + flipped + sealed.slice(11))).toThrow();
  expect(() => box.open(sealed.replace("v1", "v2"))).toThrow();
  expect(() => createSecretBox(Buffer.alloc(16))).toThrow("32 bytes");
});

import { expect, test } from "vitest";
import { argumentsOf, visibleText } from "../src/frame/assistant/CallCard.tsx";

// One of each range that shows nothing, and what only looks like a space.
const unseen = [
  ...[0x00, 0x09, 0x0d, 0x7f, 0x9f, 0xad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e],
  ...[0x200b, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x2060, 0x2069, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff],
  ...[0xffa0, 0xfff9, 0xe0001, 0xe0041, 0xe0100, 0xe01ef, 0xa0, 0x1680, 0x2003, 0x202f, 0x205f, 0x3000],
];

test.each(unseen)("U+%i is shown as its code", (code) => {
  expect(visibleText(`Shop${String.fromCodePoint(code)}`)).toBe(`Shop\\u{${code.toString(16)}}`);
});

test("what can be seen stays as it is, with its lines and its indentation", () => {
  const text = "Müller’s «Laden» 店 ☕\n  a b\n\n\tc".replace("\t", "    ");
  expect(visibleText(text)).toBe(text);
  const nested = { a: { b: { c: { d: [{ e: 1 }] } } } };
  expect(argumentsOf(JSON.stringify({ nested }))[0]?.value).toBe(JSON.stringify(nested, null, 2));
});

test("what blanks would push out of sight is not", () => {
  expect(visibleText(`Shop${" ".repeat(500)}x`)).toBe("Shop\\u{20}×500x");
  expect(visibleText(`Shop ${"\n".repeat(500)}x`)).toBe("Shop\\u{20}\\u{a}×500x");
});

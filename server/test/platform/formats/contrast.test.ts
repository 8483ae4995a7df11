import fc from "fast-check";
import { expect, test } from "vitest";
import {
  accentContrast,
  contrastOf,
  readableAccent,
  TEXT_CONTRAST,
} from "../../../src/platform/formats/contrast.ts";

test.each([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#ffffff", 1],
  ["#767676", "#ffffff", 4.54],
  ["#777777", "#ffffff", 4.47],
])("%s on %s has the contrast that WCAG says: %d", (one, other, ratio) => {
  expect(contrastOf(one, other)).toBe(ratio);
  expect(contrastOf(other, one)).toBe(ratio);
});

test("an accent that can be read is left alone, another one becomes darker or lighter", () => {
  expect(readableAccent("#0b6e4f", "light")).toBe("#0b6e4f");
  expect(readableAccent("#0b6e4f", "dark")).not.toBe("#0b6e4f");
  expect(accentContrast("#ffee00", "light")).toBeLessThan(1.3);
});

test("whatever the accent is, texts in it can be read in both themes", () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(color, fc.constantFrom("light" as const, "dark" as const), (accent, shade) => {
      const shown = readableAccent(accent, shade);
      expect(shown).toMatch(/^#[0-9a-f]{6}$/);
      expect(accentContrast(shown, shade)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    }),
  );
});

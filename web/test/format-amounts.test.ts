import { expect, test } from "vitest";
import { formatBytes, formatRate, formatShare } from "../src/i18n/format-amounts.ts";

test.each([
  [0, "0 B", "0 B/s"],
  [1_000, "1,000 B", "1 kB/s"],
  [1_024, "1 KiB", "1 kB/s"],
  [120_000, "117 KiB", "120 kB/s"],
  [8_350_000_000, "7.8 GiB", "8.4 GB/s"],
  [9e18, "7,994 PiB", "9,000,000 TB/s"],
])("%d bytes are %s, and %s when they are sent", (bytes, stored, sent) => {
  expect(formatBytes(bytes, "en")).toBe(stored);
  expect(formatRate(bytes, "en")).toBe(sent);
});

test("shares have a decimal only while they are small, as the reader writes it", () => {
  expect([4.25, 42.4].map((share) => formatShare(share, "en"))).toEqual(["4.3%", "42%"]);
  expect(formatShare(4.25, "de")).toMatch(/^4,3\s%$/);
});

import { expect, test } from "vitest";
import { retryAfterMs } from "../../src/platform/clock.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

test.each([
  ["120", 120_000],
  [" 1.5 ", 1_500],
  ["0", 0],
  ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ["-5", null],
  ["", null],
  ["soon", null],
  ["Infinity", null],
  [null, null],
  [undefined, null],
])("Retry-After: %s is a pause of %s ms", (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

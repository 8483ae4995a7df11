import { describe, expect, test } from "vitest";
import { commonName, issuerName } from "../../server/src/monitors/certificate-status.ts";
import { dayTone } from "../src/components/DayBars.tsx";
import { formatAgo, formatInterval, formatMoment, formatTick, formatUtcDay } from "../src/i18n/format.ts";

describe("a certificate's names", () => {
  test.each([
    ["C=US, O=Let's Encrypt, CN=E7", "E7", "E7, Let's Encrypt"],
    ["CN=shop.example, O=Shop, Inc., C=US", "shop.example", "shop.example, Shop, Inc."],
    ["C=US, O=Amazon", "Amazon", "Amazon"],
    ["OU=No such part", "OU=No such part", "OU=No such part"],
  ])("%s is %s, as an issuer %s", (name, common, issuer) => {
    expect(commonName(name)).toBe(common);
    expect(issuerName(name)).toBe(issuer);
  });
});

test.each([
  [null, "unknown"],
  [100, "up"],
  [99.999, "dented"],
  [95, "dented"],
  [94.999, "down"],
  [0, "down"],
] as const)("a day with an uptime of %s looks %s", (uptimePercentage, tone) => {
  expect(dayTone({ uptimePercentage })).toBe(tone);
});

test.each([
  [60, "1 minute"],
  [90, "90 seconds"],
  [3600, "1 hour"],
  [86_400, "1 day"],
])("an interval of %d s reads %s", (seconds, text) => {
  expect(formatInterval(seconds, "en")).toBe(text);
});

test("how long ago something was never lies in the future", () => {
  expect(formatAgo(-5_000, "en")).toBe("now");
  expect(formatAgo(12_400, "en")).toBe("12 seconds ago");
  expect(formatAgo(3 * 86_400_000, "en")).toBe("3 days ago");
});

test("a day in UTC stays that day wherever it is read", () => {
  expect(formatUtcDay("2026-11-21", "en-GB")).toBe("21 Nov 2026");
});

test("times on an axis and in a table are as fine as they must be", () => {
  const time = new Date(2026, 10, 21, 9, 5, 7);
  expect(formatTick(time.getTime(), 86_400_000, "en-GB")).toBe("21 Nov");
  expect(formatTick(time.getTime(), 3_600_000, "en-GB")).toBe("09:05");
  expect(formatTick(time.getTime(), 10_000, "en-GB")).toBe("09:05:07");
  const midnight = new Date(2026, 10, 22).getTime();
  expect(formatTick(midnight, 7_200_000, "en-GB")).toBe("22 Nov");
  expect(formatTick(midnight, 300_000, "en-GB")).toBe("00:00");
  expect(formatMoment(time.toISOString(), time.getTime(), "en-GB")).toBe("09:05:07");
  expect(formatMoment(time.toISOString(), time.getTime() + 86_400_000, "en-GB")).toBe("21 Nov, 09:05:07");
});

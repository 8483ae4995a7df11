import { expect, it } from "vitest";
import { deflateNames } from "../../../../src/monitors/devices/metrics/report-metrics.ts";
import { deflateOnce } from "../../../../src/monitors/devices/store-reports.ts";

it("keeps the names of a usual device in memory, and none so long that they would fill it", () => {
  const usual = JSON.stringify(Array.from({ length: 300 }, (_, at) => `network.eth${at}.rx`));
  expect(deflateOnce(usual)).toBe(deflateOnce(usual));
  const long = JSON.stringify(Array.from({ length: 1_000 }, (_, at) => `network.${"x".repeat(180)}${at}.rx`));
  expect(deflateOnce(long)).not.toBe(deflateOnce(long));
  expect(deflateOnce(long)).toEqual(deflateNames(long));
});

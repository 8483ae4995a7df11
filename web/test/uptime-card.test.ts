import { expect, test } from "vitest";
import { daysShown } from "../src/api/monitor.ts";
import { checksOf } from "../src/monitors/detail/UptimeCard.tsx";

const day = (totalChecks: number, failedChecks: number) => ({ totalChecks, failedChecks });

test("below the bars are the checks of all the days that are shown, not of the last 30", () => {
  const days = Array.from({ length: daysShown }, (_, at) => day(1_440, at === 0 ? 7 : 0));
  expect(checksOf(days)).toEqual({ total: daysShown * 1_440, failed: 7 });
});

test("days on which nothing is known, or which are still on their way, count nothing", () => {
  expect(checksOf([null, day(0, 0), day(10, 4), null, day(5, 1)])).toEqual({ total: 15, failed: 5 });
  expect(checksOf([null, null])).toEqual({ total: 0, failed: 0 });
});

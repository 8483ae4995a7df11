import { describe, expect, test } from "vitest";
import { cronGaps, cronProblem, cronTimes } from "../../../src/platform/formats/cron.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

function runs(expression: string, timeZone: string, from: string, count: number): string[] {
  const times = cronTimes(expression, timeZone);
  let at = Date.parse(from);
  return Array.from({ length: count }, () => {
    at = times?.notBefore(at, at + 1) ?? Number.NaN;
    return new Date(at).toISOString().slice(0, 16);
  });
}

describe("a cron expression", () => {
  test.each([
    ["of every day", "0 3 * * *", "UTC", "2026-11-21T09:00Z", ["2026-11-22T03:00", "2026-11-23T03:00"]],
    ["of working days", "0 3 * * 1-5", "UTC", "2026-11-20T09:00Z", ["2026-11-23T03:00", "2026-11-24T03:00"]],
    ["in another zone", "0 3 * * *", "Asia/Kolkata", "2026-11-21T09:00Z", ["2026-11-21T21:30"]],
    ["with either day", "0 3 1 * MON", "UTC", "2026-11-28T00:00Z", ["2026-11-30T03:00", "2026-12-01T03:00"]],
    // Vixie's cron takes a day field that begins with * for a star: both day fields must then fit.
    [
      "of every other day and Mondays needs both",
      "0 0 */2 * 1",
      "UTC",
      "2026-11-02T12:00Z",
      ["2026-11-09T00:00", "2026-11-23T00:00", "2026-12-07T00:00"],
    ],
    [
      "of a day and every other weekday needs both",
      "0 0 13 * */2",
      "UTC",
      "2026-09-01T00:00Z",
      ["2026-09-13T00:00", "2026-10-13T00:00", "2026-12-13T00:00"],
    ],
    [
      "of a list that begins with a star, and Mondays",
      "0 0 *,5 * MON",
      "UTC",
      "2026-11-01T00:00Z",
      ["2026-11-02T00:00", "2026-11-09T00:00"],
    ],
    [
      "of a list in which a star comes later, or Mondays",
      "0 0 5,*/10 * 1",
      "UTC",
      "2026-11-01T00:00Z",
      ["2026-11-02T00:00", "2026-11-05T00:00", "2026-11-09T00:00", "2026-11-11T00:00"],
    ],
    [
      "of odd days by a range, or Mondays",
      "0 0 1-31/2 * 1",
      "UTC",
      "2026-11-01T12:00Z",
      ["2026-11-02T00:00", "2026-11-03T00:00", "2026-11-05T00:00", "2026-11-07T00:00", "2026-11-09T00:00"],
    ],
    ["with a name", "@daily", "UTC", "2026-11-21T09:00Z", ["2026-11-22T00:00"]],
    ["of leap days", "0 0 29 2 *", "UTC", "2026-11-21T09:00Z", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    [
      "in the hour that summer time leaves out runs after it",
      "30 2 * * *",
      "Europe/Berlin",
      "2026-03-28T09:00Z",
      ["2026-03-29T01:00", "2026-03-30T00:30"],
    ],
    [
      "in the hour that comes twice runs once",
      "30 2 * * *",
      "Europe/Berlin",
      "2026-10-24T09:00Z",
      ["2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    [
      "of several hours runs once in each, too",
      "15 2,3 * * *",
      "Europe/Berlin",
      "2026-10-24T09:00Z",
      ["2026-10-25T00:15", "2026-10-25T02:15"],
    ],
    [
      "of every other hour of a range runs once in it, too",
      "23 0-20/2 * * *",
      "Europe/Berlin",
      "2026-10-24T22:30Z",
      ["2026-10-25T00:23", "2026-10-25T03:23", "2026-10-25T05:23"],
    ],
    [
      "of steps in a range runs after the hour that is left out",
      "30 0-20/2 * * *",
      "Europe/Berlin",
      "2026-03-28T23:45Z",
      ["2026-03-29T01:00", "2026-03-29T02:30"],
    ],
    [
      "of stepped minutes and hours that are named runs each once",
      "0-59/20 2-3/1 * * *",
      "Europe/Berlin",
      "2026-10-24T23:00Z",
      ["2026-10-25T00:00", "2026-10-25T00:20", "2026-10-25T00:40", "2026-10-25T02:00"],
    ],
    [
      "of every other hour of the day runs in both",
      "23 */2 * * *",
      "Europe/Berlin",
      "2026-10-24T22:30Z",
      ["2026-10-25T00:23", "2026-10-25T01:23", "2026-10-25T03:23"],
    ],
    [
      "of every half hour goes on through it",
      "*/30 * * * *",
      "Europe/Berlin",
      "2026-10-25T00:10Z",
      ["2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30", "2026-10-25T02:00"],
    ],
  ])("%s", (_what, expression, zone, from, expected) => {
    expect(runs(expression, zone, from, expected.length)).toEqual(expected);
  });

  test.each([
    ["", "input.cron"],
    ["* * * *", "input.cron"],
    ["* * * * * *", "input.cron"],
    ["60 * * * *", "input.cron"],
    ["0 24 * * *", "input.cron"],
    ["*/0 * * * *", "input.cron"],
    ["0-59/0 * * * *", "input.cron"],
    ["0 20-8/2 * * *", "input.cron"],
    ["0 0-24/2 * * *", "input.cron"],
    ["0-99999999/1 * * * *", "input.cron"],
    ["a b c d e", "input.cron"],
    ["@reboot", "input.cron"],
    ["@sometimes", "input.cron"],
    ["0 0 31 2 *", "input.cron_never"],
    ["0 0 31 4,6,9,11 *", "input.cron_never"],
  ])("%j is refused", (expression, code) => {
    expect(cronProblem(expression)?.code).toBe(code);
  });

  test.each([
    ["* * * * *", 60, 60],
    ["*/15 * * * *", 900, 900],
    ["0 * * * *", HOUR, HOUR],
    ["0 3 * * *", DAY, DAY],
    ["@weekly", 7 * DAY, 7 * DAY],
    ["*/5 9-17 * * 1-5", 300, 63 * HOUR + 300],
    ["0 3 1 * *", 28 * DAY, 31 * DAY],
    ["0 3 */2 * 1", 7 * DAY, 21 * DAY],
    ["23 0-20/2 * * *", 2 * HOUR, 4 * HOUR],
    ["0 0 29 2 *", 4 * 365.25 * DAY, 4 * 365.25 * DAY],
  ])("%s leaves at least and at most so many seconds between two runs", (expression, shortest, longest) => {
    const gaps = cronGaps(expression);
    // Months of a leap year and of another one differ by a day.
    expect(Math.abs(gaps.shortest - shortest)).toBeLessThanOrEqual(expression === "0 3 1 * *" ? DAY : 0);
    expect(gaps.longest).toBe(longest);
  });

  test("is gone through for its gaps in a few milliseconds, once", () => {
    const cpuMs = (from: number, to: number) => {
      const begun = process.cpuUsage();
      for (let at = from; at < to; at += 1) cronGaps(`*,${at % 60} * * * *`);
      return process.cpuUsage(begun).user / 1000;
    };
    expect(cpuMs(0, 20)).toBeLessThan(600);
    for (let round = 0; round < 100; round += 1) expect(cpuMs(0, 20)).toBeLessThan(200);
  });

  test("is found never to run in a moment, whatever its fields", () => {
    const never = ["0 0 */31 2 1#5", "0 0 LW 2 */7"];
    const begun = process.cpuUsage();
    for (let minute = 0; minute < 60; minute += 1)
      for (const expression of never)
        expect(cronProblem(expression.replace(/^\S+/, String(minute)))?.code).toBe("input.cron_never");
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1_000);
  });

  test.each(["0 0 29 2 */7", "0 0 */30 2 1", "0 0 LW 2 SUN", "0 0 29W 2 *", "0 0 29 2 1#5"])(
    "%s runs, however seldom",
    (expression) => {
      expect(cronProblem(expression)).toBeNull();
    },
  );

  test("is not known here in a zone that there is not", () => {
    expect(cronTimes("0 3 * * *", "Europe/Atlantis")).toBeNull();
  });

  test("takes a signal a little too early for the run that it is", () => {
    const daily = cronTimes("0 3 * * *", "UTC");
    const after = (time: string) => new Date(daily?.after(Date.parse(time)) ?? 0).toISOString().slice(5, 16);
    expect(after("2026-11-21T02:59:20Z")).toBe("11-21T03:00");
    expect(after("2026-11-21T02:59:40Z")).toBe("11-22T03:00");
    const often = cronTimes("* * * * *", "UTC");
    // Six seconds of a minute.
    expect(often?.after(Date.parse("2026-11-21T02:59:50Z"))).toBe(Date.parse("2026-11-21T03:00:00Z"));
    expect(often?.after(Date.parse("2026-11-21T02:59:55Z"))).toBe(Date.parse("2026-11-21T03:01:00Z"));
  });

  test("costs little each time it is called, also where many are", () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"];
    const begun = process.cpuUsage();
    for (let i = 0; i < 2_000; i += 1) {
      cronTimes(`${i % 60} ${i % 24} * * *`, zones[i % 4] as string)?.after(
        Date.UTC(2026, 10, 21) + i * 60_000,
      );
    }
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000 / 2_000).toBeLessThan(5);
  });
});

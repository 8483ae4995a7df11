import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  leastGapMs,
  nextOccurrences,
  occurrencesOf,
  type Schedule,
} from "../../../src/monitors/maintenance/occurrences.ts";
import { recurrenceProblem } from "../../../src/platform/formats/recurrence.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);

const plan = (more: Partial<Schedule>): Schedule => ({
  startsAt: at("2026-03-27T01:30:00Z"),
  durationMs: HOUR,
  timeZone: "Europe/Berlin",
  recurrence: null,
  until: null,
  exceptions: [],
  ...more,
});
const starts = (schedule: Schedule, from: string, to: string) =>
  occurrencesOf(schedule)
    .between(at(from), at(to))
    .map(({ startsAt }) => new Date(startsAt).toISOString().slice(0, 16));

describe("the occurrences of a maintenance window", () => {
  test("one-off: it is open from its start to just before its end", () => {
    const once = occurrencesOf(plan({}));
    const { startsAt } = plan({});
    expect(once.openAt(startsAt - 1)).toBeNull();
    expect(once.openAt(startsAt)).toEqual({ startsAt, endsAt: startsAt + HOUR });
    expect(once.openAt(startsAt + HOUR - 1)).not.toBeNull();
    expect(once.openAt(startsAt + HOUR)).toBeNull();
    expect(once.end()).toBe(startsAt + HOUR);
  });

  test("a rule keeps its hour over both changes of the clock", () => {
    const daily = plan({ startsAt: at("2026-03-27T21:00:00Z"), recurrence: "FREQ=DAILY" });
    expect(starts(daily, "2026-03-28T12:00Z", "2026-03-30T12:00Z")).toEqual([
      "2026-03-28T21:00",
      "2026-03-29T20:00",
    ]);
    expect(starts(daily, "2026-10-24T12:00Z", "2026-10-26T12:00Z")).toEqual([
      "2026-10-24T20:00",
      "2026-10-25T21:00",
    ]);
  });

  test("what would begin in the hour that is left out begins after it; in the hour that comes twice, once", () => {
    const daily = plan({ recurrence: "FREQ=DAILY" });
    expect(starts(daily, "2026-03-28T12:00Z", "2026-03-30T12:00Z")).toEqual([
      "2026-03-29T01:30",
      "2026-03-30T00:30",
    ]);
    expect(starts(daily, "2026-10-24T12:00Z", "2026-10-26T12:00Z")).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
  });

  test.each([
    ["FREQ=WEEKLY;BYDAY=MO,TH", ["2026-03-30T00:30", "2026-04-02T00:30", "2026-04-06T00:30"]],
    ["FREQ=MONTHLY;BYDAY=2TU", ["2026-04-14T00:30", "2026-05-12T00:30", "2026-06-09T00:30"]],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", ["2026-03-31T00:30", "2026-04-30T00:30", "2026-05-31T00:30"]],
    ["FREQ=DAILY;COUNT=2", ["2026-03-27T01:30", "2026-03-28T01:30"]],
    ["FREQ=DAILY;UNTIL=20260328T013000Z", ["2026-03-27T01:30", "2026-03-28T01:30"]],
    ["FREQ=DAILY;UNTIL=20260328", ["2026-03-27T01:30", "2026-03-28T01:30"]],
    ["FREQ=YEARLY;BYDAY=53FR", ["2027-12-31T01:30", "2032-12-31T01:30", "2038-12-31T01:30"]],
    ["FREQ=YEARLY;BYDAY=-1SU;BYMONTHDAY=31", ["2028-12-31T01:30", "2034-12-31T01:30", "2045-12-31T01:30"]],
    [
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
      ["2044-02-29T01:30", "2072-02-29T01:30", "2112-02-29T01:30"],
    ],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", ["2028-02-29T01:30", "2032-02-29T01:30", "2036-02-29T01:30"]],
  ])("%s", (recurrence, expected) => {
    const schedule = plan({ recurrence });
    const found = nextOccurrences(occurrencesOf(schedule), schedule.startsAt, 3);
    expect(found.map(({ startsAt }) => new Date(startsAt).toISOString().slice(0, 16))).toEqual(expected);
  });

  test("a skipped occurrence is not there, and one that was ended is shorter", () => {
    const { startsAt } = plan({});
    const exceptions = [
      { startsAt, endsAt: startsAt + 1 },
      { startsAt: startsAt + DAY, endsAt: null },
    ];
    const changed = occurrencesOf(plan({ recurrence: "FREQ=DAILY;COUNT=3", exceptions, timeZone: "UTC" }));
    expect(changed.openAt(startsAt)).toEqual({ startsAt, endsAt: startsAt + 1 });
    expect(changed.openAt(startsAt + 1)).toBeNull();
    expect(changed.openAt(startsAt + DAY)).toBeNull();
    expect(changed.after(startsAt)).toMatchObject({ startsAt: startsAt + 2 * DAY });
    expect(changed.end()).toBe(startsAt + 2 * DAY + HOUR);
  });

  test("`until` ends a rule, and one without an end has none", () => {
    const { startsAt } = plan({});
    const ending = occurrencesOf(plan({ recurrence: "FREQ=DAILY", until: startsAt + DAY, timeZone: "UTC" }));
    expect(ending.end()).toBe(startsAt + HOUR);
    expect(occurrencesOf(plan({ recurrence: "FREQ=DAILY" })).end()).toBeNull();
  });

  test("the least gap reveals a window that is longer than its period", () => {
    expect(leastGapMs(plan({}))).toBeNull();
    expect(leastGapMs(plan({ recurrence: "FREQ=DAILY" }))).toBe(23 * HOUR);
    expect(leastGapMs(plan({ recurrence: "FREQ=DAILY;BYHOUR=2,4", timeZone: "UTC" }))).toBe(2 * HOUR);
  });

  test.each([
    "",
    "nonsense",
    "FREQ=SECONDLY",
    "FREQ=MINUTELY",
    "FREQ=HOURLY",
    "FREQ=DAILY;BYSECOND=1",
    "FREQ=DAILY;BYMINUTE=1,2,3",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;COUNT=0",
    "FREQ=DAILY;COUNT=99999",
    "FREQ=DAILY;FREQ=WEEKLY",
    "FREQ=WEEKLY;BYDAY=XX",
    "FREQ=DAILY;BYHOUR=24",
    "FREQ=DAILY;FOO=1",
    "INTERVAL=2",
    "FREQ=DAILY\nRDATE:20260101T000000Z",
    "DTSTART:20200101T000000Z\nRRULE:FREQ=DAILY",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;COUNT=3;UNTIL=20270101T000000Z",
    "FREQ=DAILY;UNTIL=tomorrow",
    "FREQ=DAILY;UNTIL=20260230",
    "FREQ=DAILY;UNTIL=20261301T000000Z",
    "FREQ=DAILY;UNTIL=20261205T250000Z",
    "FREQ=DAILY;UNTIL=20261205T246000",
    "FREQ=DAILY;__proto__=1",
    "FREQ=WEEKLY;BYDAY=1MO",
    "FREQ=DAILY;BYDAY=-1FR",
    "FREQ=YEARLY;BYDAY=-5SA;BYMONTHDAY=31",
  ])("refuses the rule %j", (rule) => {
    expect(recurrenceProblem(rule)).not.toBeNull();
  });

  test.each([
    "FREQ=DAILY",
    "rrule:freq=weekly;byday=mo",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1",
    "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
    "FREQ=YEARLY;BYDAY=52FR",
    "FREQ=YEARLY;BYDAY=53MO",
    "FREQ=YEARLY;BYDAY=-53SU",
    // From January on it hits no June, from December on it does.
    "FREQ=MONTHLY;INTERVAL=3;BYMONTH=6,9",
  ])("takes the rule %j", (rule) => expect(recurrenceProblem(rule)).toBeNull());

  test("occurrences come in order, never overlap where the gap allows, and each is open while it lasts", () => {
    const rules = fc.constantFrom("FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,SU", "FREQ=DAILY;BYHOUR=1,2,3,23");
    const zones = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC");
    const from = fc.integer({ min: at("2026-01-01T00:00Z"), max: at("2027-01-01T00:00Z") });
    const property = fc.property(rules, zones, from, (recurrence, timeZone, begin) => {
      const all = occurrencesOf(plan({ recurrence, timeZone, durationMs: HOUR / 2 }));
      const found = all.between(begin, begin + 10 * DAY);
      for (const [index, { startsAt, endsAt }] of found.entries()) {
        expect(endsAt).toBeGreaterThan(startsAt);
        const before = found[index - 1];
        if (before) expect(startsAt).toBeGreaterThan(before.startsAt);
        expect(all.openAt(startsAt)).not.toBeNull();
        expect(all.openAt(endsAt - 1)).not.toBeNull();
      }
    });
    fc.assert(property, { numRuns: 60 });
  });
});

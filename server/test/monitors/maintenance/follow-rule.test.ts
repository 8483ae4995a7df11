import fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { expect, test, vi } from "vitest";
import { nextOccurrences, occurrencesOf } from "../../../src/monitors/maintenance/occurrences.ts";
import { recurrenceProblem, startsOf } from "../../../src/platform/formats/recurrence.ts";

const DAY = 86_400_000;
const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const START = Date.UTC(2026, 2, 27, 1, 30);

/** The times of a rule, as another implementation of RFC 5545 gives them. */
const byLibrary = (rruleString: string, startsAt: number, to: number): number[] =>
  new RRuleTemporal({
    rruleString,
    dtstart: Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO("UTC"),
    maxIterations: 20_000,
  })
    .between(new Date(startsAt), new Date(to), true)
    .map(({ epochMilliseconds }) => epochMilliseconds);

const some = <T>(of: readonly T[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const part = (name: string, values: fc.Arbitrary<readonly unknown[]>, freq = 2) =>
  fc.option(
    values.map((list) => `;${name}=${list.join(",")}`),
    { nil: "", freq },
  );
const days = some(WEEKDAYS, 7);
const numbered = fc.array(
  fc
    .tuple(fc.constantFrom(1, 2, 3, 4, 5, -1, -2), fc.constantFrom(...WEEKDAYS))
    .map(([nth, day]) => `${nth}${day}`),
  { minLength: 1, maxLength: 3 },
);
const monthDays = some([1, 13, 15, 28, 29, 30, 31, -1, -2]);

/** Rules that both read alike: of a year, the other one takes the 53rd Monday for the first where there are only 52. */
const rules = fc
  .record({
    freq: fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
    interval: fc.constantFrom("", ";INTERVAL=2", ";INTERVAL=3"),
    months: part("BYMONTH", some(range(1, 12))),
    monthDays: part("BYMONTHDAY", monthDays),
    days: part("BYDAY", days),
    hours: part("BYHOUR", some(range(0, 23)), 4),
    ends: fc.constantFrom("", ";COUNT=5", ";UNTIL=20270701T000000Z"),
    positions: part("BYSETPOS", some([1, 2, 3, 10, -1, -2]), 4),
    week: fc.constantFrom("", ";WKST=SU", ";WKST=WE"),
  })
  .map(({ freq, interval, months, monthDays: ofMonth, days: ofWeek, hours, positions, week, ends }) => {
    const byMonthDay = freq === "WEEKLY" ? "" : ofMonth;
    const parts = `${months}${byMonthDay}${ofWeek}${hours}`;
    return `FREQ=${freq}${interval}${parts}${parts === "" ? "" : positions}${week}${ends}`;
  });

const compare = (arbitrary: fc.Arbitrary<string>) => {
  const property = fc.property(arbitrary, fc.integer({ min: 0, max: 800 }), (rule, day) => {
    const startsAt = START + day * DAY;
    const to = startsAt + 800 * DAY;
    const own = startsOf({ rule, startsAt, timeZone: "UTC" });
    expect(own.between(startsAt, to + 1)).toEqual(byLibrary(rule, startsAt, to));
  });
  fc.assert(property, { numRuns: 400 });
};

test("a rule gives the times that another implementation of RFC 5545 gives", () => compare(rules));

test("so does one of numbered weekdays of a month", () =>
  compare(
    fc
      .tuple(numbered, fc.constantFrom("", ";INTERVAL=2"))
      .map(([list, interval]) => `FREQ=MONTHLY${interval};BYDAY=${[...new Set(list)].join(",")}`),
  ));

test("whatever time it is read from, it gives the same times", () => {
  const property = fc.property(rules, fc.integer({ min: 0, max: 2_000 }), (rule, day) => {
    const own = startsOf({ rule, startsAt: START, timeZone: "Europe/Berlin" });
    const [from, to] = [START + day * DAY, START + 2_400 * DAY];
    expect(own.between(from, to)).toEqual(own.between(START, to).filter((at) => at >= from));
  });
  fc.assert(property, { numRuns: 100 });
});

/** Each looks for something in vain, or nearly: what a rule costs is the months that it looks into. */
test.each([
  "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=99",
  "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12,13;BYSETPOS=99",
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
  "FREQ=DAILY;INTERVAL=999;BYMONTHDAY=31;BYMONTH=2",
  "FREQ=YEARLY;INTERVAL=999",
  "FREQ=YEARLY;BYSETPOS=366",
  "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1",
  "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;COUNT=1000",
])("the rule %s is followed in few steps", (recurrence) => {
  const schedule = {
    startsAt: START,
    durationMs: 60_000,
    timeZone: "UTC",
    recurrence,
    until: null,
    exceptions: [],
  };
  // The first day of each month is worked out once or twice.
  const months = vi.spyOn(Date, "UTC");
  nextOccurrences(occurrencesOf(schedule), START, 5);
  recurrenceProblem(recurrence);
  expect(months.mock.calls.length).toBeLessThan(10_000);
  months.mockRestore();
});

test("what is not read of a rule is not searched for", () => {
  const months = vi.spyOn(Date, "UTC");
  const { from } = startsOf({ rule: "FREQ=DAILY", startsAt: START, timeZone: "UTC" });
  from(START)[Symbol.iterator]().next();
  expect(months.mock.calls.length).toBeLessThan(5);
  months.mockRestore();
});

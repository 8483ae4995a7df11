import { RRuleTemporal } from "rrule-temporal";
import { type Fact, fact } from "../texts/fact.ts";

const DAYS = "(?:MO|TU|WE|TH|FR|SA|SU)";
const list = (one: string) => new RegExp(`^${one}(?:,${one})*$`);

/** The parts of a rule (RFC 5545 §3.3.10) that are taken, and what each may say. Nothing more often than hourly. */
const PARTS: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  COUNT: /^(?:[1-9]\d{0,2}|1000)$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  BYDAY: list(`(?:[+-]?(?:[1-9]|[1-4]\\d|5[0-3]))?${DAYS}`),
  BYMONTHDAY: list("[+-]?(?:[1-9]|[12]\\d|3[01])"),
  BYMONTH: list("(?:[1-9]|1[0-2])"),
  BYHOUR: list("(?:1?\\d|2[0-3])"),
  BYSETPOS: list("[+-]?(?:[1-9]|[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])"),
  WKST: new RegExp(`^${DAYS}$`),
};

/** Leap days, and fifth Mondays of February, come round within this. */
const SEARCHED_YEARS = 30;
const YEAR_MS = 366 * 86_400_000;
/** Anything: only rules that come true at no time need that many turns of a year, a month, a day. */
const MAX_TURNS = 20_000;

/** The parts of a rule; null for what is none. */
function partsOf(rule: string): Map<string, string> | null {
  const parts = rule.split(";").map((part) => part.split("="));
  const map = new Map(parts.map(([name = "", value = ""]) => [name, value]));
  const isKnown = parts.every(
    ([name = "", value = "", ...more]) =>
      more.length === 0 && Object.hasOwn(PARTS, name) && PARTS[name]?.test(value),
  );
  return isKnown && map.size === parts.length && map.has("FREQ") ? map : null;
}

/**
 * Whether the library reads the parts together as RFC 5545 does. That takes "the second Monday" for months and years only.
 * Of a year, the library takes the 53rd Monday for the first where there are only 52, and forgets BYMONTHDAY.
 */
function isReadRight(parts: ReadonlyMap<string, string>): boolean {
  const days = parts.get("BYDAY") ?? "";
  if (!/\d/.test(days)) return true;
  const every = parts.get("FREQ");
  if (every === "MONTHLY") return true;
  return every === "YEARLY" && !/53/.test(days) && !parts.has("BYMONTHDAY");
}

/** Whether its UNTIL, if it has one, is a day that there is, and a time of it. */
function endsAtSomeTime(rule: string): boolean {
  try {
    onTheWall(rule, "UTC");
    return true;
  } catch {
    return false;
  }
}

/** A rule as it is stored: upper case, and without the name that calendars write before it. */
export const cleanRecurrence = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, "");

/** What is wrong with a recurrence rule; null for one that comes true from some start on, no more often than hourly. */
export function recurrenceProblem(text: string): Fact | null {
  const rule = cleanRecurrence(text);
  const parts = partsOf(rule);
  if (parts === null || !isReadRight(parts) || !endsAtSomeTime(rule)) return fact("maintenance.rule");
  if (parts.has("COUNT") && parts.has("UNTIL")) return fact("maintenance.rule_ends");
  try {
    const begin = Date.UTC(2024, 0, 1);
    // Which months every third one hits depends on the start, which is not known here; and the end on what comes before it.
    const bare = rule.replace(/;?(?:COUNT|UNTIL|INTERVAL)=[^;]*/g, "").replace(/^;/, "");
    const first = startsOf({ rule: bare, startsAt: begin, timeZone: "UTC" }).next(begin);
    return first === null ? fact("maintenance.rule_never") : null;
  } catch {
    return fact("maintenance.rule_never");
  }
}

/** Whether a rule says by itself when it ends. */
export const endsByItself = (rule: string): boolean => /(?:^|;)(?:COUNT|UNTIL)=/.test(rule);

/** A time at which a rule is over that says until when it goes, milliseconds; null: it says nothing, or how often. */
export function overBy(rule: string): number | null {
  const [, year, month, day] = /(?:^|;)UNTIL=(\d{4})(\d\d)(\d\d)/.exec(rule) ?? [];
  // The day ends at another time in each zone.
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, Number(day) + 2);
}

interface Recurring {
  rule: string;
  /** Milliseconds: the earliest occurrence, and its time of day. */
  startsAt: number;
  timeZone: string;
}

/** When the occurrences of a rule begin. Times are milliseconds. */
export interface Starts {
  /** Those from `from` on and before `to`, in order. */
  between(from: number, to: number): number[];
  /** The first at `from` or later; null: there is none within 30 years. */
  next(from: number): number | null;
}

/**
 * The rule is followed on the clock on the wall, and each time it gives is then found in the zone. So an occurrence keeps
 * its hour over a change to summer time; one in the hour that is left out begins after it instead of not at all, and one in
 * the hour that comes twice begins with the first.
 */
export function startsOf({ rule, startsAt, timeZone }: Recurring): Starts {
  const local = Temporal.Instant.fromEpochMilliseconds(startsAt)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime();
  const expanded = new RRuleTemporal({
    rruleString: onTheWall(rule, timeZone),
    dtstart: local.toZonedDateTime("UTC"),
    maxIterations: MAX_TURNS,
  });
  // A day either way is more than any zone is away from UTC.
  const around = (at: number, days: number) => new Date(at + days * 86_400_000);
  const inZone = (time: Temporal.ZonedDateTime): number =>
    time.toPlainDateTime().toZonedDateTime(timeZone).epochMilliseconds;
  const between = (from: number, to: number): number[] => {
    const times = expanded.between(around(from, -1), around(to, 1), true).map(inZone);
    // Two times of the hour that is left out come to the same.
    return [...new Set(times)].filter((at) => at >= Math.max(from, startsAt) && at < to);
  };
  return {
    between,
    next(from) {
      const begin = Math.max(from, startsAt);
      for (const years of [0.1, 1, 8, SEARCHED_YEARS]) {
        const [first] = between(begin, begin + years * YEAR_MS);
        if (first !== undefined) return first;
      }
      return null;
    },
  };
}

/** The rule with its end as the zone's clock shows it then. */
const onTheWall = (rule: string, timeZone: string): string =>
  rule.replace(/UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?/, (_, y, mo, d, h, mi, s, z) => {
    const day = `${y}-${mo}-${d}`;
    const time = h === undefined ? "23:59:59" : `${h}:${mi}:${s}`;
    const end =
      z === "Z"
        ? Temporal.Instant.from(`${day}T${time}Z`).toZonedDateTimeISO(timeZone).toPlainDateTime()
        : Temporal.PlainDateTime.from(`${day}T${time}`);
    return `UNTIL=${end.toString({ smallestUnit: "second" }).replaceAll(/[-:]/g, "")}Z`;
  });

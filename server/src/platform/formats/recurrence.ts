import { type MessageDescriptor, msg } from "../i18n/message.ts";
import { followRule, type Rule } from "./follow-rule.ts";

const DAYS = "(?:MO|TU|WE|TH|FR|SA|SU)";
const DAY_MS = 86_400_000;
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

function partsOf(rule: string): Map<string, string> | null {
  const parts = rule.split(";").map((part) => part.split("="));
  const map = new Map(parts.map(([name = "", value = ""]) => [name, value]));
  const isKnown = parts.every(
    ([name = "", value = "", ...more]) =>
      more.length === 0 && Object.hasOwn(PARTS, name) && PARTS[name]?.test(value),
  );
  return isKnown && map.size === parts.length && map.has("FREQ") ? map : null;
}

/** Whether "the second Monday" is said of months and years only (RFC 5545 §3.3.10). */
const isAllowed = (parts: ReadonlyMap<string, string>): boolean =>
  !/\d/.test(parts.get("BYDAY") ?? "") || ["MONTHLY", "YEARLY"].includes(parts.get("FREQ") ?? "");

/** Whether its UNTIL, if it has one, is a day that there is, and a time of it. */
function endsAtSomeTime(rule: string): boolean {
  try {
    untilOnTheWall(rule, "UTC");
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
export function recurrenceProblem(text: string): MessageDescriptor | null {
  const rule = cleanRecurrence(text);
  const parts = partsOf(rule);
  if (parts === null || !isAllowed(parts) || !endsAtSomeTime(rule)) return msg("maintenance.rule");
  if (parts.has("COUNT") && parts.has("UNTIL")) return msg("maintenance.rule_ends");
  const begin = Date.UTC(2024, 0, 1);
  // Which months every third one hits depends on the start, which is not known here; and the end on what comes before it.
  const bare = rule.replace(/;?(?:COUNT|UNTIL|INTERVAL)=[^;]*/g, "").replace(/^;/, "");
  const first = startsOf({ rule: bare, startsAt: begin, timeZone: "UTC" }).next(begin);
  return first === null ? msg("maintenance.rule_never") : null;
}

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

export interface Starts {
  /** Those from `from` on, in order; what is not read is not searched for. */
  from(from: number): Iterable<number>;
  /** Those from `from` on and before `to`, in order. */
  between(from: number, to: number): number[];
  /** The first at `from` or later; null: there is none within 41 years. */
  next(from: number): number | null;
}

/**
 * Followed on the wall clock, each time then found in the zone: an occurrence keeps its hour over summer
 * time, begins after a skipped hour, and with the first of a doubled one.
 */
export function startsOf({ rule, startsAt, timeZone }: Recurring): Starts {
  const read = readRule(rule, timeZone);
  const startMs = wallOf(Temporal.Instant.fromEpochMilliseconds(startsAt).toZonedDateTimeISO(timeZone));
  function* from(at: number): Generator<number> {
    const begin = Math.max(at, startsAt);
    let last = Number.NEGATIVE_INFINITY;
    // A day is more than any zone is away from UTC.
    for (const wall of followRule(read, startMs, begin - DAY_MS)) {
      const time = inZone(wall, timeZone);
      // Two times of the hour that is left out come to the same.
      if (time >= begin && time > last) yield time;
      last = Math.max(last, time);
    }
  }
  return {
    from,
    between(begin, to) {
      const found: number[] = [];
      for (const time of from(begin)) {
        if (time >= to) break;
        found.push(time);
      }
      return found;
    },
    next(begin) {
      for (const time of from(begin)) return time;
      return null;
    },
  };
}

/** Milliseconds on the clock on the wall, as if that were UTC. */
const wallOf = (time: Temporal.ZonedDateTime): number =>
  time.epochMilliseconds + time.offsetNanoseconds / 1e6;

const inZone = (wall: number, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(wall)
    .toZonedDateTimeISO("UTC")
    .toPlainDateTime()
    .toZonedDateTime(timeZone).epochMilliseconds;

const WEEK = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** A rule that has been checked. Throws RangeError for an UNTIL that is no time. */
function readRule(text: string, timeZone: string): Rule {
  const parts = partsOf(text) ?? new Map<string, string>();
  const listOf = (name: string) => parts.get(name)?.split(",") ?? [];
  const numbersOf = (name: string) => [...new Set(listOf(name).map(Number))];
  const weekdays = [...new Set(listOf("BYDAY"))].map((one) => ({
    weekday: WEEK.indexOf(one.slice(-2)),
    nth: Number(one.slice(0, -2)),
  }));
  return {
    every: parts.get("FREQ") as Rule["every"],
    interval: Number(parts.get("INTERVAL") ?? 1),
    count: Number(parts.get("COUNT") ?? Number.POSITIVE_INFINITY),
    untilMs: untilOnTheWall(text, timeZone) ?? Number.POSITIVE_INFINITY,
    weekdays,
    monthDays: new Set(numbersOf("BYMONTHDAY")),
    months: new Set(numbersOf("BYMONTH")),
    hours: numbersOf("BYHOUR").toSorted((one, other) => one - other),
    positions: numbersOf("BYSETPOS"),
    weekStart: WEEK.indexOf(parts.get("WKST") ?? "MO"),
  };
}

/** Until when a rule goes, as the zone's clock shows it then; null: it does not say. Throws RangeError for what is no time. */
function untilOnTheWall(rule: string, timeZone: string): number | null {
  const found = /(?:^|;)UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?/.exec(rule);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, zone] = found;
  const date = `${year}-${month}-${day}`;
  const time = hour === undefined ? "23:59:59" : `${hour}:${minute}:${second}`;
  if (zone === "Z") return wallOf(Temporal.Instant.from(`${date}T${time}Z`).toZonedDateTimeISO(timeZone));
  return wallOf(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime("UTC"));
}

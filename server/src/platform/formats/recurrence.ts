import { type MessageDescriptor, msg } from "../i18n/message.ts";

/** RFC 5545 §3.3.10. */
export interface Rule {
  every: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  interval: number;
  /** Infinite: as often as it comes. */
  count: number;
  /** The last time that may be given, on the wall; infinite: there is no end. */
  untilMs: number;
  /** BYDAY, Sunday is 0; `nth` of the month or year, from its end where negative, 0: each. */
  weekdays: readonly { weekday: number; nth: number }[];
  monthDays: ReadonlySet<number>;
  /** 1 to 12. */
  months: ReadonlySet<number>;
  hours: readonly number[];
  positions: readonly number[];
  weekStart: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A leap day on a Monday comes round within this, over 2100 too; what does not is as good as never. */
const SEARCHED_DAYS = 41 * 366;
const SEARCHED_MONTHS = 41 * 12;

/**
 * In order from `fromMs`, until the rule ends or gives nothing for 41 years. All are milliseconds on the wall
 * clock, as if that were UTC. Lazy; at most 15,000 days between two times, a few nanoseconds each.
 */
function* followRule(written: Rule, startMs: number, fromMs: number): Generator<number> {
  const rule = withDefaults(written, startMs);
  // How often it has come true already is known from its start only.
  const beginMs = rule.count < Number.POSITIVE_INFINITY ? startMs : Math.max(startMs, fromMs);
  let count = 0;
  let lastDay = dayOf(beginMs);
  for (const days of periodsOf(rule, dayOf(startMs), lastDay)) {
    if ((days[0] as number) > lastDay + SEARCHED_DAYS) return;
    for (const time of timesOf(rule, days, startMs)) {
      if (time < beginMs) continue;
      if (time > rule.untilMs || count >= rule.count) return;
      count += 1;
      lastDay = dayOf(time);
      if (time >= fromMs) yield time;
    }
  }
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;
const monthOf = (day: number): number => {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};
/** A month counts from the year 0. */
const firstOfMonth = (month: number): number =>
  Date.UTC(Math.floor(month / 12), ((month % 12) + 12) % 12, 1) / DAY_MS;
const firstOfWeek = (day: number, weekStart: number): number => day - ((weekdayOf(day) - weekStart + 7) % 7);

/** What a rule does not say, its start does. */
function withDefaults(rule: Rule, startMs: number): Rule {
  const start = new Date(startMs);
  const hours = rule.hours.length > 0 ? rule.hours : [start.getUTCHours()];
  const whole = { ...rule, hours };
  if (rule.weekdays.length > 0 || rule.monthDays.size > 0 || rule.every === "DAILY") return whole;
  if (rule.every === "WEEKLY") return { ...whole, weekdays: [{ weekday: start.getUTCDay(), nth: 0 }] };
  const monthDays = new Set([start.getUTCDate()]);
  if (rule.every === "MONTHLY" || rule.months.size > 0) return { ...whole, monthDays };
  return { ...whole, monthDays, months: new Set([start.getUTCMonth() + 1]) };
}

/** Days on which the rule comes true: a period's together where positions are counted, else each by itself. */
function* periodsOf(rule: Rule, startDay: number, fromDay: number): Generator<number[]> {
  if (rule.positions.length === 0) {
    for (const day of daysOf(rule, startDay, fromDay)) yield [day];
    return;
  }
  let days: number[] = [];
  let period: number | undefined;
  for (const day of daysOf(rule, startDay, periodStart(rule, fromDay))) {
    const own = periodStart(rule, day);
    if (own !== period && days.length > 0) {
      yield days;
      days = [];
    }
    period = own;
    days.push(day);
  }
  if (days.length > 0) yield days;
}

function periodStart({ every, weekStart }: Rule, day: number): number {
  if (every === "DAILY") return day;
  if (every === "WEEKLY") return firstOfWeek(day, weekStart);
  const month = monthOf(day);
  return firstOfMonth(every === "MONTHLY" ? month : month - (month % 12));
}

function* daysOf(rule: Rule, startDay: number, fromDay: number): Generator<number> {
  const isDue = turnsOf(rule, startDay);
  const fits = fitsBy(rule);
  let lastMonth = monthOf(fromDay);
  for (let month = lastMonth; month <= lastMonth + SEARCHED_MONTHS; month += 1) {
    if (rule.months.size > 0 && !rule.months.has((month % 12) + 1)) continue;
    const [first, end] = [firstOfMonth(month), firstOfMonth(month + 1)];
    for (let day = Math.max(first, fromDay); day < end; day += 1) {
      if (!isDue(day, month) || !fits(day, { month, first, end })) continue;
      lastMonth = month;
      yield day;
    }
  }
}

/** Whether it is a day's turn, as the interval counts from the start. */
function turnsOf({ every, interval, weekStart }: Rule, startDay: number) {
  const startMonth = monthOf(startDay);
  const startWeek = firstOfWeek(startDay, weekStart);
  const turn = {
    DAILY: (day: number) => day - startDay,
    WEEKLY: (day: number) => Math.floor((day - startWeek) / 7),
    MONTHLY: (_: number, month: number) => month - startMonth,
    YEARLY: (_: number, month: number) => Math.floor(month / 12) - Math.floor(startMonth / 12),
  }[every];
  return (day: number, month: number): boolean => turn(day, month) % interval === 0;
}

interface Month {
  month: number;
  first: number;
  /** The first day after it. */
  end: number;
}

function fitsBy({ weekdays, monthDays, every, months }: Rule) {
  const each = new Set(weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday));
  const numbered = weekdays.filter(({ nth }) => nth !== 0);
  const isOfYear = every === "YEARLY" && months.size === 0;
  const isNth = (day: number, { month, first, end }: Month): boolean => {
    const january = month - (month % 12);
    const [from, to] = isOfYear ? [firstOfMonth(january), firstOfMonth(january + 12)] : [first, end];
    const nth = Math.floor((day - from) / 7) + 1;
    const fromEnd = -Math.floor((to - 1 - day) / 7) - 1;
    return numbered.some((one) => one.weekday === weekdayOf(day) && (one.nth === nth || one.nth === fromEnd));
  };
  return (day: number, whole: Month): boolean =>
    (monthDays.size === 0 || monthDays.has(day - whole.first + 1) || monthDays.has(day - whole.end)) &&
    (weekdays.length === 0 || each.has(weekdayOf(day)) || (numbered.length > 0 && isNth(day, whole)));
}

/** In order; where positions are counted, those alone. */
function timesOf({ hours, positions }: Rule, days: readonly number[], startMs: number): number[] {
  const restMs = startMs - Math.floor(startMs / HOUR_MS) * HOUR_MS;
  const at = (day: number, hour: number) => day * DAY_MS + hour * HOUR_MS + restMs;
  if (positions.length === 0) return days.flatMap((day) => hours.map((hour) => at(day, hour)));
  const total = days.length * hours.length;
  const indexes = positions.map((one) => (one > 0 ? one - 1 : total + one));
  return [...new Set(indexes)]
    .filter((index) => index >= 0 && index < total)
    .toSorted((one, other) => one - other)
    .map((index) =>
      at(days[Math.floor(index / hours.length)] as number, hours[index % hours.length] as number),
    );
}

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

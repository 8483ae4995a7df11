import { en } from "./en.ts";
import type { Fact } from "./fact.ts";
import { type Formats, renderFact } from "./render.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

const FORMATS: Formats = {
  day: (day) => day,
  time: (time) => `${time.slice(0, 19).replace("T", " ")} UTC`,
  duration: durationInWords,
  percent: (value) => `${value}%`,
  plural: (count) => (count === 1 ? "one" : "other"),
};

/** A fact in English, with times in UTC such as `2026-11-21 09:30:00 UTC`. */
export const inEnglish = (fact: Fact): string => renderFact(en, fact, FORMATS);

/** The two largest units of a duration, e.g. `2 hours 5 minutes`. Less than a second counts as one. */
export function durationInWords(ms: number): string {
  let seconds = Math.max(1, Math.round(ms / 1000));
  const words: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    else if (words.length > 0) break;
  }
  return words.slice(0, 2).join(" ");
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What lengths of time are told in, the largest first, with milliseconds. */
export const TIME_UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
  ["second", SECOND_MS],
] as const;

export type TimeUnit = (typeof TIME_UNITS)[number][0];

/** From here on the hours beside the days say nothing. */
const ROUGH_MS = 7 * DAY_MS;

/** So many of a unit. */
interface DurationPart {
  count: number;
  unit: TimeUnit;
}

/**
 * A length of time as everybody is told it, in mails, in the app and on status pages: rounded down, below an hour in one unit
 * ("36 minutes"), from there to a week in two ("2 hours 36 minutes", "1 day 5 hours"), then in days. Nothing is shorter
 * than a second.
 */
export function durationParts(ms: number): DurationPart[] {
  const from = TIME_UNITS.findIndex(([, size]) => ms >= size);
  const [first, second] = TIME_UNITS.slice(from);
  const [unit, size] = first as (typeof TIME_UNITS)[number];
  const parts = [{ count: Math.max(1, Math.floor(ms / size)), unit }];
  if (second === undefined || ms < HOUR_MS || ms >= ROUGH_MS) return parts;
  const count = Math.floor((ms % size) / second[1]);
  return count === 0 ? parts : [...parts, { count, unit: second[0] }];
}

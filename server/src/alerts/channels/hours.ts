import { keepRecent } from "../../platform/lru-cache.ts";
import { type Hours, WEEKDAYS, type Weekday } from "./filter.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** A day's clocks are put forward or back by less. */
const SHIFT_MINUTES = 120;
const WEEK_DAYS = 7;

/** Whether messages are sent at a moment, on the clocks of that zone unless the hours have one of their own. */
export const areSentAt = (hours: Hours, at: number, zone: string): boolean =>
  isWithin(hours, at, hours.timeZone ?? zone) !== (hours.areQuiet === true);

/** Whether a moment lies between beginning and end. */
function isWithin({ days = [], from = "00:00", to = "24:00" }: Hours, at: number, zone: string): boolean {
  const { day, time } = clockIn(zone, at);
  const previous = WEEKDAYS[(WEEKDAYS.indexOf(day) + 6) % 7] as Weekday;
  if (from < to) return includes(days, day) && time >= from && time < to;
  return (includes(days, day) && time >= from) || (includes(days, previous) && time < to);
}

/** Making a format is slow, and there are few zones. */
const MAX_CLOCKS = 500;
const clocks = keepRecent<string, Intl.DateTimeFormat>(MAX_CLOCKS);

function clockIn(timeZone: string, at: number): { day: Weekday; time: string } {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const how = { weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
    clocks.set(timeZone, (clock = new Intl.DateTimeFormat("en", how)));
  }
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: (parts["weekday"] ?? "").toLowerCase() as Weekday,
    time: `${parts["hour"]}:${parts["minute"]}`,
  };
}

const includes = (days: readonly Weekday[], day: Weekday): boolean => days.length === 0 || days.includes(day);

/**
 * When messages are sent again, milliseconds, seen from a moment at which none are; to the minute, and also where the clocks
 * are changed in between. Null: never.
 */
export function nextBeginning(hours: Hours, at: number, zone: string): number | null {
  const minute = Math.floor(at / MINUTE_MS);
  const begins = hours.areQuiet ? (hours.to ?? "24:00") : (hours.from ?? "00:00");
  const ahead = minutesOf(begins) - minutesOf(clockIn(hours.timeZone ?? zone, at).time);
  for (let day = 0; day <= WEEK_DAYS + 1; day += 1) {
    const expected = minute + ahead + day * DAY_MINUTES;
    for (let shift = -SHIFT_MINUTES; shift <= SHIFT_MINUTES; shift += 1) {
      const moment = (expected + shift) * MINUTE_MS;
      if (moment > at && areSentAt(hours, moment, zone)) return moment;
    }
  }
  return null;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

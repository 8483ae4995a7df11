import type { Language } from "./languages.ts";
import type { Formats } from "./render.ts";

const MINUTE_MS = 60_000;

/**
 * How somebody who reads this language writes days, times (in that IANA zone) and durations: to the second below a minute,
 * else to the minute.
 */
export function formatsOf(language: Language, timeZone: string): Formats {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = { ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone } as const;
  const inUnit = (unit: "second" | "minute", count: number) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  return {
    day: (text) => new Intl.DateTimeFormat(language, { ...day, timeZone: "UTC" }).format(new Date(text)),
    time: (text) => new Intl.DateTimeFormat(language, time).format(new Date(text)),
    duration: (ms) => {
      const seconds = Math.max(1, Math.round(ms / 1_000));
      return seconds < 60 ? inUnit("second", seconds) : inUnit("minute", Math.round(ms / MINUTE_MS));
    },
  };
}

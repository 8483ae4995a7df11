import type { Language } from "./languages.ts";
import type { Formats } from "./render.ts";

/** How somebody who reads this language writes days, times (in that IANA zone) and durations (to the minute). */
export function formatsOf(language: Language, timeZone: string): Formats {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = { ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone } as const;
  const minutes = new Intl.NumberFormat(language, { style: "unit", unit: "minute", unitDisplay: "long" });
  return {
    day: (text) => new Intl.DateTimeFormat(language, { ...day, timeZone: "UTC" }).format(new Date(text)),
    time: (text) => new Intl.DateTimeFormat(language, time).format(new Date(text)),
    duration: (ms) => minutes.format(Math.max(1, Math.round(ms / 60_000))),
  };
}

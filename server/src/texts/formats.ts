import type { Language } from "./languages.ts";
import type { Formats } from "./render.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;
/** From here on the hours beside the days say nothing. */
const ROUGH_SECONDS = 7 * 86_400;

/**
 * How somebody who reads this language writes days, times (in that IANA zone) and durations: as the app does, "10 seconds",
 * "36 minutes", "2 hours 36 minutes", "12 days".
 */
export function formatsOf(language: Language, timeZone: string): Formats {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = { ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone } as const;
  return {
    day: (text) => new Intl.DateTimeFormat(language, { ...day, timeZone: "UTC" }).format(new Date(text)),
    time: (text) => new Intl.DateTimeFormat(language, time).format(new Date(text)),
    duration: (ms) => durationIn(language, Math.max(1, Math.floor(ms / 1_000))),
  };
}

function durationIn(language: Language, seconds: number): string {
  const from = UNITS.findIndex(([, size]) => seconds >= size);
  const isRough = seconds < 3_600 || seconds >= ROUGH_SECONDS;
  let rest = seconds;
  const words = UNITS.slice(from, from + (isRough ? 1 : 2)).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0
      ? []
      : new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  });
  // Between a number and a Chinese word stands a space, as in the app.
  return words.join(" ").replaceAll(/(\d)(?=\p{Script=Han})/gu, "$1 ");
}

/** Names one after the other, as the language enumerates: "A, B, C", "A、B、C". */
export function listed(names: readonly string[], language: Language): string {
  const [, between] = new Intl.ListFormat(language, { type: "conjunction" }).formatToParts(["A", "B", "C"]);
  return names.join(between?.value);
}

import { en } from "./en.ts";
import type { MessageDescriptor } from "./message.ts";
import { type Formats, renderMessage } from "./render.ts";

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

/** A message in English, with times in UTC such as `2026-11-21 09:30:00 UTC`. */
export const inEnglish = (message: MessageDescriptor): string => renderMessage(en, message, FORMATS);

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

import { PAGE_DAYS } from "../document/days.ts";
import type { PublicComponent } from "../document/public-page.ts";
import type { Words } from "./words.ts";

const DAY_MS = 86_400_000;

type Measured = Pick<PublicComponent, "uptime" | "measuredSince">;

/** Whether it was measured for so short a time that a percentage would say nothing. */
export const isTooShort = ({ measuredSince }: Measured, now: number): boolean =>
  measuredSince !== null && now - measuredSince < DAY_MS;

/** An uptime with the time that it is of: "99.98% uptime since Nov 22". Null: there is none. */
export function uptimeInWords(measured: Measured, words: Words, now: number): string | null {
  const { uptime, measuredSince: since } = measured;
  if (uptime === null) return null;
  const percent = words.percent(uptime);
  if (since === null) return words.say("days.uptime", { percent, count: PAGE_DAYS });
  if (isTooShort(measured, now)) return measuredInWords(since, words, now);
  return words.say("days.uptime_since", { percent, since: words.day(words.dateOf(since)) });
}

/** "Measured since 14:05". */
export function measuredInWords(since: number, words: Words, now: number): string {
  const isToday = words.dateOf(since) === words.dateOf(now);
  return words.say("days.measured", { since: isToday ? words.clock(since) : words.time(since) });
}

import {
  type StatusChange,
  type StatusTime,
  timeByStatus,
  uptimePercentage,
  worstStatus,
} from "../../engine/status/uptime.ts";
import type { PublicDay } from "./public-page.ts";
import { MEASURED_STATUS_OF } from "./rules.ts";

const MAX_OUTAGES = 10;

/** For days, uptime and incidents. */
export const PAGE_DAYS = 90;

/** In the page's zone, milliseconds; the end is exclusive. */
export interface CalendarDay {
  date: string;
  from: number;
  to: number;
}

/** Oldest first, today last. A day may have 23 or 25 hours. */
export function lastDays(now: number, timeZone: string, count: number): CalendarDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const dates = Array.from({ length: count + 1 }, (_, at) => today.add({ days: at + 1 - count }));
  const starts = dates.map((date) => date.toZonedDateTime(timeZone).epochMilliseconds);
  return starts
    .slice(0, -1)
    .map((from, at) => ({ date: String(dates[at]), from, to: starts[at + 1] as number }));
}

/** Two decimals, rounded down: 99.999 is not 100. */
const shownUptime = (percentage: number | null): number | null =>
  percentage === null ? null : Math.floor(percentage * 100 + 1e-6) / 100;

export const uptimeOverDays = (
  history: readonly StatusChange[],
  days: readonly CalendarDay[],
  now: number,
): number | null => shownUptime(uptimePercentage(history, days[0]?.from ?? now, now));

/** Where that is later than the first of the days; null otherwise. */
export function measuredSince(history: readonly StatusChange[], days: readonly CalendarDay[]): number | null {
  const first = history.find(({ status }) => status !== "unknown");
  return first && first.at > (days[0]?.from ?? first.at) ? first.at : null;
}

/** `history` begins with the state at the first day's start; it is read once. */
export function publicDays(
  history: readonly StatusChange[],
  days: readonly CalendarDay[],
  now: number,
): PublicDay[] {
  let next = 0;
  return days.map(({ date, from, to }) => {
    const until = Math.min(to, now);
    while (next < history.length && (history[next] as StatusChange).at <= from) next += 1;
    const first = Math.max(next - 1, 0);
    while (next < history.length && (history[next] as StatusChange).at < until) next += 1;
    return dayOf(date, history.slice(first, next), { from, until, isOver: to <= now });
  });
}

interface Span {
  from: number;
  until: number;
  isOver: boolean;
}

function dayOf(date: string, changes: readonly StatusChange[], span: Span): PublicDay {
  const { from, until } = span;
  const time = timeByStatus(changes, from, until);
  const known = time.upMs + time.downMs;
  return {
    date,
    status: dayStatus(changes, time, span),
    uptime: known > 0 ? shownUptime((100 * time.upMs) / known) : null,
    outages: time.downMs > 0 ? outagesIn(changes, span) : [],
  };
}

function dayStatus(
  changes: readonly StatusChange[],
  { upMs, downMs }: StatusTime,
  { from, until }: Span,
): PublicDay["status"] {
  if (upMs + downMs > 0) return MEASURED_STATUS_OF[worstStatus(changes, from, until)];
  const isMaintained = changes.some(
    ({ at, maintenance }, index) =>
      maintenance && Math.min(changes[index + 1]?.at ?? until, until) > Math.max(at, from),
  );
  return isMaintained ? "maintenance" : "no_data";
}

/** A change that leaves the monitor down, such as of the reason, ends no outage. */
function outagesIn(changes: readonly StatusChange[], { from, until, isOver }: Span): PublicDay["outages"] {
  const outages: { from: number; to: number }[] = [];
  for (const [index, { at, status, maintenance }] of changes.entries()) {
    if (status !== "down" || maintenance) continue;
    const begin = Math.max(at, from);
    const end = Math.min(changes[index + 1]?.at ?? until, until);
    if (end <= begin) continue;
    const last = outages.at(-1);
    if (last?.to === begin) last.to = end;
    else outages.push({ from: begin, to: end });
  }
  const goesOn = !isOver && outages.at(-1)?.to === until ? outages.at(-1) : undefined;
  return outages
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_OUTAGES)
    .sort((a, b) => a.from - b.from)
    .map((one) => ({ from: one.from, to: one === goesOn ? null : one.to }));
}

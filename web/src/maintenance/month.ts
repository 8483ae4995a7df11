import type { MaintenanceWindow } from "../api/maintenance.ts";
import { timeOfWall, wallTime } from "./window-draft.ts";

/** A day of the zone: `2026-11-29`. */
export type CalendarDay = string;

export interface MonthEntry {
  key: string;
  window: MaintenanceWindow;
  startsMs: number;
  endsMs: number;
  isFirstDay: boolean;
  isLastDay: boolean;
}

const dayMs = 86_400_000;
export const dayAfter = (day: CalendarDay, by: number): CalendarDay =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * dayMs).toISOString().slice(0, 10);

/** The day that it is in the zone. */
export const monthOf = (now: number, zone: string): CalendarDay => wallTime(now, zone).slice(0, 10);

/** `2026-12` and 1: `2027-01`. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** The days of the weeks that a month is in, from Monday on, and when they begin and end. */
export function weeksOf(month: string, zone: string): { days: CalendarDay[]; from: string; to: string } {
  const first = `${month}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const last = dayAfter(`${shiftMonth(month, 1)}-01`, -1);
  const length = Math.ceil((before + Number(last.slice(8))) / 7) * 7;
  const days = Array.from({ length }, (_, at) => dayAfter(first, at - before));
  const begin = (day: CalendarDay) => new Date(timeOfWall(`${day}T00:00`, zone)).toISOString();
  return { days, from: begin(days[0] ?? first), to: begin(dayAfter(days.at(-1) ?? last, 1)) };
}

/** What is planned, by day; a window of several days is on each of them. */
export function entriesByDay(
  windows: readonly MaintenanceWindow[],
  zone: string,
): ReadonlyMap<CalendarDay, MonthEntry[]> {
  const entries = windows.flatMap((window) =>
    window.occurrences.flatMap(({ startsAt, endsAt }) => {
      const startsMs = Date.parse(startsAt);
      const first = wallTime(startsMs, zone).slice(0, 10);
      const endsMs = Date.parse(endsAt);
      const last = wallTime(endsMs - 1, zone).slice(0, 10);
      const count = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
      return Array.from({ length: Math.min(count, 60) }, (_, at) => {
        const day = dayAfter(first, at);
        const key = `${window.id} ${startsAt} ${day}`;
        return { day, key, window, startsMs, endsMs, isFirstDay: at === 0, isLastDay: day === last };
      });
    }),
  );
  return Map.groupBy(
    entries.toSorted((a, b) => a.startsMs - b.startsMs),
    ({ day }) => day,
  );
}

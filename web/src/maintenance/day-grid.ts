import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type CalendarDay, dayAfter, shiftMonth } from "./month.ts";

/** The same day a month earlier or later; the last one where that month is shorter. */
function inOtherMonth(day: CalendarDay, by: number): CalendarDay {
  const month = shiftMonth(day.slice(0, 7), by);
  const last = dayAfter(`${shiftMonth(month, 1)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same > last ? last : same;
}

/** Days since Monday. */
const placeInWeek = (day: CalendarDay): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** Where a key leads from a day of a calendar (WAI-ARIA APG, grid pattern); null: nowhere. */
function dayByKey(key: string, day: CalendarDay): CalendarDay | null {
  switch (key) {
    case "ArrowLeft":
      return dayAfter(day, -1);
    case "ArrowRight":
      return dayAfter(day, 1);
    case "ArrowUp":
      return dayAfter(day, -7);
    case "ArrowDown":
      return dayAfter(day, 7);
    case "Home":
      return dayAfter(day, -placeInWeek(day));
    case "End":
      return dayAfter(day, 6 - placeInWeek(day));
    case "PageUp":
      return inOtherMonth(day, -1);
    case "PageDown":
      return inOtherMonth(day, 1);
    default:
      return null;
  }
}

interface DayGrid {
  days: readonly CalendarDay[];
  /** The month that is shown, `2026-11`. */
  shown: string;
  today: CalendarDay;
  /** Shows another month. */
  onMonth: (month: string) => void;
}

/**
 * The keyboard of a month's table: one of its days takes part in the order of Tab, arrows go from day to day and on into
 * other months, Enter goes to what is planned on a day, and Escape back.
 */
export function useDayGrid({ days, shown, today, onMonth }: DayGrid) {
  const table = useRef<HTMLTableElement>(null);
  const [chosen, setChosen] = useState<CalendarDay | null>(null);
  /** A day that gets the focus once it is there. */
  const awaited = useRef<CalendarDay | null>(null);
  const usual = today.startsWith(shown) ? today : `${shown}-01`;
  const active = chosen !== null && days.includes(chosen) ? chosen : usual;
  const cellOf = (day: CalendarDay) => table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`);
  useEffect(() => {
    if (awaited.current === null || awaited.current !== active) return;
    awaited.current = null;
    cellOf(active)?.focus();
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isInside = !(event.target instanceof HTMLElement && event.target.dataset["day"] !== undefined);
    if (isInside ? event.key === "Escape" : event.key === "Enter") {
      event.preventDefault();
      const cell = cellOf(active);
      (isInside ? cell : cell?.querySelector("a"))?.focus();
      return;
    }
    const next = dayByKey(event.key, active);
    if (next === null) return;
    event.preventDefault();
    awaited.current = next;
    setChosen(next);
    const isTurn = event.key.startsWith("Page") || !days.includes(next);
    if (isTurn) onMonth(next.slice(0, 7));
  };
  return { table, active, onKeyDown, onFocusDay: setChosen };
}

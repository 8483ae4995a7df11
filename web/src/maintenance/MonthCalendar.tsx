import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { calendarQuery, type MaintenanceWindow } from "../api/maintenance.ts";
import { Button, IconButton } from "../components/Button.tsx";
import { Section } from "../components/Card.tsx";
import { Loaded, Skeleton } from "../components/Loaded.tsx";
import { useMedia } from "../components/use-media.ts";
import { useNow } from "../components/use-now.ts";
import { currentTimeZone, formatSpan } from "../i18n/format.ts";
import {
  type CalendarDay,
  dayAfter,
  entriesByDay,
  type MonthEntry,
  monthOf,
  shiftMonth,
  weeksOf,
} from "./month.ts";
import { weekdays } from "./window-draft.ts";
import { useTitleOf, weekdayName } from "./window-words.ts";

interface MonthCalendarProps {
  /** `2026-11`; undefined: this one. */
  month: string | undefined;
  /** Undefined: this one. */
  onMonth: (month: string | undefined) => void;
}

/** A month of maintenance: a table of weeks, on a phone the days on which something is planned. */
export function MonthCalendar({ month, onMonth }: MonthCalendarProps) {
  const { t, i18n } = useTranslation("maintenance");
  const now = useNow();
  const zone = currentTimeZone();
  const today = monthOf(now, zone);
  const shown = month ?? today.slice(0, 7);
  const weeks = weeksOf(shown, zone);
  const query = useQuery(calendarQuery(weeks.from, weeks.to));
  const isWide = useMedia("(min-width: 48rem)");
  const title = new Intl.DateTimeFormat(i18n.language, { month: "long", year: "numeric", timeZone: "UTC" });
  const show = (next: string) => onMonth(next === today.slice(0, 7) ? undefined : next);
  const go = (by: number) => show(shiftMonth(shown, by));
  const steps = (
    <div className="flex items-center gap-1">
      <Button variant="quiet" className="h-8! px-3!" onClick={() => onMonth(undefined)}>
        {t("calendar.today")}
      </Button>
      <IconButton label={t("calendar.previous")} onClick={() => go(-1)}>
        <ChevronLeft aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t("calendar.next")} onClick={() => go(1)}>
        <ChevronRight aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
  return (
    <Section title={title.format(new Date(`${shown}-01T00:00:00Z`))} trailing={steps}>
      <Loaded of={query} failed={t("failed")} loading={<Skeleton className="m-4 h-64" />}>
        {(windows: MaintenanceWindow[]) => {
          const entries = entriesByDay(windows, zone);
          const view = { days: weeks.days, shown, today, entries };
          return isWide ? <MonthTable {...view} onMonth={show} /> : <Agenda {...view} />;
        }}
      </Loaded>
    </Section>
  );
}

interface ViewProps {
  days: readonly CalendarDay[];
  shown: string;
  today: string;
  entries: ReadonlyMap<string, MonthEntry[]>;
}

function MonthTable({
  days,
  shown,
  today,
  entries,
  onMonth,
}: ViewProps & { onMonth: (month: string) => void }) {
  const { t, i18n } = useTranslation("maintenance");
  const { table, active, onKeyDown, onFocusDay } = useDayGrid({ days, shown, today, onMonth });
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
  return (
    <table
      ref={table}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that keys go through is a grid
      role="grid"
      aria-label={t("view.calendar")}
      onKeyDown={onKeyDown}
      className="w-full table-fixed text-sm"
    >
      <thead className="text-xs text-ink-faint">
        <tr className="h-8">
          {weekdays.map((day) => (
            <th
              key={day}
              scope="col"
              abbr={weekdayName(day, i18n.language)}
              className="px-2 text-left font-normal"
            >
              {weekdayName(day, i18n.language, "short")}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const own = entries.get(day) ?? [];
              return (
                <td
                  key={day}
                  data-day={day}
                  tabIndex={day === active ? 0 : -1}
                  onFocus={() => onFocusDay(day)}
                  aria-current={day === today ? "date" : undefined}
                  className="h-24 border-t border-r border-line p-1.5 align-top last:border-r-0 focus-visible:-outline-offset-2"
                >
                  <DayNumber day={day} isToday={day === today} isOther={!day.startsWith(shown)} />
                  <DayEntries entries={own} tabIndex={day === active ? 0 : -1} />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayNumber({ day, isToday, isOther }: { day: string; isToday: boolean; isOther: boolean }) {
  const look = isToday
    ? "rounded-full bg-action text-on-action"
    : isOther
      ? "text-ink-faint"
      : "text-ink-muted";
  const { i18n } = useTranslation("maintenance");
  const whole = new Intl.DateTimeFormat(i18n.language, { dateStyle: "full", timeZone: "UTC" });
  return (
    <time
      dateTime={day}
      className={`inline-grid h-5 min-w-5 place-items-center px-1 text-xs tabular-nums ${look}`}
    >
      <span aria-hidden>{Number(day.slice(8))}</span>
      <span className="sr-only">{whole.format(new Date(`${day}T00:00:00Z`))}</span>
    </time>
  );
}

function Agenda({ days, shown, today, entries }: ViewProps) {
  const { t, i18n } = useTranslation("maintenance");
  const planned = days.filter((day) => day.startsWith(shown) && entries.has(day));
  if (planned.length === 0) return <p className="px-4 pb-4 text-ink-faint">{t("calendar.none")}</p>;
  const format = new Intl.DateTimeFormat(i18n.language, {
    ...{ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" },
  });
  return (
    <ul className="grid">
      {planned.map((day) => (
        <li
          key={day}
          aria-current={day === today ? "date" : undefined}
          className="group grid grid-cols-[6rem_minmax(0,1fr)] gap-2 border-t border-line px-4 py-2.5"
        >
          <time
            dateTime={day}
            className="py-1.5 text-sm text-ink-muted group-aria-[current=date]:font-medium group-aria-[current=date]:text-ink"
          >
            {format.format(new Date(`${day}T00:00:00Z`))}
          </time>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
            {entries.get(day)?.map((entry) => (
              <EntryLink key={entry.key} entry={entry} className="rounded-md px-2.5 py-1.5 text-sm" />
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What a day has room for. */
const mostShown = 3;

const focusLink = (item: HTMLElement | null): void => item?.querySelector("a")?.focus();

/** What is planned on a day, of much the first; the rest unfolds in its place, and takes the focus. */
function DayEntries({ entries, tabIndex }: { entries: readonly MonthEntry[]; tabIndex: number }) {
  const { t } = useTranslation("maintenance");
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, mostShown);
  return (
    <>
      <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {shown.map((entry, at) => (
          <li key={entry.key} ref={isWhole && at === mostShown ? focusLink : undefined}>
            <EntryLink entry={entry} tabIndex={tabIndex} className="rounded-sm px-1 py-px text-xs" />
          </li>
        ))}
      </ul>
      {entries.length > shown.length && (
        <button
          type="button"
          tabIndex={tabIndex}
          onClick={() => setWhole(true)}
          className="rounded-sm px-1 text-xs text-ink-muted underline-offset-2 hover:text-ink hover:underline"
        >
          {t("calendar.more", { count: entries.length - shown.length })}
        </button>
      )}
    </>
  );
}

interface EntryLinkProps {
  entry: MonthEntry;
  tabIndex?: number;
  className: string;
}

/** A window on a day, with the hours that it is open then. */
function EntryLink({ entry, tabIndex, className }: EntryLinkProps) {
  const { i18n } = useTranslation("maintenance");
  const { window, startsMs, endsMs } = entry;
  const times = useTimesOnDay()(entry);
  const title = useTitleOf()(window);
  return (
    <Link
      to="/maintenance/$id"
      params={{ id: String(window.id) }}
      title={`${formatSpan(startsMs, endsMs, useNow(), i18n.language)} ${title}`}
      tabIndex={tabIndex}
      className={`flex flex-wrap gap-x-1.5 bg-hover text-ink hover:bg-line ${className}`}
    >
      {times && <span className="text-ink-muted tabular-nums">{times}</span>}
      <span dir="auto" className="min-w-0 wrap-anywhere in-[td]:truncate">
        {title}
      </span>
    </Link>
  );
}

/** When a window is open on a day: from when until when, as far as it begins or ends on it. */
function useTimesOnDay(): (entry: MonthEntry) => string | null {
  const { t, i18n } = useTranslation("maintenance");
  const { language } = i18n;
  return ({ startsMs, endsMs, isFirstDay, isLastDay }) => {
    if (isFirstDay && isLastDay) return hoursInWords(startsMs, endsMs, language);
    if (isFirstDay) return t("calendar.from", { time: clockWords(startsMs, language) });
    return isLastDay ? t("calendar.until", { time: clockWords(endsMs, language) }) : null;
  };
}

/** The time alone, where the day is beside it: "09:31". */
const clockWords = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, {
    ...{ hour: "2-digit", minute: "2-digit", timeZone: currentTimeZone() },
  }).format(at);

/** A span within a day: "09:31–10:15". Intl would name both days of one that ends at midnight. */
export const hoursInWords = (fromMs: number, toMs: number, language: string): string =>
  [fromMs, toMs].map((at) => clockWords(at, language)).join("–");

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
 * One day takes part in the order of Tab, arrows go from day to day and month to month, Enter to what is
 * planned on it, Escape back.
 */
function useDayGrid({ days, shown, today, onMonth }: DayGrid) {
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

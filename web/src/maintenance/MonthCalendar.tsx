import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { calendarQuery, type MaintenanceWindow } from "../api/maintenance.ts";
import { Button, IconButton } from "../components/Button.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { Section } from "../components/Section.tsx";
import { Skeleton } from "../components/Skeleton.tsx";
import { useMedia } from "../components/use-media.ts";
import { useNow } from "../components/use-now.ts";
import { currentTimeZone } from "../i18n/format.ts";
import { DayEntries, EntryLink } from "./DayEntries.tsx";
import { useDayGrid } from "./day-grid.ts";
import { type CalendarDay, entriesByDay, type MonthEntry, monthOf, shiftMonth, weeksOf } from "./month.ts";
import { weekdays } from "./window-draft.ts";
import { weekdayName } from "./window-words.ts";

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
    <Section title={title.format(new Date(`${shown}-01T00:00:00Z`))} aside={steps}>
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

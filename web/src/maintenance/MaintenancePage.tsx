import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type MaintenanceWindow, windowsQuery } from "../api/maintenance.ts";
import { useMayWrite } from "../api/roles.ts";
import { ButtonLink } from "../components/Button.tsx";
import { Card } from "../components/Card.tsx";
import { EmptyState, Loaded } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { useNow } from "../components/use-now.ts";
import { currentTimeZone, formatClock, formatDateTime, formatSpan } from "../i18n/format.ts";
import { FilterButtons } from "../list/FilterButtons.tsx";
import type english from "./en.json";
import { MonthCalendar } from "./MonthCalendar.tsx";
import { type MaintenanceView, maintenanceViews } from "./views.ts";
import { DeleteWindowDialog, WindowMenu } from "./WindowActions.tsx";
import { wallTime } from "./window-draft.ts";
import { useTitleOf, useWindowWords } from "./window-words.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    maintenance: typeof english;
  }
}

export function MaintenancePage() {
  const { t } = useTranslation("maintenance");
  usePageTitle(t("title"));
  const mayWrite = useMayWrite();
  const { view = "planned", month } = useSearch({ from: "/app/maintenance" });
  const navigate = useNavigate();
  const look = (next: { view?: MaintenanceView; month?: string }) =>
    void navigate({ to: "/maintenance", search: next, resetScroll: false });
  return (
    <>
      <PageBar heading title={t("title")}>
        {mayWrite && (
          <ButtonLink to="/maintenance/new">
            <Plus aria-hidden className="-ml-0.5 size-4" />
            {t("plan")}
          </ButtonLink>
        )}
      </PageBar>
      <FilterButtons
        label={t("view.label")}
        names={maintenanceViews}
        chosen={view}
        onChoose={(name) => look(name === "planned" ? {} : { view: name })}
        className="mb-3"
      >
        {(name) => t(`view.${name}`)}
      </FilterButtons>
      {view === "calendar" ? (
        <MonthCalendar month={month} onMonth={(next) => look({ view, ...(next && { month: next }) })} />
      ) : (
        <Windows isPast={view === "past"} />
      )}
    </>
  );
}

function Windows({ isPast }: { isPast: boolean }) {
  const { t } = useTranslation("maintenance");
  const query = useQuery(windowsQuery(isPast));
  return (
    <Card>
      <Loaded
        of={query}
        failed={t("failed")}
        loading={<WindowList windows={undefined} />}
        empty={
          <EmptyState
            icon={<CalendarClock aria-hidden className="size-7" strokeWidth={1.25} />}
            title={t(isPast ? "empty.past" : "empty.title")}
            text={t("empty.text")}
          />
        }
      >
        {(windows) => <WindowList windows={windows} />}
      </Loaded>
    </Card>
  );
}

function WindowList({ windows }: { windows: MaintenanceWindow[] | undefined }) {
  const { t } = useTranslation("maintenance");
  const mayWrite = useMayWrite();
  const [deleting, setDeleting] = useState<MaintenanceWindow | null>(null);
  const columns: Column<MaintenanceWindow>[] = [
    { id: "name", head: t("column.name"), cell: (window) => <WindowName window={window} />, names: true },
    { id: "when", head: t("column.when"), cell: (window) => <WindowTimes window={window} />, wide: true },
  ];
  if (mayWrite) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("column.actions")}</span>,
      cell: (window) => (
        <WindowMenu window={window} onDelete={() => setDeleting(window)} className="-my-1.5 -mr-2" />
      ),
      align: "end",
      width: "w-16",
    });
  }
  return (
    <>
      <Table
        columns={columns}
        rows={windows}
        keyOf={({ id }) => id}
        note={(window) => <WindowTimes window={window} />}
      />
      {deleting && <DeleteWindowDialog window={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}

function WindowName({ window }: { window: MaintenanceWindow }) {
  const { scopeWords } = useWindowWords();
  const title = useTitleOf()(window);
  return (
    <>
      <Link
        to="/maintenance/$id"
        params={{ id: String(window.id) }}
        className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
      >
        {title}
      </Link>
      <div className="truncate text-xs font-normal text-ink-faint">{scopeWords(window)}</div>
    </>
  );
}

/** "Open until 14:00", or the next time; and how often. */
function WindowTimes({ window }: { window: MaintenanceWindow }) {
  const { t, i18n } = useTranslation("maintenance");
  const { scheduleWords } = useWindowWords();
  const now = useNow();
  const { openUntil, nextAt, startsAt, duration } = window;
  const nextMs = Date.parse(nextAt ?? startsAt);
  const span = formatSpan(nextMs, nextMs + duration * 1000, now, i18n.language);
  const zoned = useZonedSpan(window, nextMs);
  const until = openUntil && formatClock(Date.parse(openUntil), now, i18n.language);
  return (
    <>
      <div
        title={formatDateTime(openUntil ?? nextAt ?? startsAt, i18n.language)}
        className={`tabular-nums ${openUntil ? "font-medium text-ink" : "text-ink-muted"}`}
      >
        {until ? t("openUntil", { time: until }) : span}
      </div>
      <div className="text-xs wrap-anywhere text-ink-faint">{scheduleWords(window)}</div>
      {zoned && <div className="text-xs wrap-anywhere text-ink-faint tabular-nums">{zoned}</div>}
    </>
  );
}

/** The same by the clocks of the window's own zone, which its days are of; null where the reader's show the same. */
function useZonedSpan({ timeZone, duration }: MaintenanceWindow, fromMs: number): string | null {
  const { t, i18n } = useTranslation("maintenance");
  if (wallTime(fromMs, timeZone) === wallTime(fromMs, currentTimeZone())) return null;
  const format = new Intl.DateTimeFormat(i18n.language, {
    ...{ timeZone, weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  });
  const span = format.formatRange(fromMs, fromMs + duration * 1000);
  return t("zoned", { span, zone: timeZone.replaceAll("_", " ") });
}

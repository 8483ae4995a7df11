import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarClock, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { windowsQuery } from "../api/maintenance.ts";
import { useMayWrite } from "../api/roles.ts";
import { ButtonLink } from "../components/ButtonLink.tsx";
import { Card } from "../components/Card.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { usePageTitle } from "../components/use-page-title.ts";
import { FilterButtons } from "../list/FilterButtons.tsx";
import type english from "./en.json";
import { MonthCalendar } from "./MonthCalendar.tsx";
import { type MaintenanceView, maintenanceViews } from "./views.ts";
import { WindowList } from "./WindowList.tsx";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    maintenance: typeof english;
  }
}

/** When monitors are worked on: what is planned, as a calendar, and what is over. */
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

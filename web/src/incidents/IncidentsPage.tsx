import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck, SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { troubleCountsQuery } from "../api/figures.ts";
import {
  type IncidentsRead,
  type IncidentView,
  incidentPageQuery,
  readIncidents,
  usualSort,
} from "../api/incident-list.ts";
import { type Incident } from "../api/incidents.ts";
import { useMayWrite } from "../api/roles.ts";
import { Button } from "../components/Button.tsx";
import { Card } from "../components/Card.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { useDebounced } from "../components/use-debounced.ts";
import { usePageTitle } from "../components/use-page-title.ts";
import { DataList } from "../list/DataList.tsx";
import type { ListPage } from "../list/descriptor.ts";
import { ListSkeleton } from "../list/ListSkeleton.tsx";
import { type Stretch, useListRows } from "../list/use-list-rows.ts";
import { useSelection } from "../list/use-selection.ts";
import { AcknowledgeBar } from "./AcknowledgeBar.tsx";
import type english from "./en.json";
import { IncidentFilters } from "./IncidentFilters.tsx";
import type { IncidentSearch } from "./incident-search.ts";
import { ReportDialog } from "./ReportDialog.tsx";
import { useIncidentList } from "./use-incident-list.tsx";
import { useResolving } from "./use-resolving.tsx";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    incidents: typeof english;
  }
}

/** As fast as anybody types, and no request for every letter of it. */
const typingMs = 120;
const noStretch: Stretch = { first: 0, last: 0 };
const nothing = () => {};

const rowsOf = ({ incidents, total }: IncidentsRead): ListPage<Incident> => ({ items: incidents, total });
const pageQuery = (view: IncidentView, page: number) => ({
  ...incidentPageQuery(view, page),
  select: rowsOf,
});

/** The view that the address names; the same object while it names the same. */
function useView(): IncidentView {
  const {
    which = "active",
    q = "",
    severity,
    monitor,
    sort = usualSort,
  } = useSearch({ from: "/app/incidents" });
  const search = useDebounced(q.trim(), typingMs);
  return useMemo(
    () => ({ filter: which, search, severity, monitor, sort }),
    [which, search, severity, monitor, sort],
  );
}

/** What went wrong, what of it goes on, and who is at it. */
export function IncidentsPage() {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const { data: trouble } = useQuery(troubleCountsQuery);
  const open = trouble?.incidents ?? 0;
  usePageTitle(open > 0 ? t("pageTitleOpen", { count: open }) : t("title"));
  const [isReporting, setReporting] = useState(false);
  return (
    <>
      <PageBar heading title={t("title")}>
        {mayWrite && (
          <Button data-report variant="quiet" onClick={() => setReporting(true)}>
            {t("action.report")}
          </Button>
        )}
      </PageBar>
      <Incidents />
      {isReporting && <ReportDialog onClose={() => setReporting(false)} />}
    </>
  );
}

function Incidents() {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const shown = useSearch({ from: "/app/incidents" });
  const client = useQueryClient();
  const [inSight, setInSight] = useState(noStretch);
  const rows = useListRows(pageQuery, useView(), inSight);
  const readStretch = useCallback(
    (view: IncidentView, from: number, to: number) => readIncidents(client, view, from, to),
    [client],
  );
  const selection = useSelection(rows.view, readStretch);
  const { resolve, question } = useResolving();
  const list = useIncidentList(resolve);
  const navigate = useNavigate();
  const look = (next: IncidentSearch, isTyped = false) =>
    void navigate({
      to: "/incidents",
      search: { ...shown, ...next },
      replace: isTyped,
      resetScroll: false,
    });
  const sortBy = (sort: string) =>
    look({ sort: sort === usualSort ? undefined : (sort as IncidentView["sort"]) });
  const lookAtAll = () => look({ which: "all", q: undefined, severity: undefined, monitor: undefined });
  return (
    <>
      <IncidentFilters shown={shown} onShow={look} />
      <Loaded of={rows.total} failed={t("failed")} loading={<ListSkeleton list={list} />}>
        {(total) =>
          total > 0 ? (
            <DataList
              list={list}
              sort={rows.view.sort}
              total={total}
              itemAt={rows.itemAt}
              onSight={setInSight}
              onAttention={nothing}
              onUpdate={undefined}
              onSort={sortBy}
              {...(mayWrite && { selection })}
            />
          ) : (
            <Nothing view={rows.view} onClear={lookAtAll} />
          )
        }
      </Loaded>
      {mayWrite && <AcknowledgeBar selection={selection} itemAt={rows.itemAt} />}
      {question}
    </>
  );
}

/** Good news where nothing is open, and a way on where nothing was found. */
function Nothing({ view, onClear }: { view: IncidentView; onClear: () => void }) {
  const { t } = useTranslation("incidents");
  const { filter, search, severity, monitor } = view;
  if (search === "" && !severity && !monitor && filter !== "resolved") {
    const words = {
      active: { title: t("none.title"), text: t("none.text") },
      waiting: { title: t("none.waiting"), text: t("none.waitingText") },
      all: { title: t("none.title"), text: t("noneAtAll") },
    }[filter];
    return (
      <Card>
        <EmptyState icon={<CircleCheck aria-hidden className="size-6" strokeWidth={1.5} />} {...words} />
      </Card>
    );
  }
  return (
    <Card>
      <EmptyState
        icon={<SearchX aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("nothingFits.title")}
        text={t("nothingFits.text")}
      >
        <Button variant="quiet" onClick={onClear}>
          {t("nothingFits.clear")}
        </Button>
      </EmptyState>
    </Card>
  );
}

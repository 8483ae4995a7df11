import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck, Search, SearchX } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { troubleCountsQuery } from "../../api/figures.ts";
import {
  type Incident,
  type IncidentFilter,
  type IncidentsRead,
  type IncidentView,
  incidentFilters,
  incidentPageQuery,
} from "../../api/incidents.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { PageBar } from "../../components/frame/PageBar.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { DataList } from "../../list/DataList.tsx";
import type { ListPage } from "../../list/descriptor.ts";
import { ListSkeleton } from "../../list/ListSkeleton.tsx";
import { type Stretch, useListRows } from "../../list/use-list-rows.ts";
import type english from "./en.json";
import { ReportDialog } from "./ReportDialog.tsx";
import { useIncidentList } from "./use-incident-list.tsx";
import { useResolving } from "./use-resolving.tsx";

declare module "../../i18n/texts.ts" {
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

/** What went wrong, what of it goes on, and who is at it. */
export function IncidentsPage() {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const { data: trouble } = useQuery(troubleCountsQuery);
  const open = trouble?.incidents ?? 0;
  usePageTitle(open > 0 ? t("pageTitleOpen", { count: open }) : t("title"));
  const { which = "active", q = "" } = useSearch({ from: "/app/incidents" });
  const search = useDebounced(q.trim(), typingMs);
  const view = useMemo((): IncidentView => ({ filter: which, search }), [which, search]);
  const [inSight, setInSight] = useState(noStretch);
  const [isReporting, setReporting] = useState(false);
  const rows = useListRows(pageQuery, view, inSight);
  const { resolve, question } = useResolving();
  const list = useIncidentList(resolve);
  const navigate = useNavigate();
  const look = (next: IncidentView, replace = false) => {
    const search = {
      ...(next.filter !== "active" && { which: next.filter }),
      ...(next.search !== "" && { q: next.search }),
    };
    void navigate({ to: "/incidents", search, replace, resetScroll: false });
  };
  return (
    <>
      <PageBar heading title={t("title")}>
        {mayWrite && (
          <Button data-report variant="quiet" onClick={() => setReporting(true)}>
            {t("action.report")}
          </Button>
        )}
      </PageBar>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Filters filter={which} onFilter={(filter) => look({ filter, search: q })} />
        <SearchBox search={q} onSearch={(typed) => look({ filter: which, search: typed }, true)} />
      </div>
      <Loaded of={rows.total} failed={t("failed")} loading={<ListSkeleton list={list} />}>
        {(total) =>
          total > 0 ? (
            <DataList
              list={list}
              sort=""
              total={total}
              itemAt={rows.itemAt}
              onSight={setInSight}
              onAttention={nothing}
              onUpdate={undefined}
              onSort={nothing}
            />
          ) : (
            <Nothing view={rows.view} onClear={() => look({ filter: "all", search: "" })} />
          )
        }
      </Loaded>
      {isReporting && <ReportDialog onClose={() => setReporting(false)} />}
      {question}
    </>
  );
}

function Filters({
  filter,
  onFilter,
}: {
  filter: IncidentFilter;
  onFilter: (filter: IncidentFilter) => void;
}) {
  const { t } = useTranslation("incidents");
  return (
    <div role="group" aria-label={t("filter.label")} className="-mx-1 flex min-w-0 flex-1 gap-0.5 px-1 py-1">
      {incidentFilters.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === filter}
          onClick={() => onFilter(name)}
          className="h-8 shrink-0 rounded-md px-2.5 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
        >
          {t(`filter.${name}`)}
        </button>
      ))}
    </div>
  );
}

function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const { t } = useTranslation("incidents");
  return (
    <div className="relative w-full sm:w-68">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        value={search}
        maxLength={255}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onSearch("")}
        className="control appearance-none pl-9"
      />
    </div>
  );
}

/** Good news where nothing is open, and a way on where nothing was found. */
function Nothing({ view: { filter, search }, onClear }: { view: IncidentView; onClear: () => void }) {
  const { t } = useTranslation("incidents");
  if (search === "" && filter !== "resolved") {
    return (
      <Card>
        <EmptyState
          icon={<CircleCheck aria-hidden className="size-6" strokeWidth={1.5} />}
          title={t("none.title")}
          text={filter === "all" ? t("noneAtAll") : t("none.text")}
        />
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

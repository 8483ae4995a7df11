import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Download, SearchX, Upload, Wrench } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { holdOrder, withoutHold } from "../api/held-order.ts";
import { listKeys } from "../api/monitor-keys.ts";
import {
  type Monitor,
  type MonitorPage,
  type MonitorView,
  monitorPageQuery,
  readMonitors,
  statsQuery,
} from "../api/monitor-list.ts";
import { useMayWrite } from "../api/roles.ts";
import { Button } from "../components/Button.tsx";
import { Card } from "../components/Card.tsx";
import { type Reading, together } from "../components/chart-data.ts";
import { EmptyState, Loaded, Skeleton } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { StatusDot } from "../components/StatusDot.tsx";
import { useDebounced } from "../components/use-now.ts";
import { formatCount } from "../i18n/format.ts";
import type { MonitorKind } from "../kinds.ts";
import { DataList } from "../list/DataList.tsx";
import type { ListPage } from "../list/descriptor.ts";
import { FilterButtons } from "../list/FilterButtons.tsx";
import { ListFilters, SearchBox } from "../list/ListFilters.tsx";
import { ListSkeleton } from "../list/ListRow.tsx";
import { type RowRange, useListRows } from "../list/use-list-rows.ts";
import { useSelection } from "../list/use-selection.ts";
import { apiPaths } from "../paths.ts";
import { KindProvider, type ListOfKind, useKindTexts, useMonitorTexts } from "./descriptor.ts";
import { DeleteMonitorDialog } from "./detail/MonitorActions.tsx";
import type english from "./en.json";
import { MonitorBulkBar } from "./list/MonitorBulkBar.tsx";
import { ShownTag } from "./list/TagChips.tsx";
import { useMonitorList } from "./list/use-monitor-list.tsx";
import { countsOf, type Filter, filters } from "./monitor-view.ts";
import { NothingWatched } from "./NothingWatched.tsx";
import type { ListSearch } from "./search.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    monitors: typeof english;
  }
}

export function MonitorsPage({ list }: { list: ListOfKind }) {
  return (
    <KindProvider value={list.kind}>
      <Page list={list} />
    </KindProvider>
  );
}

function Page({ list }: { list: ListOfKind }) {
  const t = useKindTexts();
  const mayWrite = useMayWrite();
  const { reading, total } = useCounts(list.kind);
  const counts = reading.data;
  const down = counts?.down ?? 0;
  const files = list.hasFiles !== false && <FileLinks />;
  usePageTitle(down > 0 ? t("pageTitleDown", { count: down }) : t("title"));
  if (total === 0) {
    return (
      <>
        <PageBar title={t("title")}>{files}</PageBar>
        <NothingWatched title={t("title")} add={mayWrite && list.add(true)} />
      </>
    );
  }
  return (
    <>
      <PageBar heading title={t("title")}>
        {files}
      </PageBar>
      <div className="mb-5 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div>
          {counts && <MonitorSummary counts={counts} />}
          {counts === undefined && !reading.error && (
            <p className="flex h-5.5 items-center">
              <Skeleton className="h-3.5 w-36" />
            </p>
          )}
        </div>
        {/* Not before its place is known: with nothing monitored it is elsewhere, and empty. */}
        {total === undefined ? <div className="h-16.5" /> : mayWrite && list.add(false)}
      </div>
      <Watched list={list} counts={reading} />
    </>
  );
}

function useCounts(kind: MonitorKind) {
  const stats = useQuery(statsQuery(kind));
  const counts = useMemo(() => stats.data && countsOf(stats.data), [stats.data]);
  const reading: Reading<Record<Filter, number>> = { ...stats, data: counts };
  return { reading, total: stats.data?.total };
}

/** As fast as anybody types, and no request for every letter of it. */
const typingMs = 120;
const noRows: RowRange = { first: 0, last: 0 };

/** The view that the address names; the same object while it names the same. */
function useView(): MonitorView {
  // Other lists have orders of their own by that name.
  const { show = "all", q = "", tag, sort = "status" } = useSearch({ strict: false }) as ListSearch;
  const search = useDebounced(q.trim(), typingMs);
  return useMemo(
    () => ({
      state: show === "all" || show === "maintenance" ? undefined : show,
      maintenance: show === "maintenance" || undefined,
      search,
      tag,
      sort,
    }),
    [show, search, tag, sort],
  );
}

const rowsOf = ({ monitors, ...page }: MonitorPage): ListPage<Monitor> => ({ items: monitors, ...page });

function useReading(kind: MonitorKind) {
  const client = useQueryClient();
  const pageQuery = useCallback(
    (view: MonitorView, page: number) => ({ ...monitorPageQuery(kind, view, page), select: rowsOf }),
    [kind],
  );
  const read = useCallback(
    (view: MonitorView, from: number, to: number) => readMonitors(client, kind, view, from, to),
    [client, kind],
  );
  return { pageQuery, readRange: read };
}

function Watched({ list, counts }: { list: ListOfKind; counts: Reading<Record<Filter, number>> }) {
  const k = useKindTexts();
  const { show = "all", q = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<Monitor | null>(null);
  const [inSight, setInSight] = useState(noRows);
  const { pageQuery, readRange } = useReading(list.kind);
  const rows = useListRows(pageQuery, useView(), inSight);
  const selection = useSelection(rows.view, readRange);
  const [isAtWork, setAtWork] = useState(false);
  const sortAgain = useHeldOrder(list.kind, rows, isAtWork || selection.chosen.size > 0);
  const shown = useMonitorList(list, setDeleting);
  const mayWrite = useMayWrite();
  const client = useQueryClient();
  /** While the reader types, the address changes in place; every other choice is an entry of the history. */
  const search = (next: ListSearch, isTyped = false) => {
    // An explicit choice of a view reads it anew, even if it was cached a moment ago.
    void client.invalidateQueries({ queryKey: listKeys.pages(list.kind.id), refetchType: "none" });
    void navigate({ to: ".", search: (was) => ({ ...was, ...next }), replace: isTyped, resetScroll: false });
  };
  const skeleton = (
    <>
      <MonitorFiltersSkeleton />
      <ListSkeleton list={shown} />
    </>
  );
  return (
    <Loaded of={together({ counts, total: rows.total })} failed={k("failed")} loading={skeleton}>
      {({ counts, total }) => (
        <>
          <MonitorFilters
            counts={counts}
            filter={show}
            search={q}
            onFilter={(next) => search({ show: next === "all" ? undefined : next })}
            onSearch={(next) => search({ q: next || undefined }, true)}
          />
          {total > 0 ? (
            <DataList
              list={shown}
              sort={rows.view.sort}
              total={total}
              itemAt={rows.itemAt}
              onSight={setInSight}
              onAttention={setAtWork}
              onUpdate={rows.isReordered ? sortAgain : undefined}
              onSort={(sort) =>
                search({ sort: sort === "status" ? undefined : (sort as MonitorView["sort"]) })
              }
              {...(mayWrite && { selection })}
            />
          ) : (
            <NothingFits onClear={() => search({ show: undefined, q: undefined, tag: undefined })} />
          )}
          <MonitorBulkBar chosen={selection.chosen} onClear={selection.clear} onKeep={selection.keep} />
          {deleting && <DeleteMonitorDialog monitor={deleting} onDone={() => setDeleting(null)} />}
        </>
      )}
    </Loaded>
  );
}

function NothingFits({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation("monitors");
  const k = useKindTexts();
  return (
    <Card>
      <EmptyState
        icon={<SearchX aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("filter.none")}
        text={k("nothingFits")}
      >
        <Button variant="quiet" onClick={onClear}>
          {t("filter.clear")}
        </Button>
      </EmptyState>
    </Card>
  );
}

/** What most needs to be known, in one sentence; the filters beside it have the other counts. */
function MonitorSummary({ counts }: { counts: Record<Filter, number> }) {
  const t = useKindTexts();
  const worst = (["down", "degraded", "unknown", "up"] as const).find((name) => counts[name] > 0);
  const ink = worst === "down" ? "text-down-ink" : worst === "degraded" ? "text-warn-ink" : "text-ink-muted";
  const sentence = worst === "up" && counts.paused > 0 ? "upOthersPaused" : worst;
  return (
    <p className={ink}>
      {worst && sentence ? t(`summary.${sentence}`, { count: counts[worst] }) : t("summary.paused")}
    </p>
  );
}

const look =
  "inline-flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink max-md:size-9 max-md:justify-center";

/** Monitors from a file, and all of them into one. A phone shows pictures. */
function FileLinks() {
  const { t } = useTranslation("monitors");
  return (
    <>
      {useMayWrite() && (
        <Link to="/import" className={look}>
          <Upload aria-hidden className="size-4" />
          <span className="max-md:sr-only">{t("file.import")}</span>
        </Link>
      )}
      <a href={apiPaths.exports} download title={t("file.exportText")} className={look}>
        <Download aria-hidden className="size-4" />
        <span className="max-md:sr-only">{t("file.export")}</span>
      </a>
    </>
  );
}

interface ShownRows {
  view: MonitorView;
  isReading: boolean;
  isReordered: boolean;
}

/** While the reader works in the list; sorted again afterwards. Returns what sorts them at once. */
function useHeldOrder(
  { id: kind }: MonitorKind,
  { view, isReading, isReordered }: ShownRows,
  isAtWork: boolean,
): () => void {
  const client = useQueryClient();
  // A view that was just opened is shown as it arrives.
  const [known, setKnown] = useState<MonitorView | null>(null);
  if (!isReading && known !== view) setKnown(view);
  const isHeld = isAtWork && known === view;
  useEffect(() => {
    holdOrder(isHeld ? { kind, view } : undefined);
    return () => holdOrder(undefined);
  }, [kind, view, isHeld]);
  const sortAgain = useCallback(
    () => void withoutHold(() => client.invalidateQueries({ queryKey: listKeys.pages(kind) })),
    [client, kind],
  );
  useEffect(() => {
    if (isReordered && !isAtWork) sortAgain();
  }, [isReordered, isAtWork, sortAgain]);
  return sortAgain;
}

interface MonitorFiltersProps {
  counts: Record<Filter, number>;
  filter: Filter;
  search: string;
  onFilter: (filter: Filter) => void;
  onSearch: (search: string) => void;
}

const frame = "mb-3 flex flex-wrap items-center gap-x-4 gap-y-2";

function MonitorFiltersSkeleton() {
  return (
    <div aria-hidden className={frame}>
      <div className="flex h-10 flex-1 items-center gap-4 max-sm:hidden">
        <Skeleton className="h-3.5 w-12" />
        <Skeleton className="h-3.5 w-16" />
        <Skeleton className="h-3.5 w-14" />
      </div>
      <Skeleton className="h-9 w-full rounded-md sm:w-80" />
    </div>
  );
}

/** Counts by status that narrow the list when pressed, and the search. */
function MonitorFilters({ counts, filter, search, onFilter, onSearch }: MonitorFiltersProps) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(undefined);
  const k = useKindTexts();
  const shown = filters.filter(
    (name) => name === "all" || name === "up" || counts[name] > 0 || name === filter,
  );
  const { tag } = useSearch({ strict: false });
  const active = [filter !== "all", tag !== undefined].filter(Boolean).length;
  return (
    <ListFilters
      active={active}
      views={
        <>
          <FilterButtons
            label={t("filter.label")}
            names={shown}
            chosen={filter}
            onChoose={onFilter}
            className="flex-1"
          >
            {(name) => (
              <>
                {name === "maintenance" && <Wrench aria-hidden className="size-3.5 text-ink-faint" />}
                {name !== "all" && name !== "maintenance" && <StatusDot status={name} plain />}
                {t(`filter.${name}`)}
                <span className="font-normal text-ink-faint tabular-nums">
                  {formatCount(counts[name], i18n.language)}
                </span>
              </>
            )}
          </FilterButtons>
          <ShownTag />
        </>
      }
      search={<SearchBox label={k("search")} search={search} onSearch={onSearch} />}
    />
  );
}

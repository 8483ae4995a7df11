import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
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
import { EmptyState } from "../components/EmptyState.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { type Reading, together } from "../components/readings.ts";
import { Skeleton } from "../components/Skeleton.tsx";
import { useDebounced } from "../components/use-debounced.ts";
import { usePageTitle } from "../components/use-page-title.ts";
import type { MonitorKind } from "../kinds.ts";
import { DataList } from "../list/DataList.tsx";
import type { ListPage } from "../list/descriptor.ts";
import { ListSkeleton } from "../list/ListSkeleton.tsx";
import { type Stretch, useListRows } from "../list/use-list-rows.ts";
import { useSelection } from "../list/use-selection.ts";
import { DeleteMonitorDialog } from "./DeleteMonitorDialog.tsx";
import type { ListOfKind } from "./descriptor.ts";
import type english from "./en.json";
import { FileLinks } from "./FileLinks.tsx";
import { MonitorBulkBar } from "./list/MonitorBulkBar.tsx";
import { MonitorFilters, MonitorFiltersSkeleton } from "./list/MonitorFilters.tsx";
import { MonitorSummary } from "./list/MonitorSummary.tsx";
import { useHeldOrder } from "./list/use-held-order.ts";
import { useMonitorList } from "./list/use-monitor-list.tsx";
import type { ListSearch } from "./list-search.ts";
import { countsOf, type Filter } from "./monitor-view.ts";
import { NothingWatched } from "./NothingWatched.tsx";
import { KindProvider, useKindTexts } from "./use-kind.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    monitors: typeof english;
  }
}

/** What is watched, and what is wrong with it, at a glance. */
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
        {/* Not before it is known where it stands: with nothing watched it stands elsewhere, and empty. */}
        {total === undefined ? <div className="h-16.5" /> : mayWrite && list.add(false)}
      </div>
      <Watched list={list} counts={reading} />
    </>
  );
}

/** How many there are, in all and by their state. */
function useCounts(kind: MonitorKind) {
  const stats = useQuery(statsQuery(kind));
  const counts = useMemo(() => stats.data && countsOf(stats.data), [stats.data]);
  const reading: Reading<Record<Filter, number>> = { ...stats, data: counts };
  return { reading, total: stats.data?.total };
}

/** As fast as anybody types, and no request for every letter of it. */
const typingMs = 120;
const noStretch: Stretch = { first: 0, last: 0 };

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

/** What is read of a kind's list. */
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
  return { pageQuery, readStretch: read };
}

function Watched({ list, counts }: { list: ListOfKind; counts: Reading<Record<Filter, number>> }) {
  const k = useKindTexts();
  const { show = "all", q = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<Monitor | null>(null);
  const [inSight, setInSight] = useState(noStretch);
  const { pageQuery, readStretch } = useReading(list.kind);
  const rows = useListRows(pageQuery, useView(), inSight);
  const selection = useSelection(rows.view, readStretch);
  const [isAtWork, setAtWork] = useState(false);
  const sortAgain = useHeldOrder(list.kind, rows, isAtWork || selection.chosen.size > 0);
  const shown = useMonitorList(list, setDeleting);
  const mayWrite = useMayWrite();
  const client = useQueryClient();
  /** While somebody types, the address changes in place; every other choice can be gone back on. */
  const search = (next: ListSearch, isTyped = false) => {
    // Whoever asks for a view gets it as it is now, even if it is known from a moment ago.
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

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Monitor, type MonitorView, monitorPageQuery, statsQuery } from "../../api/monitor-list.ts";
import { useSetEnabled } from "../../api/monitors.ts";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { type Reading, together } from "../../components/readings.ts";
import { Skeleton } from "../../components/Skeleton.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import type { ListOfKind } from "../../kinds/descriptor.ts";
import { KindProvider, useKind, useKindTexts } from "../../kinds/use-kind.ts";
import { DeleteMonitorDialog } from "./DeleteMonitorDialog.tsx";
import type english from "./en.json";
import { BulkBar } from "./list/BulkBar.tsx";
import { MonitorFilters, MonitorFiltersSkeleton } from "./list/MonitorFilters.tsx";
import { MonitorList } from "./list/MonitorList.tsx";
import { MonitorListSkeleton } from "./list/MonitorListSkeleton.tsx";
import { MonitorSummary } from "./list/MonitorSummary.tsx";
import { type Stretch, useMonitorRows } from "./list/use-monitor-rows.ts";
import { useSelection } from "./list/use-selection.ts";
import { countsOf, type Filter } from "./monitor-view.ts";
import { NothingWatched } from "./NothingWatched.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    monitor: typeof english;
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
  const { reading, total } = useCounts(list);
  const counts = reading.data;
  const down = counts?.down ?? 0;
  usePageTitle(down > 0 ? t("pageTitleDown", { count: down }) : t("title"));
  if (total === 0) return <NothingWatched title={t("title")} add={list.add(true)} />;
  return (
    <>
      <div className="mb-5 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div>
          <h1 className="text-xl font-semibold">{t("title")}</h1>
          {counts && <MonitorSummary counts={counts} />}
          {counts === undefined && !reading.error && (
            <p className="flex h-5.5 items-center">
              <Skeleton className="h-3.5 w-36" />
            </p>
          )}
        </div>
        {/* Not before it is known where it stands: with nothing watched it stands elsewhere, and empty. */}
        {total === undefined ? <div className="h-16.5" /> : list.add(false)}
      </div>
      <Watched list={list} counts={reading} />
    </>
  );
}

const everything: MonitorView = { state: undefined, search: "", sort: "status" };

/** How many there are, in all and by their state; null where the API does not count them. */
function useCounts({ kind, counted }: ListOfKind) {
  const stats = useQuery({ ...statsQuery(kind), enabled: counted });
  const all = useQuery({ ...monitorPageQuery(kind, everything, 0), enabled: !counted });
  const counts = useMemo(() => stats.data && countsOf(stats.data), [stats.data]);
  const reading: Reading<Record<Filter, number> | null> = counted
    ? { ...stats, data: counts }
    : { ...all, data: all.data && null };
  return { reading, total: counted ? stats.data?.total : all.data?.total };
}

/** As fast as anybody types, and no request for every letter of it. */
const typingMs = 120;
const noStretch: Stretch = { first: 0, last: 0 };

/** The view that the address names; the same object while it names the same. */
function useView(): MonitorView {
  const { show = "all", q = "", sort = "status" } = useSearch({ strict: false });
  const search = useDebounced(q.trim(), typingMs);
  return useMemo(() => ({ state: show === "all" ? undefined : show, search, sort }), [show, search, sort]);
}

function Watched({ list, counts }: { list: ListOfKind; counts: Reading<Record<Filter, number> | null> }) {
  const k = useKindTexts();
  const { show = "all", q = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<Monitor | null>(null);
  const [inSight, setInSight] = useState(noStretch);
  const rows = useMonitorRows(useView(), inSight);
  const selection = useSelection(rows.view);
  const { mutate: setEnabled } = useSetEnabled(useKind());
  const toggle = useCallback(
    ({ id, enabled }: Monitor) => setEnabled({ id, enabled: !enabled }),
    [setEnabled],
  );
  const search = (next: { show?: typeof show; q?: string; sort?: MonitorView["sort"] }) =>
    void navigate({ to: ".", search: (was) => ({ ...was, ...next }), replace: true, resetScroll: false });
  const skeleton = (
    <>
      <MonitorFiltersSkeleton />
      <MonitorListSkeleton columns={list.columns} />
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
            onSearch={(next) => search({ q: next || undefined })}
          />
          {total > 0 ? (
            <MonitorList
              list={list}
              view={rows.view}
              total={total}
              monitorAt={rows.monitorAt}
              onSight={setInSight}
              chosen={selection.chosen}
              onChoose={selection.choose}
              onChooseAll={(on) => (on ? void selection.chooseAll(total) : selection.clear())}
              onSort={(sort) => search({ sort: sort === "status" ? undefined : sort })}
              onToggle={toggle}
              onDelete={setDeleting}
            />
          ) : (
            <NothingFits onClear={() => search({ show: undefined, q: undefined })} />
          )}
          <BulkBar chosen={selection.chosen} onClear={selection.clear} onKeep={selection.keep} />
          {deleting && <DeleteMonitorDialog monitor={deleting} onDone={() => setDeleting(null)} />}
        </>
      )}
    </Loaded>
  );
}

function NothingFits({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation("monitor");
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

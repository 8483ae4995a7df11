import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Domain, type DomainView, domainStatsQuery } from "../../api/domain-list.ts";
import { useSetEnabled } from "../../api/domains.ts";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import type english from "../../kinds/domain/en.json";
import type monitor from "../monitor/en.json";
import { AddDomainForm, AddDomainFormSkeleton } from "./AddDomainForm.tsx";
import { BulkBar } from "./BulkBar.tsx";
import { DeleteDomainDialog } from "./DeleteDomainDialog.tsx";
import { DomainFilters, DomainFiltersSkeleton } from "./DomainFilters.tsx";
import { DomainList } from "./DomainList.tsx";
import { DomainListSkeleton } from "./DomainListSkeleton.tsx";
import { DomainSummary } from "./DomainSummary.tsx";
import { countsOf, type Filter } from "./domain-view.ts";
import { NothingWatched } from "./NothingWatched.tsx";
import { type Stretch, useDomainRows } from "./use-domain-rows.ts";
import { useSelection } from "./use-selection.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    monitor: typeof monitor;
    "kinds/domain": typeof english;
  }
}

const route = getRouteApi("/app/domains");

/** What is watched, and what is wrong with it, at a glance. */
export function DomainsPage() {
  const { t } = useTranslation(["kinds/domain", "monitor"]);
  const { data: stats } = useQuery(domainStatsQuery);
  const counts = useMemo(() => stats && countsOf(stats), [stats]);
  const down = counts?.down ?? 0;
  usePageTitle(down > 0 ? t("pageTitleDown", { count: down }) : t("title"));
  if (stats?.total === 0) return <NothingWatched title={t("title")} />;
  return (
    <>
      <div className="mb-5 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div>
          <h1 className="text-xl font-semibold">{t("title")}</h1>
          {counts ? (
            <DomainSummary counts={counts} />
          ) : (
            <p className="flex h-5.5 items-center">
              <Skeleton className="h-3.5 w-36" />
            </p>
          )}
        </div>
        {/* Not before it is known where it stands: with nothing watched it stands elsewhere, and empty. */}
        {counts ? <AddDomainForm /> : <AddDomainFormSkeleton />}
      </div>
      <Watched counts={counts} />
    </>
  );
}

/** As fast as anybody types, and no request for every letter of it. */
const typingMs = 120;
const noStretch: Stretch = { first: 0, last: 0 };

/** The view that the address names; the same object while it names the same. */
function useView(): DomainView {
  const { show = "all", q = "", sort = "status" } = route.useSearch();
  const search = useDebounced(q.trim(), typingMs);
  return useMemo(() => ({ state: show === "all" ? undefined : show, search, sort }), [show, search, sort]);
}

function Watched({ counts }: { counts: Record<Filter, number> | undefined }) {
  const { show = "all", q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [deleting, setDeleting] = useState<Domain | null>(null);
  const [inSight, setInSight] = useState(noStretch);
  const rows = useDomainRows(useView(), inSight);
  const selection = useSelection(rows.view);
  const { mutate: setEnabled } = useSetEnabled();
  const toggle = useCallback(
    ({ id, enabled }: Domain) => setEnabled({ id, enabled: !enabled }),
    [setEnabled],
  );
  const search = (next: { show?: typeof show; q?: string; sort?: DomainView["sort"] }) =>
    void navigate({ search: (was) => ({ ...was, ...next }), replace: true, resetScroll: false });
  const { total } = rows;
  if (rows.error) {
    return (
      <Card>
        <ErrorState error={rows.error} busy={rows.isFetching} onRetry={() => void rows.refetch()} />
      </Card>
    );
  }
  if (total === undefined || !counts) {
    return (
      <>
        <DomainFiltersSkeleton />
        <DomainListSkeleton />
      </>
    );
  }
  return (
    <>
      <DomainFilters
        counts={counts}
        filter={show}
        search={q}
        onFilter={(next) => search({ show: next === "all" ? undefined : next })}
        onSearch={(next) => search({ q: next || undefined })}
      />
      {total > 0 ? (
        <DomainList
          view={rows.view}
          total={total}
          domainAt={rows.domainAt}
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
      {deleting && <DeleteDomainDialog domain={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}

function NothingFits({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation(["kinds/domain", "monitor"]);
  return (
    <Card>
      <EmptyState
        icon={<SearchX aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("monitor:filter.none")}
        text={t("nothingFits")}
      >
        <Button variant="quiet" onClick={onClear}>
          {t("monitor:filter.clear")}
        </Button>
      </EmptyState>
    </Card>
  );
}

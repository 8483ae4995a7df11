import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Radar, SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Domain, type DomainPage, domainsQuery, useSetEnabled } from "../api/domains.ts";
import { Button } from "../components/Button.tsx";
import { Card } from "../components/Card.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { ErrorState } from "../components/ErrorState.tsx";
import { Skeleton } from "../components/Skeleton.tsx";
import { showToast } from "../components/toasts.ts";
import { usePageTitle } from "../components/use-page-title.ts";
import { AddDomainForm } from "./domains/AddDomainForm.tsx";
import { DeleteDomainDialog } from "./domains/DeleteDomainDialog.tsx";
import { DomainFilters, DomainFiltersSkeleton } from "./domains/DomainFilters.tsx";
import { DomainList, DomainListSkeleton } from "./domains/DomainList.tsx";
import { DomainSummary } from "./domains/DomainSummary.tsx";
import { countByFilter, type Filter, narrow, sortByUrgency } from "./domains/domain-view.ts";

const route = getRouteApi("/app/domains");

/** What is watched, and what is wrong with it, at a glance. */
export function DomainsPage() {
  const { t } = useTranslation();
  const { data: page, error, isFetching, refetch } = useQuery(domainsQuery);
  const counts = useMemo(() => page && countByFilter(page.domains), [page]);
  const down = counts?.down ?? 0;
  usePageTitle(down > 0 ? t("domains.pageTitleDown", { count: down }) : t("domains.pageTitle"));
  if (page?.total === 0) return <NothingWatched />;
  return (
    <>
      <div className="mb-5 grid items-end gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div>
          <h1 className="text-xl font-semibold">{t("domains.title")}</h1>
          {page && counts ? (
            <DomainSummary counts={counts} total={page.total} />
          ) : (
            <p className="flex h-5.5 items-center">{!error && <Skeleton className="h-3.5 w-36" />}</p>
          )}
        </div>
        <AddDomainForm />
      </div>
      {page && counts && <Watched page={page} counts={counts} />}
      {!page && !error && (
        <>
          <DomainFiltersSkeleton />
          <DomainListSkeleton />
        </>
      )}
      {!page && error && (
        <Card>
          <ErrorState error={error} busy={isFetching} onRetry={() => void refetch()} />
        </Card>
      )}
    </>
  );
}

function NothingWatched() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="sr-only">{t("domains.title")}</h1>
      <div className="pt-[6dvh]">
        <EmptyState
          icon={<Radar aria-hidden className="size-8" strokeWidth={1.25} />}
          title={t("domains.empty.title")}
          text={t("domains.empty.text")}
        >
          <AddDomainForm autoFocus />
        </EmptyState>
      </div>
    </>
  );
}

function Watched({ page, counts }: { page: DomainPage; counts: Record<Filter, number> }) {
  const { i18n } = useTranslation();
  const { show = "all", q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [deleting, setDeleting] = useState<Domain | null>(null);
  const { mutate: setEnabled } = useSetEnabled();
  const toggle = useCallback(
    ({ id, enabled }: Domain) =>
      setEnabled({ id, enabled: !enabled }, { onError: (error) => showToast("error", error.message) }),
    [setEnabled],
  );
  const sorted = useMemo(() => sortByUrgency(page.domains, i18n.language), [page.domains, i18n.language]);
  const shown = useMemo(() => narrow(sorted, show, q), [sorted, show, q]);
  const search = (next: { show?: typeof show; q?: string }) =>
    void navigate({
      search: ({ show: wasShow, q: wasQ }) => ({ show: wasShow, q: wasQ, ...next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <DomainFilters
        counts={counts}
        filter={show}
        search={q}
        onFilter={(next) => search({ show: next === "all" ? undefined : next })}
        onSearch={(next) => search({ q: next || undefined })}
      />
      {shown.length > 0 ? (
        <DomainList domains={shown} onToggle={toggle} onDelete={setDeleting} />
      ) : (
        <NothingFits onClear={() => search({ show: undefined, q: undefined })} />
      )}
      {deleting && <DeleteDomainDialog domain={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}

function NothingFits({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={<SearchX aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("domains.filter.none")}
        text={t("domains.filter.noneText")}
      >
        <Button variant="quiet" onClick={onClear}>
          {t("domains.filter.clear")}
        </Button>
      </EmptyState>
    </Card>
  );
}

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
import { showToast } from "../components/toasts.ts";
import { usePageTitle } from "../components/use-page-title.ts";
import { AddDomainForm } from "./domains/AddDomainForm.tsx";
import { DeleteDomainDialog } from "./domains/DeleteDomainDialog.tsx";
import { DomainFilters } from "./domains/DomainFilters.tsx";
import { DomainList, DomainListSkeleton } from "./domains/DomainList.tsx";
import { DomainSummary } from "./domains/DomainSummary.tsx";
import { countByFilter, narrow, sortByUrgency } from "./domains/domain-view.ts";

const route = getRouteApi("/app/domains");

/** What is watched, and what is wrong with it, at a glance. */
export function DomainsPage() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(domainsQuery);
  const down = data ? countByFilter(data.domains).down : 0;
  usePageTitle(down > 0 ? t("domains.pageTitleDown", { count: down }) : t("domains.pageTitle"));
  if (data) return data.total === 0 ? <NothingWatched /> : <Watched page={data} />;
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">{t("domains.title")}</h1>
      {error ? (
        <Card>
          <ErrorState error={error} busy={isFetching} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <div className="pt-39 sm:pt-14">
          <DomainListSkeleton />
        </div>
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

function Watched({ page }: { page: DomainPage }) {
  const { t, i18n } = useTranslation();
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
  const counts = useMemo(() => countByFilter(page.domains), [page.domains]);
  const shown = useMemo(() => narrow(sorted, show, q), [sorted, show, q]);
  const search = (next: { show?: typeof show; q?: string }) =>
    void navigate({
      search: ({ show: wasShow, q: wasQ }) => ({ show: wasShow, q: wasQ, ...next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <div className="grid items-end gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div>
          <h1 className="text-xl font-semibold">{t("domains.title")}</h1>
          <DomainSummary counts={counts} total={page.total} />
        </div>
        <AddDomainForm />
      </div>
      <div className="mt-5 mb-3">
        <DomainFilters
          counts={counts}
          filter={show}
          search={q}
          onFilter={(next) => search({ show: next === "all" ? undefined : next })}
          onSearch={(next) => search({ q: next || undefined })}
        />
      </div>
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

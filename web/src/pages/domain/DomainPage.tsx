import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronLeft, Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/client.ts";
import { type DomainDetail, defaultRange, domainQuery } from "../../api/domain.ts";
import type { Domain } from "../../api/domain-list.ts";
import { listedDomains } from "../../api/domains.ts";
import { Card } from "../../components/Card.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { paths } from "../../paths.ts";
import { CertificateCard } from "./CertificateCard.tsx";
import { DomainHeader, DomainHeaderSkeleton } from "./DomainHeader.tsx";
import { LocationsCard } from "./LocationsCard.tsx";
import { ResponseCard } from "./ResponseCard.tsx";
import { ResultsCard } from "./ResultsCard.tsx";
import { UptimeCard } from "./UptimeCard.tsx";

const route = getRouteApi("/app/domains/$id");

/** One domain: what it is now, since when and why, and how it has been. */
export function DomainPage() {
  const { t } = useTranslation(["kinds/domain", "monitor", "shared"]);
  const id = Number(route.useParams().id);
  const { data: detail, error, isFetching, refetch } = useQuery(domainQuery(id));
  const client = useQueryClient();
  const listed = listedDomains(client).find((each) => each.id === id);
  const domain: Domain | undefined = detail ?? listed;
  usePageTitle(domain?.name ?? t("title"));
  const gone = error instanceof ApiError && error.status === 404;
  return (
    <>
      <Link
        to={paths.domains}
        className="-ml-1 inline-flex items-center gap-1 rounded-sm pr-1 text-sm text-ink-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-4" />
        {t("title")}
      </Link>
      {gone && <DomainGone />}
      {!gone && error && !detail && (
        <>
          {domain && <DomainHeader domain={domain} />}
          <Card className="mt-4">
            <ErrorState error={error} busy={isFetching} onRetry={() => void refetch()} />
          </Card>
        </>
      )}
      {!gone && !(error && !detail) && <Watched key={id} id={id} domain={domain} detail={detail} />}
    </>
  );
}

/** Each card asks for its own figures and stands in its final shape until they come. */
function Watched({ id, domain, detail }: { id: number; domain?: Domain; detail?: DomainDetail }) {
  const { range = defaultRange } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      {domain ? <DomainHeader domain={domain} /> : <DomainHeaderSkeleton />}
      <div className="grid gap-4">
        <UptimeCard id={id} />
        <ResponseCard
          id={id}
          range={range}
          intervalSeconds={domain?.checkInterval}
          onRange={(next) =>
            void navigate({
              search: { range: next === defaultRange ? undefined : next },
              replace: true,
              resetScroll: false,
            })
          }
        />
        <div className="grid gap-4 lg:grid-cols-2">
          <LocationsCard id={id} />
          <CertificateCard detail={detail} />
        </div>
        <ResultsCard id={id} />
      </div>
    </>
  );
}

function DomainGone() {
  const { t } = useTranslation(["kinds/domain", "monitor", "shared"]);
  return (
    <EmptyState
      icon={<Compass aria-hidden className="size-6" strokeWidth={1.5} />}
      title={t("gone.title")}
      text={t("gone.text")}
    >
      <Link to={paths.domains} className="rounded-sm font-medium underline underline-offset-4">
        {t("shared:notFound.back")}
      </Link>
    </EmptyState>
  );
}

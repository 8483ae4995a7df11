import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isGone } from "../../api/client.ts";
import { type Incident, incidentQuery, titleOf } from "../../api/incidents.ts";
import { useMayWrite } from "../../api/roles.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { PageBar } from "../../components/frame/PageBar.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { AffectedCard } from "./AffectedCard.tsx";
import { Composer } from "./Composer.tsx";
import { DevicesCard } from "./DevicesCard.tsx";
import { EvidenceCard } from "./EvidenceCard.tsx";
import { IncidentActions } from "./IncidentActions.tsx";
import { IncidentHeader } from "./IncidentHeader.tsx";
import { PostmortemCard } from "./PostmortemCard.tsx";
import { TimelineCard } from "./TimelineCard.tsx";
import { ToldCard } from "./ToldCard.tsx";
import { WhyCard } from "./WhyCard.tsx";

/** One incident: what it is now, what it affects, what was done and said, and what can be done. */
export function IncidentPage() {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(incidentQuery(id));
  const incident = isGone(query.error) ? undefined : query.data;
  const title = incident ? titleOf(incident) : "";
  usePageTitle(title || t("title"));
  const canChange = mayWrite && incident?.mergedIntoId === null;
  return (
    <>
      <PageBar
        crumbs={[{ label: t("title"), to: "/incidents" }]}
        title={title || (query.error ? `#${id}` : "")}
      >
        {mayWrite && incident && <IncidentActions incident={incident} />}
      </PageBar>
      <Loaded of={query} failed={t("failedOne")} gone={<Gone />} loading={<PageSkeleton />}>
        {(shown: Incident) => (
          <>
            <IncidentHeader incident={shown} canChange={canChange} />
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="grid gap-4">
                <WhyCard incident={shown} />
                <EvidenceCard incident={shown} />
                <DevicesCard incident={shown} />
                {canChange && <Composer key={id} incident={shown} />}
                <ToldCard id={shown.id} />
                <TimelineCard incident={shown} canChange={canChange} />
                <PostmortemCard key={id} id={id} canChange={canChange} />
              </div>
              <div className="max-lg:order-first">
                <AffectedCard incident={shown} canChange={canChange} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

function Gone() {
  const { t } = useTranslation("incidents");
  return (
    <EmptyState
      icon={<Compass aria-hidden className="size-6" strokeWidth={1.5} />}
      title={t("gone.title")}
      text={t("gone.text")}
    >
      <Link to="/incidents" className="rounded-sm font-medium underline underline-offset-4">
        {t("gone.back")}
      </Link>
    </EmptyState>
  );
}

function PageSkeleton() {
  return (
    <div aria-hidden className="grid gap-4">
      <Skeleton className="h-5 w-60" />
      <Skeleton className="h-24 w-full rounded-lg" />
      <Skeleton className="h-40 w-full rounded-lg" />
    </div>
  );
}

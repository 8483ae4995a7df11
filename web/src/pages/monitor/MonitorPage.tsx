import { usePrefetchQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { isGone } from "../../api/client.ts";
import { incidentsOfMonitorQuery } from "../../api/incidents.ts";
import {
  daysQuery,
  locationsQuery,
  type MonitorDetail,
  monitorQuery,
  resultsQuery,
  statusHistoryQuery,
  summaryQuery,
} from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { listedMonitors } from "../../api/monitors.ts";
import { useMayWrite } from "../../api/roles.ts";
import { PageBar } from "../../components/frame/PageBar.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { isComing } from "../../components/readings.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import type { PageOfKind } from "../../kinds/descriptor.ts";
import { KindProvider, useKind, useKindTexts } from "../../kinds/use-kind.ts";
import { CertificateCard } from "./detail/CertificateCard.tsx";
import { HistoryCard } from "./detail/HistoryCard.tsx";
import { LocationsCard } from "./detail/LocationsCard.tsx";
import { MonitorActions } from "./detail/MonitorActions.tsx";
import { MonitorCardsSkeleton, MonitorHeader, MonitorHeaderSkeleton } from "./detail/MonitorHeader.tsx";
import { ObjectiveCard } from "./detail/ObjectiveCard.tsx";
import { ResponseCard } from "./detail/ResponseCard.tsx";
import { ResultsCard } from "./detail/ResultsCard.tsx";
import { UptimeCard } from "./detail/UptimeCard.tsx";
import { MonitorGone } from "./MonitorGone.tsx";

/** One monitor: what it is now, since when and why, and how it has been. */
export function MonitorPage({ page }: { page: PageOfKind }) {
  return (
    <KindProvider value={page.kind}>
      <Page page={page} />
    </KindProvider>
  );
}

function Page({ page }: { page: PageOfKind }) {
  const k = useKindTexts();
  const canWrite = useMayWrite();
  const { kind, address } = page;
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(monitorQuery(kind, id));
  const client = useQueryClient();
  const listed = listedMonitors(client, kind.id).find((each) => each.id === id);
  const monitor: Monitor | undefined = query.data ?? listed;
  usePageTitle(monitor?.name ?? k("title"));
  return (
    <>
      <PageBar
        crumbs={[{ label: k("title"), to: kind.pages.list }]}
        title={monitor?.name ?? (query.error ? `#${id}` : "")}
      >
        {canWrite && monitor && !isGone(query.error) && <MonitorActions monitor={monitor} />}
      </PageBar>
      {monitor && !isGone(query.error) && (
        <MonitorHeader monitor={monitor} address={address(monitor)} description={query.data?.description} />
      )}
      {!monitor && !query.error && <MonitorHeaderSkeleton />}
      <Loaded of={query} failed={k("failedOne")} gone={<MonitorGone />} loading={<CardsToCome id={id} />}>
        {(detail) => <Cards key={id} page={page} id={id} detail={detail} />}
      </Loaded>
    </>
  );
}

interface CardsProps {
  page: PageOfKind;
  id: number;
  detail: MonitorDetail;
}

/** Which cards there are, the detail says. Until it has come, what most of them show is read already. */
function CardsToCome({ id }: { id: number }) {
  const kind = useKind();
  usePrefetchQuery(summaryQuery(kind, id));
  usePrefetchQuery(daysQuery(kind, id));
  usePrefetchQuery(statusHistoryQuery(kind, id));
  usePrefetchQuery(incidentsOfMonitorQuery(id));
  usePrefetchQuery(locationsQuery(kind, id));
  usePrefetchQuery(resultsQuery(kind, id));
  return <MonitorCardsSkeleton />;
}

/** Each card asks for its own figures and stands in its final shape until they come. */
function Cards({ page, id, detail }: CardsProps) {
  const phases = page.phasesOf(detail);
  const isAsked = phases.length > 0;
  const certificate = page.certificateOf(detail);
  const pair = isAsked && certificate ? "lg:grid-cols-2" : "";
  // Of what is never asked it says whether there are response times, and so whether there is their card.
  const summary = useQuery({ ...summaryQuery(useKind(), id), enabled: !isAsked });
  if (isComing([summary])) return <MonitorCardsSkeleton />;
  return (
    <div className="grid gap-4">
      {page.own?.(detail)}
      <UptimeCard monitor={detail} id={id} isAsked={isAsked} />
      {detail.objective > 0 && <ObjectiveCard id={id} />}
      <ResponseCard id={id} monitor={detail} phases={phases} />
      {(isAsked || certificate) && (
        <div className={`grid gap-4 ${pair}`}>
          {isAsked && <LocationsCard id={id} />}
          {certificate && <CertificateCard detail={detail} {...certificate} />}
        </div>
      )}
      <ResultsCard
        id={id}
        monitor={detail}
        detail={detail}
        phases={phases}
        hasCodes={page.hasCodes(detail)}
      />
      <HistoryCard id={id} />
      {page.last?.(detail)}
    </div>
  );
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { isGone } from "../api/client.ts";
import { type MonitorDetail, monitorQuery } from "../api/monitor.ts";
import type { Monitor } from "../api/monitor-list.ts";
import { listedMonitors } from "../api/monitors.ts";
import { useMayWrite } from "../api/roles.ts";
import { Loaded } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { KindProvider, type PageOfKind, useKindTexts } from "./descriptor.ts";
import { CertificateCard } from "./detail/CertificateCard.tsx";
import { HistoryCard } from "./detail/HistoryCard.tsx";
import { LocationsCard } from "./detail/LocationsCard.tsx";
import { MonitorActions } from "./detail/MonitorActions.tsx";
import { MonitorHeader, MonitorHeaderSkeleton } from "./detail/MonitorHeader.tsx";
import { ObjectiveCard } from "./detail/ObjectiveCard.tsx";
import { ResponseCard } from "./detail/ResponseCard.tsx";
import { ResultsCard } from "./detail/ResultsCard.tsx";
import { UptimeCard } from "./detail/UptimeCard.tsx";
import { MonitorGone } from "./NothingWatched.tsx";

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
  const cards = (detail: MonitorDetail | undefined) => (
    <Cards key={id} page={page} id={id} monitor={monitor} detail={detail} />
  );
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
      <Loaded of={query} failed={k("failedOne")} gone={<MonitorGone />} loading={cards(undefined)}>
        {cards}
      </Loaded>
    </>
  );
}

interface CardsProps {
  page: PageOfKind;
  id: number;
  /** As the list knows it, where it does, until its detail has come. */
  monitor: Monitor | undefined;
  /** Undefined while it is on its way. */
  detail: MonitorDetail | undefined;
}

/**
 * Each card has its final shape at once. Which there are the detail says: until then none is shown, so that
 * none moves.
 */
function Cards({ page, id, monitor, detail }: CardsProps) {
  const phases = page.phasesOf(monitor);
  const isProbed = phases.length > 0;
  const certificate = page.certificateOf(detail);
  const pair = isProbed && certificate ? "lg:grid-cols-2" : "";
  return (
    <div hidden={!detail} className="grid gap-4">
      {detail && page.own?.(detail)}
      <UptimeCard monitor={monitor} id={id} isProbed={isProbed} />
      {detail && detail.objective > 0 && <ObjectiveCard id={id} />}
      <ResponseCard id={id} monitor={monitor} phases={phases} />
      {(isProbed || certificate) && (
        <div className={`grid gap-4 ${pair}`}>
          {isProbed && <LocationsCard id={id} />}
          {certificate && <CertificateCard detail={detail} {...certificate} />}
        </div>
      )}
      <ResultsCard
        id={id}
        monitor={monitor}
        detail={detail}
        phases={phases}
        hasCodes={page.hasCodes(monitor)}
      />
      <HistoryCard id={id} />
      {detail && page.last?.(detail)}
    </div>
  );
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { isGone } from "../../api/client.ts";
import type { DeviceDetail } from "../../api/devices.ts";
import { monitorQuery } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { listedMonitors } from "../../api/monitors.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { PageBar } from "../../components/PageBar.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { monitorKinds } from "../../kinds.ts";
import { HistoryCard } from "../detail/HistoryCard.tsx";
import { MonitorHeader, MonitorHeaderSkeleton } from "../detail/MonitorHeader.tsx";
import { MonitorGone } from "../MonitorGone.tsx";
import { KindProvider, useKindTexts } from "../use-kind.ts";
import { ChartsCard } from "./ChartsCard.tsx";
import { DeviceActions } from "./DeviceActions.tsx";
import { DeviceNotes } from "./DeviceNotes.tsx";
import { ListsCard } from "./ListsCard.tsx";
import { MachineCard } from "./MachineCard.tsx";

const { device: kind } = monitorKinds;

/** One device: how it is and why, what it was doing, and what runs on it. */
export const DevicePage = () => (
  <KindProvider value={kind}>
    <Page />
  </KindProvider>
);

function Page() {
  const k = useKindTexts();
  const mayWrite = useMayWrite();
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(monitorQuery(kind, id));
  const client = useQueryClient();
  const listed = listedMonitors(client, kind.id).find((each) => each.id === id);
  const monitor: Monitor | undefined = query.data ?? listed;
  const isThere = monitor !== undefined && !isGone(query.error);
  usePageTitle(monitor?.name ?? k("title"));
  return (
    <>
      <PageBar
        crumbs={[{ label: k("title"), to: kind.pages.list }]}
        title={monitor?.name ?? (query.error ? `#${id}` : "")}
      >
        {mayWrite && isThere && <DeviceActions monitor={monitor} />}
      </PageBar>
      {isThere && <MonitorHeader monitor={monitor} address={null} description={query.data?.description} />}
      {!monitor && !query.error && <MonitorHeaderSkeleton />}
      <Loaded of={query} failed={k("failedOne")} gone={<MonitorGone />} loading={<CardsSkeleton />}>
        {(detail) => <Cards key={id} device={detail as unknown as DeviceDetail} />}
      </Loaded>
    </>
  );
}

function Cards({ device }: { device: DeviceDetail }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DeviceNotes device={device} />
      <MachineCard device={device} />
      <ChartsCard device={device} />
      <ListsCard id={device.id} />
      <HistoryCard id={device.id} />
    </div>
  );
}

const CardsSkeleton = () => (
  <div aria-hidden className="grid gap-4">
    <Skeleton className="h-40 rounded-lg opacity-50" />
    <Skeleton className="h-96 rounded-lg opacity-50" />
  </div>
);

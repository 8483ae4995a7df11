import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  projectChannelNotification,
  projectIncidentDelivery,
} from "../../../server/src/alerts/schemas/incident-deliveries.ts";
import type {
  projectIncidentComment,
  projectIncidentUpdate,
  ShownIncidentDevice,
} from "../../../server/src/incidents/schemas/incident-changes.ts";
import type {
  ShownExplanation as IncidentExplanation,
  ShownEvidence,
} from "../../../server/src/incidents/schemas/incident-explanation.ts";
import type { projectIncident } from "../../../server/src/incidents/schemas/incidents.ts";
import { translateMessage } from "../i18n/i18n.ts";
import type { KindId } from "../kinds.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { dashboardStatsQuery } from "./dashboard-stats.ts";
import { pageSize } from "./list-pages.ts";
import { readAgainSoon } from "./read-again.ts";

export type Incident = ReturnType<typeof projectIncident> & {
  /** Of one that was read by itself: what is held back behind what is down in it. */
  suppressed?: { id: number; kind: KindId; name: string }[];
};
export type IncidentStatus = Incident["status"];
export type Severity = Incident["severity"];
/** The impact shown to visitors of status pages. */
export type Impact = Incident["impact"];
export type IncidentUpdate = ReturnType<typeof projectIncidentUpdate>;
export type IncidentComment = ReturnType<typeof projectIncidentComment>;
export type Explanation = IncidentExplanation;
export type IncidentDelivery = ReturnType<typeof projectIncidentDelivery>;
/** A channel, and what it was notified of an incident. */
export type IncidentChannel = ReturnType<typeof projectChannelNotification>;
export type IncidentEvidence = ShownEvidence;
export type IncidentDevice = ShownIncidentDevice;
export type FailureEvidence = ShownEvidence["evidence"][number];

/** Settings that a monitor did not have; what is absent is as it is. */
export interface OtherSettings {
  confirmations?: number;
  recoveries?: number;
  quorum?: number;
}

export const incidentsKey = "incidents";
/** While something waits to be sent. */
const lookMs = 5_000;
/** So many messages are read at once. */
const messagesRead = 100;

export const incidentQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "one", id],
    queryFn: async ({ signal }) => (await call<Incident>("GET", apiPaths.incident(id), { signal })).data,
  });

export const incidentsOfMonitorQuery = (monitor: number) =>
  queryOptions({
    queryKey: [incidentsKey, "of", monitor],
    queryFn: async ({ signal }) => {
      const query = { monitor, page: 1, limit: pageSize };
      return (await call<Incident[]>("GET", apiPaths.incidents, { query, signal })).data;
    },
  });

/** What is down in it now, whatever people have said of it. */
export const stillDown = ({ affected }: Pick<Incident, "affected">): Incident["affected"] =>
  affected.filter(({ outageStartedAt, outageEndedAt }) => outageStartedAt !== null && outageEndedAt === null);

type Acknowledgeable = Pick<Incident, "acknowledgedAt" | "resolvedAt" | "mergedIntoId" | "affected">;

/** What is down in an acknowledged incident and is not acknowledged, because it joined since. */
export const joinedSince = (incident: Acknowledgeable): Incident["affected"] =>
  incident.acknowledgedAt === null || incident.resolvedAt !== null || incident.mergedIntoId !== null
    ? []
    : stillDown(incident).filter(({ acknowledged }) => !acknowledged);

/** Whether something in it is to be acknowledged: all, or what joined since. */
export const needsAcknowledging = (incident: Acknowledgeable): boolean =>
  incident.acknowledgedAt === null
    ? incident.resolvedAt === null && incident.mergedIntoId === null
    : joinedSince(incident).length > 0;

/** The one with a monitor's outage in that time (milliseconds; `toMs` null: it goes on). */
export const incidentWith = (
  incidents: readonly Incident[] | undefined,
  monitor: number,
  { fromMs, toMs }: { fromMs: number; toMs: number | null },
): Incident | undefined =>
  incidents?.find(({ affected }) =>
    affected.some(
      ({ monitorId, outageStartedAt, outageEndedAt }) =>
        monitorId === monitor &&
        outageStartedAt !== null &&
        Date.parse(outageStartedAt) < (toMs ?? Number.POSITIVE_INFINITY) &&
        (outageEndedAt === null || Date.parse(outageEndedAt) > fromMs),
    ),
  );

export const incidentUpdatesQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "updates", id],
    queryFn: async ({ signal }) =>
      (await call<IncidentUpdate[]>("GET", apiPaths.incidentUpdates(id), { signal })).data,
  });

export const incidentCommentsQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "comments", id],
    queryFn: async ({ signal }) =>
      (await call<IncidentComment[]>("GET", apiPaths.incidentComments(id), { signal })).data,
  });

/** The lessons learned, as Markdown; null where none have been written. */
export const postmortemQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "postmortem", id],
    queryFn: async ({ signal }) =>
      (await call<{ content: string | null }>("GET", apiPaths.postmortem(id), { signal })).data.content,
  });

export const explanationQuery = (id: number, other: OtherSettings = {}) =>
  queryOptions({
    queryKey: [incidentsKey, "explanation", id, other],
    queryFn: async ({ signal }) => {
      const query = { ...other };
      return (await call<Explanation>("GET", apiPaths.incidentExplanation(id), { query, signal })).data;
    },
  });

export const evidenceQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "evidence", id],
    queryFn: async ({ signal }) =>
      (await call<ShownEvidence>("GET", apiPaths.incidentEvidence(id), { signal })).data,
  });

/** What the devices that are affected, or on which what is affected runs, were doing when it began. */
export const incidentDevicesQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "devices", id],
    queryFn: async ({ signal }) =>
      (await call<IncidentDevice[]>("GET", apiPaths.incidentDevices(id), { signal })).data,
  });

interface DeliveryDetails {
  incomplete: boolean;
  channels: IncidentChannel[];
}

/** The messages about it, newest first, how many there are, and what each channel was notified of; read again while one waits. */
export const incidentDeliveriesQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "deliveries", id],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: messagesRead };
      const path = apiPaths.incidentDeliveries(id);
      const answer = await call<IncidentDelivery[], DeliveryDetails>("GET", path, { query, signal });
      const { data: deliveries, pagination, beside } = answer;
      return { deliveries, total: pagination?.total ?? deliveries.length, ...beside };
    },
    refetchInterval: ({ state }) =>
      (state.data?.deliveries.some((one) => one.state === "waiting") === true ||
        state.data?.channels.some((one) => one.state === "waiting") === true) &&
      lookMs,
  });

export const refreshIncidents = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [incidentsKey] }),
    client.invalidateQueries({ queryKey: dashboardStatsQuery.queryKey }),
  ]);

export const refreshIncidentsSoon = (client: QueryClient): void =>
  readAgainSoon(client, [incidentsKey], dashboardStatsQuery.queryKey);

/** An entry of an incident's timeline written by a person. */
export type LogEntry = { kind: "updates" | "comments"; entryId: number };

/** Something that is done to an incident. */
type Act =
  | { act: "acknowledge" | "reopen"; id: number }
  | { act: "merge"; id: number; into: number }
  | { act: "split"; id: number; monitorId?: number }
  | ({ act: "change"; id: number; status?: IncidentStatus } & Partial<ReportedIncident>)
  | { act: "assign"; id: number; userId: number | null }
  | { act: "postmortem"; id: number; content: string | null }
  | { act: "update"; id: number; message: string; status?: IncidentStatus; pages?: readonly string[] }
  | { act: "comment"; id: number; content: string; isInternal: boolean }
  | ({ act: "edit"; id: number; text?: string; pages?: readonly string[] | null } & LogEntry)
  | ({ act: "remove"; id: number } & LogEntry);

function send(request: Act) {
  const { act, id, ...body } = request;
  if (request.act === "edit" || request.act === "remove") return sendForEntry(request);
  if (act === "change") return call<unknown>("PUT", apiPaths.incident(id), { body });
  if (act === "postmortem") return call<unknown>("PUT", apiPaths.postmortem(id), { body });
  if (act === "update") return call<unknown>("POST", apiPaths.incidentUpdates(id), { body });
  if (act === "comment") return call<unknown>("POST", apiPaths.incidentComments(id), { body });
  return call<unknown>("POST", `${apiPaths.incident(id)}/${act}`, { body });
}

function sendForEntry(request: Extract<Act, LogEntry>) {
  const { id, kind, entryId } = request;
  const path = `${apiPaths.incident(id)}/${kind}/${entryId}`;
  if (request.act === "remove") return call<unknown>("DELETE", path);
  const { text, pages } = request;
  const body = kind === "updates" ? { message: text, pages } : { content: text };
  return call<unknown>("PUT", path, { body });
}

export function useIncidentAct() {
  const client = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => refreshIncidents(client) });
}

export interface ReportedIncident {
  title: string;
  description: string;
  severity: Severity;
  monitorIds: number[];
  /** The impact shown to visitors; derived from the severity where it is missing. */
  impact?: Impact | undefined;
  /** The status pages that show it; their uuids. */
  pages: string[];
}

export function useReportIncident() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: ReportedIncident) =>
      (await call<Incident>("POST", apiPaths.incidents, { body })).data,
    onSuccess: () => refreshIncidents(client),
  });
}

export function useDeleteIncident() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.incident(id)),
    onSuccess: (_, { id }) => {
      for (const part of ["one", "updates", "comments", "postmortem", "explanation", "pages"])
        client.removeQueries({ queryKey: [incidentsKey, part, id] });
      void client.invalidateQueries({ queryKey: [incidentsKey, "list"] });
      void client.invalidateQueries({ queryKey: dashboardStatsQuery.queryKey });
    },
  });
}

export const titleOf = ({ title, titleFact }: Incident): string => translateMessage(title, titleFact);

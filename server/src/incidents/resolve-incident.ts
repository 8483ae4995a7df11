import type { Db } from "../platform/database/schema.ts";
import { inEnglish } from "../platform/i18n/english.ts";
import { type IncidentNotifier, rewriteIncidents } from "./changed-incident.ts";
import type { OutageIncident, Together } from "./live-incident.ts";
import { endOutages, lead, readFirstJoined } from "./queries/affected-services.ts";
import {
  forgetAcknowledgements,
  lockOpenOutages,
  type OpenOutage,
  readOutageEnds,
  resolveIncidents,
} from "./queries/automatic-incidents.ts";
import { insertIncidentUpdates } from "./queries/incident-updates.ts";
import { messageOfResolution } from "./rules.ts";

/** The end of a monitor's outage. Times in milliseconds. */
export interface OutageEnd {
  monitorId: number;
  monitorName: string;
  startedAt: number;
  at: number;
  detectedAt: number;
  cause: "recovered" | "ended";
  /** Of a device whose health was critical. */
  health?: "only" | "also";
}

type Notifier = Pick<IncidentNotifier, "noteResolved">;

/**
 * Ends the open outage of each monitor, with an update of its incident that says how long it lasted. An automatic
 * incident is resolved with the last of its outages; one that a person opened, or resolved before that, stays as it is.
 */
export async function resolveOutages(
  trx: Db,
  ends: readonly OutageEnd[],
  notifier: Notifier,
  now: number,
): Promise<OutageIncident[]> {
  if (ends.length === 0) return [];
  const byMonitor = new Map(ends.map((end) => [end.monitorId, end]));
  const outages = (await lockOpenOutages(trx, [...byMonitor.keys()])).flatMap((outage) => {
    const end = byMonitor.get(outage.monitorId);
    return end ? [{ ...outage, end, at: Math.max(end.at, outage.outageStartedAt) }] : [];
  });
  await endOutages(trx, outages);
  const progress = await readOutageEnds(
    trx,
    outages.map(({ id }) => id),
  );
  const resolved = await resolveFinished(trx, { outages, ends: progress, notifier }, now);
  await handOver(trx, outages, progress);
  const shared = outages.filter(({ id }) => (progress.get(id)?.monitors ?? 0) > 1);
  const words = await rewriteIncidents(trx, shared, now);
  const lasts = lastOfEach(outages, progress);
  const updated = outages.map((outage) => {
    const resolvedAt = resolved.get(outage.id) ?? outage.resolvedAt;
    const status = resolvedAt === null ? outage.status : "resolved";
    return { ...outage, ...words.get(outage.id), resolvedAt, status };
  });
  await insertIncidentUpdates(
    trx,
    updated.map(({ organizationId, id: incidentId, status, end }) => {
      const message = messageOfResolution(end);
      const update = { status, message: inEnglish(message), descriptor: message, at: end.detectedAt };
      return { organizationId, incidentId, userId: null, ...update };
    }),
  );
  return updated.map((one) => ({
    ...one,
    ...{ outageAt: one.end.startedAt, outageMs: one.at - one.outageStartedAt },
    together: togetherOf(one, progress.get(one.id), lasts.has(one.affectedId)),
  }));
}

type OutageEnds = Awaited<ReturnType<typeof readOutageEnds>>;
type Ending = Pick<
  OpenOutage,
  | "id"
  | "organizationId"
  | "automatic"
  | "title"
  | "titleMessage"
  | "descriptionMessage"
  | "status"
  | "severity"
  | "startedAt"
  | "resolvedAt"
>;

/**
 * Of the incidents in which no monitor is down any more, the one outage whose end is notified for all: the first one's, if it
 * is there.
 */
function lastOfEach(outages: readonly OpenOutage[], ends: OutageEnds): Set<number> {
  const lasts = new Map<number, number>();
  for (const { id, affectedId, monitorId, leadId } of outages) {
    if (ends.get(id)?.open === 0 && (!lasts.has(id) || monitorId === leadId)) lasts.set(id, affectedId);
  }
  return new Set(lasts.values());
}

/**
 * When the monitor that opened an incident is no longer checked and others are still down in it, the first of these leads from
 * now on. Members that joined silently after an acknowledgement are not acknowledged themselves.
 */
async function handOver(
  trx: Db,
  outages: readonly (OpenOutage & { end: OutageEnd })[],
  ends: OutageEnds,
): Promise<void> {
  const orphaned = outages.filter(
    ({ id, monitorId, leadId, end }) =>
      end.cause === "ended" && monitorId === leadId && (ends.get(id)?.open ?? 0) > 0 && ends.get(id)?.joined,
  );
  const ids = orphaned.map(({ id }) => id);
  if (ids.length === 0) return;
  for (const [id, next] of await readFirstJoined(trx, ids)) await lead(trx, id, next);
  await forgetAcknowledgements(trx, ids);
}

/** Null where the monitor's end is notified by itself: it is alone in the incident, or was added by a person. */
function togetherOf(
  {
    monitorId,
    leadId,
    leadName,
    joined,
    end,
  }: Pick<OpenOutage, "monitorId" | "leadId" | "leadName" | "joined"> & { end: OutageEnd },
  ends: { joined: number } | undefined,
  isLast: boolean,
): Together | null {
  if (leadId === null || !ends?.joined || (!joined && monitorId !== leadId)) return null;
  return {
    leadId,
    leadName: leadName ?? end.monitorName,
    others: ends.joined,
    part: { is: isLast ? "all-up" : "member" },
  };
}

/**
 * Resolves the automatic ones of these incidents in which no monitor is down any more: when each was, by its id. Written
 * updates end there, too: the end of the outages is notified separately.
 */
export async function resolveFinished(
  trx: Db,
  { outages, ends, notifier }: { outages: readonly Ending[]; ends: OutageEnds; notifier: Notifier },
  now: number,
): Promise<Map<number, number>> {
  const going = outages.filter(({ automatic, resolvedAt }) => automatic && resolvedAt === null);
  const finished = new Map(
    going.flatMap(({ id, startedAt }) => {
      const { open, lastEndedAt } = ends.get(id) ?? { open: 0, lastEndedAt: null };
      return open > 0 ? [] : [[id, Math.max(lastEndedAt ?? now, startedAt)] as const];
    }),
  );
  await resolveIncidents(
    trx,
    [...finished].map(([id, resolvedAt]) => ({ id, resolvedAt })),
    now,
  );
  const over = new Map(going.flatMap((one) => (finished.has(one.id) ? [[one.id, one] as const] : [])));
  await notifier.noteResolved(trx, [...over.values()], now);
  return finished;
}

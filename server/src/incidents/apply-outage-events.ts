import { randomUUIDv7 } from "node:crypto";
import { derivedTypes, unprobedTypes } from "../checks/registry.ts";
import { lockGrouping } from "../engine/queries/states.ts";
import type { ChangedMonitor } from "../engine/status/advance-states.ts";
import type { HealthChange, StatusEvent } from "../engine/status/state.ts";
import { readDependencies } from "../monitors/queries/monitor-changes.ts";
import type { Db } from "../platform/database/schema.ts";
import { inEnglish } from "../platform/i18n/english.ts";
import type { MessageDescriptor } from "../platform/i18n/message.ts";
import { type IncidentNotifier, rewriteIncidents } from "./changed-incident.ts";
import {
  type Cause,
  causesOf,
  FOLLOW_WINDOW_MS,
  GROUP_WINDOW_MS,
  type OfflineTimes,
  type Placed,
  placeOutages,
} from "./group-rules.ts";
import { joinIncidents } from "./join-incidents.ts";
import { messageOf, type OutageIncident } from "./live-incident.ts";
import { insertAffectedServices } from "./queries/affected-services.ts";
import {
  listOpenGroups,
  lockOpenOutages,
  type OpenGroup,
  type OpenOutage,
  readTargets,
  setOfflineTimes,
} from "./queries/automatic-incidents.ts";
import { insertIncidents, lockIncidents, updateIncident } from "./queries/incident-changes.ts";
import { insertIncidentUpdates } from "./queries/incident-updates.ts";
import { type OutageEnd, resolveOutages } from "./resolve-incident.ts";
import {
  IMPACT_OF_HEALTH,
  IMPACT_OF_OUTAGE,
  incidentOfOutage,
  messageOfHealth,
  messageOfOutage,
  type Outage,
  wordsOf,
  wordsOfHealth,
} from "./rules.ts";
import { type IncidentWords, titleOfOutage, unlessWritten } from "./title-rules.ts";

const OUTAGE_EVENTS = ["outage_opened", "outage_closed", "outage_worsened", "health_changed"] as const;
type OutageEvent = Extract<StatusEvent, { type: (typeof OUTAGE_EVENTS)[number] }>;

/**
 * Opens and resolves the automatic incidents that the rules requested. A monitor that did both within one batch (after a probe
 * was cut off for a while) keeps its own order: the first event of each monitor is one round of bulk statements, the second the
 * next.
 */
export async function applyOutageEvents(
  trx: Db,
  changed: readonly ChangedMonitor[],
  notifier: Pick<IncidentNotifier, "noteResolved">,
  now: number,
): Promise<OutageIncident[]> {
  const incidents: OutageIncident[] = [];
  const causes = await readCauses(trx, changed);
  const queues = changed.map(({ monitor, events }) => ({ monitor, outages: events.filter(isOutageEvent) }));
  for (let round = 0; ; round += 1) {
    const opened: Outage[] = [];
    const ended: OutageEnd[] = [];
    const changes: DeviceChange[] = [];
    for (const { monitor, outages } of queues) {
      const event = outages[round];
      const named = { monitorId: monitor.monitorId, monitorName: monitor.name };
      if (event?.type === "outage_worsened" || event?.type === "health_changed")
        changes.push({ ...named, ...event });
      if (event?.type === "outage_closed") ended.push({ ...named, ...event });
      if (event?.type !== "outage_opened") continue;
      const { organizationId, severity, monitorId } = monitor;
      // A machine that is busy is not why others are down with it.
      const shared = event.health ? { causes: [] } : (causes.get(monitorId) ?? { causes: [] });
      const own = { uuid: randomUUIDv7(), organizationId, severity, ...shared };
      opened.push({ ...named, ...event, ...own });
    }
    if (opened.length + ended.length + changes.length === 0) {
      await rewriteFlapping(trx, changed, now);
      return incidents;
    }
    incidents.push(...(await updateDeviceIncidents(trx, changes, now)));
    incidents.push(...(await resolveOutages(trx, ended, notifier, now)));
    incidents.push(...(await openIncidents(trx, opened, now)));
  }
}

/** The incident of a flapping monitor says so until it is stable: otherwise it would say "down" while the monitor is up. */
async function rewriteFlapping(trx: Db, changed: readonly ChangedMonitor[], now: number): Promise<void> {
  const turned = changed.filter(({ events }) =>
    events.some(
      (one) =>
        one.type === "notification" && (one.event === "monitor.flapping" || one.event === "monitor.settled"),
    ),
  );
  if (turned.length === 0) return;
  const ids = turned.map(({ monitor }) => monitor.monitorId);
  await rewriteIncidents(trx, await lockOpenOutages(trx, ids), now);
}

/** Possible causes of the outages that begin. No other transaction opens incidents of these organizations meanwhile. */
async function readCauses(
  trx: Db,
  changed: readonly ChangedMonitor[],
): Promise<Map<number, Pick<Outage, "causes" | "follows" | "watchedSince">>> {
  const opening = changed.filter(({ events }) => events.some(({ type }) => type === "outage_opened"));
  if (opening.length === 0) return new Map();
  await lockGrouping(
    trx,
    opening.map(({ monitor }) => monitor.organizationId),
  );
  const ids = opening.map(({ monitor }) => monitor.monitorId);
  const targets = await readTargets(trx, ids);
  const dependencies = Map.groupBy(await readDependencies(trx, ids), ({ monitorId }) => monitorId);
  return new Map(
    opening.map(({ monitor, events }) => {
      const { type = "", target = "", createdAt = 0 } = targets.get(monitor.monitorId) ?? {};
      const parents = (dependencies.get(monitor.monitorId) ?? []).map(
        ({ parentId: id, name: value }): Cause => ({ kind: "parent", value, id }),
      );
      // Heartbeats and groups have no host of their own.
      if (unprobedTypes.includes(type)) {
        const watchedSince = Math.max(createdAt, monitor.state.watchedSince ?? 0);
        return [monitor.monitorId, { causes: parents, follows: derivedTypes.includes(type), watchedSince }];
      }
      const failing = Object.entries(monitor.state.locations).filter(([, { failures }]) => failures > 0);
      const reason = events.find((event) => event.type === "outage_opened")?.reason ?? null;
      const address = monitor.last.result ? (JSON.parse(monitor.last.result) as LastResult).address : null;
      const clues = { target, address: address ?? null, reason, failingAt: failing.map(([code]) => code) };
      return [monitor.monitorId, { causes: [...parents, ...causesOf(clues)] }];
    }),
  );
}

interface LastResult {
  address?: string | null;
}

const isOutageEvent = (event: StatusEvent): event is OutageEvent =>
  (OUTAGE_EVENTS as readonly string[]).includes(event.type);

/**
 * Opens an incident, with its first update, for each outage, or joins it to one that is open for the same cause. Where the
 * monitor has an open outage in one already, nothing is written, and the outage is that one. Returns those it opened or
 * joined. The monitors' states are locked, and grouping is (lockGrouping).
 */
export async function openIncidents(
  trx: Db,
  outages: readonly Outage[],
  now: number,
): Promise<OutageIncident[]> {
  if (outages.length === 0) return [];
  const monitorIds = outages.map((outage) => outage.monitorId);
  const known = new Set((await lockOpenOutages(trx, monitorIds)).map(({ monitorId }) => monitorId));
  const fresh = outages.filter(({ monitorId }) => !known.has(monitorId));
  if (fresh.length === 0) return [];
  const placed = await placeLocked(trx, fresh);
  const leading = placed.filter(({ group }) => group === null);
  const opened = await openEach(
    trx,
    leading.map(({ outage }) => outage),
    now,
  );
  return [...opened, ...(await joinIncidents(trx, placed, opened, now))];
}

/** Places outages among the open incidents, and locks those that they join. While it waits for one, people may change it. */
async function placeLocked(trx: Db, outages: readonly Outage[]): Promise<Placed<OpenGroup, Outage>[]> {
  const organizationIds = [...new Set(outages.map(({ organizationId }) => organizationId))];
  const windowMs = outages.some(({ follows }) => follows) ? FOLLOW_WINDOW_MS : GROUP_WINDOW_MS;
  const isLater = outages.some(({ follows, watchedSince }) => follows && watchedSince !== undefined);
  const since = isLater ? 0 : Math.min(...outages.map(({ startedAt }) => startedAt)) - windowMs;
  for (const locked = new Set<number>(); ; ) {
    const placed = placeOutages(await listOpenGroups(trx, { organizationIds, since }), outages);
    const more = placed.flatMap(({ group }) =>
      group && "id" in group && !locked.has(group.id) ? group.id : [],
    );
    if (more.length === 0) return placed;
    await lockIncidents(trx, [...new Set(more)]);
    for (const id of more) locked.add(id);
  }
}

async function openEach(trx: Db, outages: readonly Outage[], now: number): Promise<OutageIncident[]> {
  if (outages.length === 0) return [];
  const incidents = outages.map(incidentOfOutage);
  const ids = await insertIncidents(trx, incidents, now);
  const numbered = incidents.map((incident) => ({ ...incident, id: ids.get(incident.uuid) ?? 0 }));
  await insertAffectedServices(trx, numbered);
  await insertIncidentUpdates(
    trx,
    numbered.map((one) => ({
      ...{ organizationId: one.organizationId, incidentId: one.id, userId: null, status: one.status },
      ...{ message: one.description, descriptor: one.descriptionMessage, at: one.detectedAt },
    })),
  );
  return numbered.map((one) => ({
    ...one,
    ...{ resolvedAt: null, outageAt: one.startedAt, outageMs: null, together: null },
  }));
}

/** A device whose health was critical has gone offline, or reports, and something else is wrong with it. Times in milliseconds. */
type DeviceChange = { monitorId: number; monitorName: string } & (
  | Extract<StatusEvent, { type: "outage_worsened" }>
  | HealthChange
);

/** Of an outage; a device that comes and goes more often is described by its latest times. */
const MOST_OFFLINE_TIMES = 50;

/**
 * Updates the incidents of these devices: text, log, and when the device was offline. The monitors' states are locked. Returns the incidents
 * as they are now.
 */
async function updateDeviceIncidents(
  trx: Db,
  changes: readonly DeviceChange[],
  now: number,
): Promise<OutageIncident[]> {
  const incidents: OutageIncident[] = [];
  if (changes.length === 0) return incidents;
  const byMonitor = new Map(changes.map((change) => [change.monitorId, change]));
  const outages = await lockOpenOutages(trx, [...byMonitor.keys()]);
  const shared = outages.filter((outage) => !isOnlyAbout(outage, outage.monitorId));
  const rewritten = await rewriteIncidents(trx, shared, now);
  for (const outage of outages) {
    const change = byMonitor.get(outage.monitorId);
    if (!change) continue;
    const offline = offlineTimes(outage, change);
    const text = rewritten.get(outage.id) ?? unlessWritten(outage, wordsAfter(change, offline));
    await updateIncident(trx, outage.id, { ...text, impact: impactOf(outage, change) }, now);
    await setOfflineTimes(trx, outage.affectedId, offline);
    if (isLogged(change))
      await logChange(trx, outage, { message: messageAbout(change), at: change.detectedAt });
    incidents.push(incidentOf(outage, text));
  }
  return incidents;
}

/** The text covers every problem; only the most severe is logged. */
const isLogged = (change: DeviceChange): boolean =>
  change.type === "outage_worsened" || change.returned || !change.isMinor;

async function logChange(
  trx: Db,
  { organizationId, id: incidentId, status }: OpenOutage,
  { message, at }: { message: MessageDescriptor; at: number },
): Promise<void> {
  const update = { organizationId, incidentId, userId: null, status, at };
  await insertIncidentUpdates(trx, [{ ...update, message: inEnglish(message), descriptor: message }]);
}

/** Whether the text is about this monitor: about several, one of them is not all that matters. */
const isOnlyAbout = ({ leadId, descriptionMessage }: OpenOutage, monitorId: number): boolean =>
  descriptionMessage === null ? leadId === monitorId : messageOf(descriptionMessage).isOfOne === true;

/** What title and description say from now on. */
const wordsAfter = (change: DeviceChange, offline: OfflineTimes): IncidentWords =>
  change.type === "outage_worsened"
    ? wordsOf(titleOfOutage(change.monitorName), messageAbout(change))
    : wordsOfHealth(change.monitorName, change.reason, { offline });

/** What the log says. */
function messageAbout(change: DeviceChange): MessageDescriptor {
  const { monitorName, at, reason } = change;
  return change.type === "outage_worsened"
    ? messageOfOutage({ monitorName, startedAt: at, reason })
    : messageOfHealth(monitorName, reason, change.returned ? at : null);
}

/** What it began with becomes that of an outage; a person chose any other. */
const impactOf = ({ impact }: OpenOutage, { type }: DeviceChange) =>
  type === "outage_worsened" && impact === IMPACT_OF_HEALTH ? IMPACT_OF_OUTAGE : impact;

function offlineTimes({ offline }: OpenOutage, { type, at }: DeviceChange): OfflineTimes {
  if (offline === null && type !== "outage_worsened") return null;
  const times = (offline ?? []).map(([from, to]) => [from, to ?? Math.max(from, at)] as const);
  return type === "outage_worsened" ? [...times, [at, null] as const].slice(-MOST_OFFLINE_TIMES) : times;
}

function incidentOf(outage: OpenOutage, text: Partial<IncidentWords>): OutageIncident {
  return { ...outage, ...text, together: null, outageAt: outage.outageStartedAt, outageMs: null };
}

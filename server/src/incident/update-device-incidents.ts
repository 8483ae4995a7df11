import type { HealthChange, StatusEvent } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { lockOpenOutages, type OpenOutage, setOfflineTimes } from "../store/queries/automatic-incidents.ts";
import { updateIncident } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { inEnglish } from "../texts/english.ts";
import type { Fact } from "../texts/fact.ts";
import type { OfflineTimes } from "./group-rules.ts";
import { messageOf } from "./incident-messages.ts";
import type { OutageIncident } from "./live-incident.ts";
import { rewriteIncidents } from "./rewrite-incidents.ts";
import {
  factOfHealth,
  factOfOutage,
  IMPACT_OF_HEALTH,
  IMPACT_OF_OUTAGE,
  wordsOf,
  wordsOfHealth,
} from "./rules.ts";
import { type IncidentWords, titleOfOutage, unlessWritten } from "./title-rules.ts";

/** A device whose health was critical has gone offline, or reports, and something else is wrong with it. Times in milliseconds. */
export type DeviceChange = { monitorId: number; monitorName: string } & (
  | Extract<StatusEvent, { type: "outage_worsened" }>
  | HealthChange
);

/** Of an outage; a device that comes and goes more often is described by its latest times. */
const MOST_OFFLINE_TIMES = 50;

/**
 * Updates the incidents of these devices: text, log, and when the device was offline. The monitors' states are locked. Returns the incidents
 * as they are now.
 */
export async function updateDeviceIncidents(
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

/** The text keeps up with every problem; the log is about the gravest. */
const isLogged = (change: DeviceChange): boolean =>
  change.type === "outage_worsened" || change.returned || !change.isMinor;

async function logChange(
  trx: Db,
  { organizationId, id: incidentId, status }: OpenOutage,
  { message, at }: { message: Fact; at: number },
): Promise<void> {
  const update = { organizationId, incidentId, userId: null, status, at };
  await insertIncidentUpdates(trx, [{ ...update, message: inEnglish(message), fact: message }]);
}

/** Whether the text is about this monitor: about several, one of them is not all that matters. */
const isOnlyAbout = ({ leadId, fact }: OpenOutage, monitorId: number): boolean =>
  fact === null ? leadId === monitorId : messageOf(fact).isOfOne === true;

/** What title and description say from now on. */
const wordsAfter = (change: DeviceChange, offline: OfflineTimes): IncidentWords =>
  change.type === "outage_worsened"
    ? wordsOf(titleOfOutage(change.monitorName), messageAbout(change))
    : wordsOfHealth(change.monitorName, change.reason, { offline });

/** What the log says. */
function messageAbout(change: DeviceChange): Fact {
  const { monitorName, at, reason } = change;
  return change.type === "outage_worsened"
    ? factOfOutage({ monitorName, startedAt: at, reason })
    : factOfHealth(monitorName, reason, change.returned ? at : null);
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
  const { id, uuid, monitorId, status, severity, startedAt, resolvedAt } = outage;
  const { title, titleFact, fact: said } = { ...outage, ...text };
  return {
    ...{ id, uuid, monitorId, title, titleFact, fact: said, status, severity, startedAt, resolvedAt },
    ...{ together: null, outageAt: outage.outageStartedAt, outageMs: null },
  };
}

import type { HealthChange, StatusEvent } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { lockOpenOutages, type OpenOutage, setOfflineTimes } from "../store/queries/automatic-incidents.ts";
import { updateIncident } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { messageOf } from "./incident-messages.ts";
import type { OutageIncident } from "./live-incident.ts";
import { factOfOutage, IMPACT_OF_HEALTH, IMPACT_OF_OUTAGE, wordsOf } from "./rules.ts";
import { type IncidentWords, titleOfHealth, titleOfOutage, unlessWritten } from "./title-rules.ts";

/** A device whose health was critical has gone offline, or reports, and something else is wrong with it. Times in milliseconds. */
export type DeviceChange = { monitorId: number; monitorName: string } & (
  | Extract<StatusEvent, { type: "outage_worsened" }>
  | HealthChange
);

/** Of an outage; a device that comes and goes more often is told of by its latest times. */
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
  for (const outage of await lockOpenOutages(trx, [...byMonitor.keys()])) {
    const change = byMonitor.get(outage.monitorId);
    if (!change) continue;
    const { title, message } = factsOf(change);
    // In the text about several monitors, one of them is not all that matters.
    const isOwn =
      outage.leadId === change.monitorId && (outage.fact === null || messageOf(outage.fact).isOfOne);
    const text = isOwn ? unlessWritten(outage, wordsOf(title, message)) : {};
    await updateIncident(trx, outage.id, { ...text, impact: impactOf(outage, change) }, now);
    await setOfflineTimes(trx, outage.affectedId, offlineTimes(outage, change));
    if (isLogged(change)) await logChange(trx, outage, { message, at: change.detectedAt });
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

/** What its title says from now on, and what its description and its log do. */
function factsOf(change: DeviceChange): { title: Fact; message: Fact } {
  const { monitorName: name, at, reason } = change;
  if (change.type === "outage_worsened") {
    return {
      title: titleOfOutage(name),
      message: factOfOutage({ monitorName: name, startedAt: at, reason }),
    };
  }
  const isCritical = reason?.params?.["level"] === "critical";
  const since = { name, since: new Date(at).toISOString() };
  const what = change.returned
    ? fact(isCritical ? "incident.returned_critical" : "incident.returned_warning", since)
    : fact(isCritical ? "incident.now_critical" : "incident.now_warning", { name });
  return {
    title: titleOfHealth(name, { isCritical, wasOffline: change.wasOffline }),
    message: { ...what, ...(reason && { because: reason }) },
  };
}

/** What it began with becomes that of an outage; a person chose any other. */
const impactOf = ({ impact }: OpenOutage, { type }: DeviceChange) =>
  type === "outage_worsened" && impact === IMPACT_OF_HEALTH ? IMPACT_OF_OUTAGE : impact;

function offlineTimes({ offline }: OpenOutage, { type, at }: DeviceChange): OpenOutage["offline"] {
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

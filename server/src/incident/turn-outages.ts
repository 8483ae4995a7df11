import type { HealthChange, StatusEvent } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { lockOpenOutages, type OpenOutage, setOfflineTimes } from "../store/queries/automatic-incidents.ts";
import { updateIncident } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { OutageIncident } from "./live-incident.ts";
import { factOfOutage, IMPACT_OF_HEALTH, IMPACT_OF_OUTAGE, wordsOf } from "./rules.ts";
import { type IncidentWords, titleOfHealth, titleOfOutage, unlessWritten } from "./title-rules.ts";

/** A device whose health was critical has gone offline, or reports, and something else is wrong with it. Times in milliseconds. */
export type TurnedOutage = { monitorId: number; monitorName: string } & (
  | Extract<StatusEvent, { type: "outage_worsened" }>
  | HealthChange
);

/** What an incident says of one device alone; in the words about several, one of them is not all that matters. */
const OF_ONE_DEVICE = new Set([
  ...["incident.outage", "incident.unhealthy", "incident.now_critical", "incident.now_warning"],
  ...["incident.returned_critical", "incident.returned_warning"],
]);
/** Of an outage; a device that comes and goes more often is told of by its latest times. */
const MOST_OFFLINE_TIMES = 50;

/**
 * Says in the incidents of these what has become of them: words, log, and when the device was offline. The monitors' states are locked. Returns
 * the incidents as they are now.
 */
export async function turnOutages(
  trx: Db,
  turned: readonly TurnedOutage[],
  now: number,
): Promise<OutageIncident[]> {
  const incidents: OutageIncident[] = [];
  if (turned.length === 0) return incidents;
  const byMonitor = new Map(turned.map((one) => [one.monitorId, one]));
  for (const outage of await lockOpenOutages(trx, [...byMonitor.keys()])) {
    const one = byMonitor.get(outage.monitorId);
    if (!one) continue;
    const { title: saidTitle, message } = factsOf(one);
    const isOwn =
      outage.leadId === one.monitorId && (outage.fact === null || OF_ONE_DEVICE.has(outage.fact.code));
    const words = isOwn ? unlessWritten(outage, wordsOf(saidTitle, message)) : {};
    await updateIncident(trx, outage.id, { ...words, impact: impactOf(outage, one) }, now);
    await setOfflineTimes(trx, outage.affectedId, offlineTimes(outage, one));
    const { organizationId, id: incidentId, status } = outage;
    await insertIncidentUpdates(trx, [
      {
        ...{ organizationId, incidentId, userId: null, status },
        ...{ message: inEnglish(message), fact: message, at: one.detectedAt },
      },
    ]);
    incidents.push(incidentOf(outage, words));
  }
  return incidents;
}

/** What its title says from now on, and what its description and its log do. */
function factsOf(one: TurnedOutage): { title: Fact; message: Fact } {
  const { monitorName: name, at, reason } = one;
  if (one.type === "outage_worsened") {
    return {
      title: titleOfOutage(name),
      message: factOfOutage({ monitorName: name, startedAt: at, reason }),
    };
  }
  const isCritical = reason?.params?.["level"] === "critical";
  const since = { name, since: new Date(at).toISOString() };
  const what = one.returned
    ? fact(isCritical ? "incident.returned_critical" : "incident.returned_warning", since)
    : fact(isCritical ? "incident.now_critical" : "incident.now_warning", { name });
  return {
    title: titleOfHealth(name, { isCritical, wasOffline: one.wasOffline }),
    message: { ...what, ...(reason && { because: reason }) },
  };
}

/** What it began with becomes that of an outage; a person chose any other. */
const impactOf = ({ impact }: OpenOutage, { type }: TurnedOutage) =>
  type === "outage_worsened" && impact === IMPACT_OF_HEALTH ? IMPACT_OF_OUTAGE : impact;

function offlineTimes({ offline }: OpenOutage, { type, at }: TurnedOutage): OpenOutage["offline"] {
  const times = (offline ?? []).map(([from, to]) => [from, to ?? Math.max(from, at)] as const);
  return type === "outage_worsened" ? [...times, [at, null] as const].slice(-MOST_OFFLINE_TIMES) : times;
}

function incidentOf(outage: OpenOutage, words: Partial<IncidentWords>): OutageIncident {
  const { id, uuid, monitorId, status, severity, startedAt, resolvedAt } = outage;
  const { title, titleFact, fact: said } = { ...outage, ...words };
  return {
    ...{ id, uuid, monitorId, title, titleFact, fact: said, status, severity, startedAt, resolvedAt },
    ...{ together: null, outageAt: outage.outageStartedAt, outageMs: null },
  };
}

import { titleFact } from "../../incident/title-rules.ts";
import type { Db } from "../../store/db.ts";
import { listThreadsOfIncidents } from "../../store/queries/channel-threads.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { listToldIncidentThreads } from "../../store/queries/subject-threads.ts";
import { fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { newMessage } from "./message.ts";
import { channelKinds } from "./registry.ts";

const TYPES = Object.values(channelKinds)
  .filter((kind) => "hearsOfAcknowledgement" in kind && kind.hearsOfAcknowledgement)
  .map(({ type }) => type);

/**
 * Tells the channels that were told of these incidents, where their kind can make something of it, that somebody has
 * acknowledged them. In the transaction in which that is stored.
 */
export async function tellAcknowledged(trx: Db, incidents: readonly Incident[], now: number): Promise<void> {
  const known = new Map(incidents.map((incident) => [incident.id, incident] as const));
  const threads = await listThreadsOfIncidents(trx, [...known.keys()], TYPES);
  const monitors = await listMessageMonitors(
    trx,
    threads.map(({ monitorId }) => monitorId),
  );
  const deliveries = threads.flatMap(({ incidentId, monitorId, threadId, channelId: id, ...channel }) => {
    const [incident, monitor] = [known.get(incidentId), monitors.get(monitorId)];
    if (!incident || !monitor) return [];
    const { organizationId, acknowledgedByName } = incident;
    const code = monitor.kind === "device" ? "notice.acknowledged_device" : "notice.acknowledged";
    const said = fact(code, { who: acknowledgedByName ?? "?", name: monitor.name });
    const about = { at: now, fact: said, monitor, incidentId };
    const message = newMessage({ event: "acknowledged", type: "info", ...about });
    return deliveryOf({ ...toChannel({ id, organizationId, ...channel }), threadId }, message, now);
  });
  const ofPeople = await listToldIncidentThreads(trx, [...known.keys()], TYPES);
  const more = ofPeople.flatMap(({ incidentId, threadId, ...channel }) => {
    const incident = known.get(incidentId);
    if (!incident) return [];
    const { organizationId, acknowledgedByName, severity } = incident;
    const said = fact("notice.incident_acknowledged", { who: acknowledgedByName ?? "?" });
    const title = titleFact(incident, { isOver: false }) ?? incident.title;
    const about = { at: now, fact: said, incidentId, title, severity };
    const message = newMessage({ event: "acknowledged", type: "info", ...about });
    return deliveryOf({ ...toChannel({ organizationId, ...channel }), threadId }, message, now);
  });
  await insertChannelDeliveries(trx, [...deliveries, ...more], { now });
}

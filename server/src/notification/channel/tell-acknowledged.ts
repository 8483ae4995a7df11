import type { Db } from "../../store/db.ts";
import { listThreadsOfIncident } from "../../store/queries/channel-threads.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { newMessage } from "./message.ts";
import { channelKinds } from "./registry.ts";

const TYPES = Object.values(channelKinds)
  .filter((kind) => "hearsOfAcknowledgement" in kind && kind.hearsOfAcknowledgement)
  .map(({ type }) => type);

/**
 * Tells the channels that were told of this incident, where their kind can make something of it, that somebody has
 * acknowledged it. In the transaction in which that is stored.
 */
export async function tellAcknowledged(trx: Db, incident: Incident, now: number): Promise<void> {
  const threads = await listThreadsOfIncident(trx, incident.id, TYPES);
  const monitors = await listMessageMonitors(
    trx,
    threads.map(({ monitorId }) => monitorId),
  );
  const { organizationId, id: incidentId, acknowledgedByName } = incident;
  const deliveries = threads.flatMap(({ monitorId, threadId, channelId: id, ...channel }) => {
    const monitor = monitors.get(monitorId);
    if (!monitor) return [];
    const said = fact("notice.acknowledged", { who: acknowledgedByName ?? "?", name: monitor.name });
    const about = { at: now, fact: said, monitor, incidentId };
    const message = newMessage({ event: "acknowledged", type: "info", ...about });
    return deliveryOf({ ...toChannel({ id, organizationId, ...channel }), threadId }, message, now);
  });
  await insertChannelDeliveries(trx, deliveries, { now });
}

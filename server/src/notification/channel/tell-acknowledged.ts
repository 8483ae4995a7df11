import { randomUUIDv7 } from "node:crypto";
import type { Db } from "../../store/db.ts";
import { listThreadsOfIncident } from "../../store/queries/channel-threads.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { fact } from "../../texts/fact.ts";
import { CHANNEL_WORTH_MS } from "../rules.ts";
import type { Message } from "./message.ts";
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
  const who = incident.acknowledgedByName ?? "?";
  const deliveries = threads.flatMap(({ monitorId, threadId, channelId, target: recipient }) => {
    const monitor = monitors.get(monitorId);
    if (!monitor) return [];
    const message: Message = {
      event: "acknowledged",
      type: "info",
      at: now,
      fact: fact("notice.acknowledged", { who, name: monitor.name }),
      reason: null,
      monitor,
      incidentId: incident.id,
      locations: [],
      outageMs: null,
    };
    return {
      uuid: randomUUIDv7(),
      organizationId: incident.organizationId,
      channelId,
      threadId,
      recipient,
      event: message.event,
      message: JSON.stringify(message),
      givesUpAt: now + CHANNEL_WORTH_MS,
    };
  });
  await insertChannelDeliveries(trx, deliveries, { now });
}

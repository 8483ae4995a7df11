import type { Config } from "../../config.ts";
import type { Severity } from "../../incident/states.ts";
import type { Db } from "../../store/db.ts";
import { type Channel, listChannelsToTell } from "../../store/queries/channels.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "../channel/delivery.ts";
import type { IncidentEvent } from "../channel/filter.ts";
import { areSentAt, nextBeginning } from "../channel/hours.ts";
import { type Message, newMessage } from "../channel/message.ts";

/** What a person wrote about an incident, or did to it. */
export interface IncidentNews {
  event: IncidentEvent;
  incident: { id: number; organizationId: number; title: string; severity: Severity };
  said: string | Fact;
  /** Knows already. */
  authorId: number | null;
}

/**
 * Writes mails about what somebody wrote of an incident into the outbox, in the transaction that keeps it: to each member who
 * wants them but the author. Unless it is critical, it waits for the end of their quiet hours.
 */
export async function tellOfIncident(
  trx: Db,
  { event, incident, said, authorId }: IncidentNews,
  { now, config }: { now: number; config: Pick<Config, "smtp"> },
): Promise<void> {
  if (config.smtp === null) return;
  const { organizationId, severity } = incident;
  const channels = await listChannelsToTell(trx, [organizationId], { mails: true });
  const wanting = channels.filter(
    ({ type, userId, events }) =>
      type === "email" &&
      userId !== null &&
      userId !== authorId &&
      (events as readonly string[]).includes(event),
  );
  const message = messageOf(event, incident, said, now);
  const deliveries = wanting.map((channel) => {
    const notBefore = severity === "critical" ? now : endOfQuiet(channel, now);
    return { ...deliveryOf({ ...toChannel(channel), threadId: null }, message, notBefore), notBefore };
  });
  await insertChannelDeliveries(trx, deliveries, { now });
}

const endOfQuiet = ({ hours, timeZone }: Channel, now: number): number =>
  hours === null || areSentAt(hours, now, timeZone) ? now : (nextBeginning(hours, now, timeZone) ?? now);

const TYPES = {
  "incident.opened": "warning",
  "incident.updated": "info",
  "incident.resolved": "success",
} as const;

function messageOf(
  event: IncidentEvent,
  { id, title }: IncidentNews["incident"],
  said: string | Fact,
  now: number,
): Message {
  const told =
    typeof said === "string"
      ? fact("notice.incident_said", { title, said })
      : { ...fact("notice.incident_fact", { title }), because: said };
  return newMessage({ event, type: TYPES[event], at: now, fact: told, incidentId: id });
}

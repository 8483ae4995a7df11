import type { Config } from "../../config.ts";
import { type Titled, titleFact } from "../../incident/title-rules.ts";
import type { Db } from "../../store/db.ts";
import { listChannelsToTell } from "../../store/queries/channels.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "../channel/delivery.ts";
import type { IncidentEvent } from "../channel/filter.ts";
import { type Message, newMessage } from "../channel/message.ts";
import { mailingOf } from "./known-address.ts";

/** What a person wrote about an incident, or did to it. */
export interface IncidentNews {
  event: IncidentEvent;
  incident: Titled & Pick<Incident, "id" | "organizationId" | "status" | "severity">;
  said: string | Fact;
  /** Knows already. */
  authorId: number | null;
}

/**
 * Writes mails about what somebody wrote of an incident into the outbox, in the transaction that keeps it: to each member who
 * wants them but the author, each at their pace and in their hours (channel/pace.ts).
 */
export async function tellOfIncident(
  trx: Db,
  { event, incident, said, authorId }: IncidentNews,
  { now, config }: { now: number; config: Pick<Config, "smtp" | "signup"> },
): Promise<void> {
  if (config.smtp === null) return;
  const { organizationId } = incident;
  const channels = await listChannelsToTell(trx, [organizationId], mailingOf(config));
  const wanting = channels.filter(
    ({ type, userId, events }) =>
      type === "email" &&
      userId !== null &&
      userId !== authorId &&
      (events as readonly string[]).includes(event),
  );
  const message = messageOf(event, incident, said, now);
  const deliveries = wanting.map((channel) =>
    deliveryOf({ ...toChannel(channel), threadId: null }, message, now),
  );
  await insertChannelDeliveries(trx, deliveries, { now });
}

const TYPES = {
  "incident.opened": "warning",
  "incident.updated": "info",
  "incident.resolved": "success",
} as const;

function messageOf(
  event: IncidentEvent,
  incident: IncidentNews["incident"],
  said: string | Fact,
  now: number,
): Message {
  const { id, severity } = incident;
  const told =
    typeof said === "string"
      ? fact("notice.incident_said", { said })
      : { ...fact("notice.incident_fact"), because: said };
  return newMessage({
    ...{ event, type: TYPES[event], at: now, fact: told, incidentId: id, severity },
    title: titleFact(incident, { isOver: incident.status === "resolved" }) ?? incident.title,
  });
}

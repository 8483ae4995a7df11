import { type Static, Type } from "typebox";
import { channelKinds } from "../notification/channel/registry.ts";
import type { IncidentDelivery as StoredDelivery } from "../store/queries/incident-deliveries.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { nullable, oneOf, Timestamp, timestamp, timestampOrNull, Uuid } from "./field.ts";

export const IncidentDelivery = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    uuid: Uuid,
    channelId: nullable(
      Type.Integer({ examples: [3] }),
      "The channel, whose log has every try; null for your own.",
    ),
    channelName: nullable(Type.String({ examples: ["On call"] }), "Null for your own."),
    channelType: Type.String({ description: "What is spoken.", examples: Object.keys(channelKinds) }),
    isOwn: Type.Boolean({ description: "It told you alone, as your settings say." }),
    event: Type.String({ examples: ["monitor.down"] }),
    subject: nullable(
      Type.String({ examples: ["Shop"] }),
      "The monitor that it is about; null for what people wrote of the incident.",
    ),
    state: oneOf(["waiting", "sent", "failed"]),
    sentAt: nullable(Timestamp, "When the other side took it, alone or with others in one message."),
    heldUntil: nullable(
      Timestamp,
      "It waits until then, for the hours in which this channel is told things.",
    ),
    again: nullable(Timestamp, "When it is tried next; null: it is not."),
    failure: nullable(Type.String(), "Why it has not got there, so far or for good."),
    failureFact: Fact,
    createdAt: Timestamp,
  },
  { title: "IncidentDelivery" },
);

/** A message that told of an incident, as whoever may read of it sees it at that time, milliseconds. */
export function projectIncidentDelivery(
  delivery: StoredDelivery,
  now: number,
): Static<typeof IncidentDelivery> {
  const { id, uuid, channelType, event, state, failure, sentAt, heldUntil, nextTryAt, createdAt } = delivery;
  const about = JSON.parse(delivery.message ?? "{}") as { monitor?: { name: string } | null };
  const isOwn = delivery.userId !== null;
  const waits = state === "waiting";
  return {
    ...{ id, uuid, channelType, isOwn, state },
    channelId: isOwn ? null : delivery.channelId,
    channelName: isOwn ? null : delivery.channelName,
    event: event ?? "",
    subject: about.monitor?.name ?? null,
    sentAt: timestampOrNull(state === "sent" ? sentAt : null),
    heldUntil: timestampOrNull(waits && heldUntil !== null && heldUntil > now ? heldUntil : null),
    again: timestampOrNull(waits ? nextTryAt : null),
    failure: sentenceOf(failure),
    failureFact: failure,
    createdAt: timestamp(createdAt),
  };
}

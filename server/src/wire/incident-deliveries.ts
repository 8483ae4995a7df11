import { type Static, Type } from "typebox";
import type { UntoldChannel as StoredUntold } from "../incident/list-untold.ts";
import { channelKinds } from "../notification/channel/registry.ts";
import type { IncidentDelivery as StoredDelivery } from "../store/queries/incident-deliveries.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { nullable, oneOf, Timestamp, timestamp, timestampOrNull, Uuid } from "./field.ts";
import { projectWaiting, WaitingMessage } from "./waiting-message.ts";

export const IncidentDelivery = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    uuid: Uuid,
    channelId: nullable(
      Type.Integer({ examples: [3] }),
      "The channel; its log has every attempt. Null for your own.",
    ),
    channelName: nullable(Type.String({ examples: ["On call"] }), "Null for your own."),
    channelType: Type.String({
      description: "The type of the channel.",
      examples: Object.keys(channelKinds),
    }),
    isOwn: Type.Boolean({ description: "It went to you alone, according to your settings." }),
    event: Type.String({ examples: ["monitor.down"] }),
    subject: nullable(
      Type.String({ examples: ["Shop"] }),
      "The monitor that it is about; null for what people wrote about the incident.",
    ),
    state: oneOf(["waiting", "sent", "failed"]),
    sentAt: nullable(Timestamp, "When the other side took it, alone or with others in one message."),
    ...WaitingMessage,
    failure: nullable(Type.String(), "Why it has not got there, so far or for good."),
    failureFact: Fact,
    createdAt: Timestamp,
  },
  { title: "IncidentDelivery" },
);

const UntoldChannel = Type.Object(
  {
    id: Type.Integer({ examples: [4] }),
    name: Type.String({ examples: ["Night shift"] }),
    why: oneOf(["off", "unconfirmed", "later", "filtered", "unknown"], {
      description:
        "It was turned off; its address was not confirmed; it was added later; its filter excludes what went down; or its present settings do not tell.",
    }),
    since: nullable(Timestamp, "Since when it is off, where that is why and was kept."),
  },
  { title: "UntoldChannel" },
);

/** What the list says beside the messages. */
export const IncidentDeliveryFacts = {
  incomplete: Type.Boolean({
    description:
      "True if the incident began more than 30 days ago: what was sent before that is no longer kept.",
  }),
  untold: Type.Array(UntoldChannel, {
    description:
      "The organization's channels that were sent nothing about its outages. Empty if it has no outages, if they are in maintenance, and if the list is incomplete.",
  }),
};

/** A message that told of an incident, as whoever may read of it sees it at that time, milliseconds. */
export function projectIncidentDelivery(
  delivery: StoredDelivery,
  now: number,
): Static<typeof IncidentDelivery> {
  const { id, uuid, channelType, event, state, failure, sentAt, createdAt } = delivery;
  const about = JSON.parse(delivery.message ?? "{}") as { monitor?: { name: string } | null };
  const isOwn = delivery.userId !== null;
  return {
    ...{ id, uuid, channelType, isOwn, state },
    channelId: isOwn ? null : delivery.channelId,
    channelName: isOwn ? null : delivery.channelName,
    event: event ?? "",
    subject: about.monitor?.name ?? null,
    sentAt: timestampOrNull(state === "sent" ? sentAt : null),
    ...projectWaiting(delivery, now),
    failure: sentenceOf(failure),
    failureFact: failure,
    createdAt: timestamp(createdAt),
  };
}

/** A channel that was told nothing of it. */
export const projectUntold = ({ since, ...channel }: StoredUntold): Static<typeof UntoldChannel> => ({
  ...channel,
  since: timestampOrNull(since),
});

import { type Static, Type } from "typebox";
import { SEVERITIES } from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import { type Message, namesOf } from "../channels/message.ts";
import { channelKinds } from "../channels/registry.ts";
import type { ChannelNotification } from "../explain.ts";
import type { IncidentDelivery as StoredDelivery } from "../queries/incident-deliveries.ts";

/** What every log says of a message that waits. */
export const WaitingMessage = {
  again: nullable(Timestamp, "When it is tried next; null: it is not."),
  isBehind: Type.Boolean({
    description: "It waits because an earlier message about the same, which goes first, is still on its way.",
  }),
};

interface Waiting {
  state: "waiting" | "sent" | "failed";
  nextTryAt: number;
  heldUntil: number | null;
  isBehind: boolean | number;
}

const Shape = Type.Object(WaitingMessage);

/** What a log says of it. */
export function projectWaiting({ state, nextTryAt, heldUntil, isBehind }: Waiting): Static<typeof Shape> {
  const waits = state === "waiting";
  return {
    again: timestampOrNull(waits ? Math.max(nextTryAt, heldUntil ?? 0) : null),
    isBehind: waits && Boolean(isBehind),
  };
}

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
    failureFact: MessageSchema,
    createdAt: Timestamp,
  },
  { title: "IncidentDelivery" },
);

const IncidentChannel = Type.Object(
  {
    id: nullable(Type.Integer({ examples: [4] }), "Null for your own."),
    name: nullable(Type.String({ examples: ["Night shift"] }), "Null for your own."),
    type: Type.String({ description: "The type of the channel.", examples: Object.keys(channelKinds) }),
    isOwn: Type.Boolean({ description: "It goes to you alone, according to your settings." }),
    state: oneOf(["notified", "resolved", "waiting", "none"], {
      description:
        "`notified`: it was notified of what is down, or was, and not of its end; `resolved`: and of its end; `waiting`: a message is still to be sent; `none`: it is sent nothing, or nothing more.",
    }),
    why: nullable(
      oneOf([
        ...(["sending", "throttled", "failing", "group_interval", "quiet_hours"] as const),
        ...(["maintenance", "parent", "event", "severity", "tags", "shared_mail"] as const),
        ...(["off", "disabled", "unconfirmed", "no_mail", "recovered_unnotified", "added_later"] as const),
      ]),
      "What the next message waits for, or why none is sent; of `notified`, why it was not notified of the rest: other monitors, or the end. Waiting: it is about to be sent; several others are sent first, because there are many; the last attempt failed; what joins or recovers is sent together, at most once a minute; or the channel has quiet hours. None: what is down is in maintenance, or behind a monitor that the channel was notified of; its filter wants other events, severities or tags (`wants`); a channel of the organization writes to the same address; it is turned off, or was disabled by what the other side answered; its address is not confirmed; this installation sends no mail; everything was up again before a message could be sent; or the channel was added later. Null where neither applies, or the reason is no longer known.",
    ),
    wants: nullable(
      Type.Object({
        events: Type.Optional(Type.Array(Type.String({ examples: ["monitor.degraded"] }))),
        severities: Type.Optional(Type.Array(oneOf(SEVERITIES))),
        tags: Type.Optional(Type.Array(fromOutside(Type.String({ examples: ["payments"] })))),
      }),
      "If its filter leaves the incident out, or something of it: what the parts of the filter want that do so.",
    ),
    sentAt: nullable(Timestamp, "When it was last sent something about the incident."),
    nextAt: nullable(Timestamp, "When the next message, or the next reminder, is sent or attempted."),
    since: nullable(Timestamp, "Since when it is turned off or disabled, where that is why and is known."),
  },
  { title: "IncidentChannel" },
);

/** What the list says beside the messages. */
export const IncidentDeliveryDetails = {
  incomplete: Type.Boolean({
    description:
      "True if the incident began more than 30 days ago: what was sent before that is no longer stored.",
  }),
  channels: Type.Array(IncidentChannel, {
    description:
      "Every channel of the organization, and your own: what it was notified of the incident's outages, what it waits for, and why it is sent nothing. Empty if the incident has no outages, or if the list is incomplete.",
  }),
};

/** A message about an incident, as everybody who may read the incident sees it. */
export function projectIncidentDelivery(delivery: StoredDelivery): Static<typeof IncidentDelivery> {
  const { id, uuid, channelType, event, state, failure, sentAt, createdAt } = delivery;
  const about = JSON.parse(delivery.message ?? "{}") as Partial<Message>;
  const isOwn = delivery.userId !== null;
  return {
    ...{ id, uuid, channelType, isOwn, state },
    channelId: isOwn ? null : delivery.channelId,
    channelName: isOwn ? null : delivery.channelName,
    event: event ?? "",
    subject: namesOf(about),
    sentAt: timestampOrNull(state === "sent" ? sentAt : null),
    ...projectWaiting(delivery),
    failure: sentenceOf(failure),
    failureFact: failure,
    createdAt: timestamp(createdAt),
  };
}

/** A channel, and what it was notified of an incident. */
export function projectChannelNotification({
  channel,
  sentAt,
  nextAt,
  since,
  ...rest
}: ChannelNotification): Static<typeof IncidentChannel> {
  const isOwn = channel.userId !== null;
  return {
    id: isOwn ? null : channel.id,
    name: isOwn ? null : channel.name,
    type: channel.type,
    isOwn,
    ...rest,
    sentAt: timestampOrNull(sentAt),
    nextAt: timestampOrNull(nextAt),
    since: timestampOrNull(since),
  };
}

import { type Static, type TSchema, Type } from "typebox";
import { configField, optional, pick, usual } from "../../monitors/schemas/monitor-input.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../../platform/formats/name.ts";
import { parseMessage } from "../../platform/i18n/message.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { SEVERITIES } from "../../platform/monitor-defaults.ts";
import {
  capital,
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
import { forReaders, withoutHidden } from "../../platform/secrets/config-secrets.ts";
import { CHANNEL_EVENTS, REMINDERS, WEEKDAYS } from "../channels/filter.ts";
import type { ChannelKind } from "../channels/kind.ts";
import { type Message, namesOf } from "../channels/message.ts";
import { channelKind, channelKinds } from "../channels/registry.ts";
import type { ShownChannel } from "../operations/shown-channel.ts";
import type { Outcome } from "../outbox.ts";
import type { DeliveryAttempt, LoggedDelivery } from "../queries/channel-deliveries.ts";
import { projectWaiting, WaitingMessage } from "./incident-deliveries.ts";

const Attempt = Type.Object(
  {
    at: Timestamp,
    duration: Type.Integer({ description: "Milliseconds." }),
    outcome: oneOf(["sent", "refused", "postponed"], {
      description: "`refused`: it is not tried again; `postponed`: it is.",
    }),
    said: fromOutside(nullable(Type.String(), "What became of it, in a sentence.")),
    saidFact: MessageSchema,
    request: nullable(
      Type.Object({
        method: Type.String({ examples: ["POST"] }),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: Type.String(),
      }),
      "What was sent, the first 4096 characters, secrets masked; null where it is no HTTP, or nothing was.",
    ),
    answer: nullable(
      Type.Object({ status: Type.Integer({ examples: [200] }), body: fromOutside(Type.String()) }),
      "What came back, the first 4096 characters; null where nothing did.",
    ),
  },
  { title: "DeliveryAttempt" },
);

const TriedAt = nullable(
  Timestamp,
  "When it was last attempted, alone or with others in one message; null: not yet.",
);

export const ChannelDelivery = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    uuid: Uuid,
    event: Type.String({ examples: ["monitor.down"] }),
    subject: nullable(
      Type.String(),
      "The monitor that it is about, or the title of the incident that people write about; null for a test, a `confirmation` (the request for consent to an address), and a `digest`: several messages in one.",
    ),
    state: oneOf(["waiting", "sent", "failed"]),
    failure: fromOutside(nullable(Type.String(), "Why it has not got there, so far or for good.")),
    failureFact: MessageSchema,
    triedAt: TriedAt,
    ...WaitingMessage,
    attempts: Type.Array(Attempt, { description: "Every attempt, oldest first." }),
    createdAt: Timestamp,
  },
  { title: "ChannelDelivery" },
);

/** What a test answers. */
export const ChannelTest = Type.Object(
  {
    accepted: Type.Boolean({ description: "Whether the other side accepted it." }),
    answer: fromOutside(
      Type.String({
        description: "What the other side answered, or why it could not be reached.",
        examples: ["hooks.slack.com accepted it (200)."],
      }),
    ),
    answerFact: MessageSchema,
  },
  { title: "ChannelTest" },
);

export const projectChannelTest = (outcome: Outcome): Static<typeof ChannelTest> => {
  const outcomeMessage = outcome.is === "sent" ? outcome.said : outcome.why;
  return {
    accepted: outcome.is === "sent",
    answer: sentenceOf(outcomeMessage) ?? "",
    answerFact: outcomeMessage,
  };
};

/** A delivery with `attempts`, its tries. */
export function projectDelivery(
  delivery: LoggedDelivery,
  attempts: readonly DeliveryAttempt[],
): Static<typeof ChannelDelivery> {
  const { id, uuid, event, state, triedAt, createdAt } = delivery;
  const failure = parseMessage(delivery.failure);
  const about = JSON.parse(delivery.message ?? "{}") as Partial<Message>;
  const { title = null } = about;
  return {
    id,
    uuid,
    event: event ?? "",
    subject: namesOf(about) ?? (typeof title === "string" ? title : sentenceOf(title)),
    state,
    failure: sentenceOf(failure),
    failureFact: failure,
    triedAt: timestampOrNull(triedAt),
    ...projectWaiting(delivery),
    attempts: attempts.map(({ at, durationMs, outcome, message, request, answer }) => ({
      at: timestamp(at),
      duration: durationMs,
      outcome,
      said: sentenceOf(message),
      saidFact: message,
      request,
      answer,
    })),
    createdAt: timestamp(createdAt),
  };
}

type Fields = Record<string, TSchema>;

const kinds: readonly ChannelKind[] = Object.values(channelKinds);
const fieldsOf = ({ configSchema }: ChannelKind): Fields =>
  Object.fromEntries(
    Object.entries((configSchema as unknown as { properties: Fields }).properties).map(([name, schema]) => [
      name,
      configField(schema),
    ]),
  );

const Name = Type.String({
  format: "name",
  description: "1 to 255 characters, each name once.",
  examples: ["On call"],
});

const ChannelTypeName = oneOf(Object.keys(channelKinds), {
  description: "The type of the channel; it decides what `config` holds.",
});

const Time = (description: string) =>
  Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description, examples: ["08:00"] });

/** Days and hours, as people choose them. */
export const HoursFields = {
  days: Type.Optional(
    Type.Array(oneOf(WEEKDAYS), {
      maxItems: WEEKDAYS.length,
      uniqueItems: true,
      description: "The days. []: every day.",
      ...usual([]),
    }),
  ),
  from: Type.Optional(Time("From then on, HH:MM. Default: 00:00.")),
  to: Type.Optional(Time("Until then, HH:MM; before `from`, on the next day. Default: the end of the day.")),
};

/** What may be set of every channel, whatever its type. */
const channelSettings = {
  enabled: Type.Boolean({ description: "False: nothing is sent.", ...usual(true) }),
  events: Type.Array(oneOf(CHANNEL_EVENTS), {
    maxItems: CHANNEL_EVENTS.length,
    uniqueItems: true,
    description:
      "Which events it is sent. Default: [], which is all. A channel that was not notified of a problem is not notified of its end. `incident.…`: what people write about incidents, their own and those of outages. `certificate.…` has severities of its own: low, and medium from three days on or when the certificate is not valid.",
    ...usual([]),
  }),
  severities: Type.Array(oneOf(SEVERITIES), {
    maxItems: SEVERITIES.length,
    uniqueItems: true,
    description: "Only these severities (of monitors, incidents, certificates). Default: [], which is all.",
    ...usual([]),
  }),
  tags: Type.Array(Type.String({ maxLength: MAX_TAG_LENGTH, format: "tag" }), {
    maxItems: MAX_TAGS,
    description:
      "Only monitors with at least one of these tags, and incidents that affect one. Default: [], which is all.",
    ...usual([]),
  }),
  hours: Type.Object(HoursFields, {
    description:
      "When messages are sent, in `timeZone`. What happens outside these hours waits; when they begin, what is still true is sent as one message. Monitors and incidents of critical severity do not wait, nor does the end of a problem that the channel was notified of. {}: always.",
  }),
  reminder: oneOf(REMINDERS, {
    description:
      "How often it is reminded of an outage that is not acknowledged. `critical`: every four hours, of monitors of critical severity only. Reminders end with the outage or when it is acknowledged, and pause during maintenance.",
    ...usual("critical"),
  }),
  language: oneOf(LANGUAGES, { description: "The language of the messages.", ...usual("en") }),
  timeZone: Type.String({
    format: "time-zone",
    maxLength: 64,
    description: "The time zone of `hours` and of the times in messages, an IANA name.",
    examples: ["Europe/Berlin"],
    ...usual("UTC"),
  }),
};

const ChannelConfig = Type.Object(optional(Object.assign({}, ...kinds.map(fieldsOf)) as Fields), {
  title: "ChannelConfig",
  description:
    "The settings of the type, see its schema in ChannelCreate. Replaced as a whole, except that secrets, which are never returned, stay as they are if you do not send them, unless the rest changes.",
});

/** A sentence that may quote the other side. */
const said = (description: string) => fromOutside(nullable(Type.String(), description));

/** PUT of a channel: any subset. */
export const ChannelUpdate = Type.Object(
  { name: Type.Optional(Name), config: Type.Optional(ChannelConfig), ...optional(channelSettings) },
  { title: "ChannelUpdate" },
);

/** POST of a channel: one shape for each type. */
export const ChannelCreate = Type.Unsafe<
  Static<typeof ChannelUpdate> & { name: string; type: string; config: object }
>({
  ...Type.Object(
    { ...ChannelUpdate.properties, name: Name, type: ChannelTypeName, config: ChannelConfig },
    { title: "ChannelCreate" },
  ),
  discriminator: { propertyName: "type" },
  oneOf: kinds.map((kind) => {
    const { description, required = [] } = kind.configSchema as unknown as Described;
    const { type } = kind;
    const config = {
      type: "object",
      title: `${capital(type)}ChannelConfig`,
      description,
      properties: fieldsOf(kind),
      ...(required.length > 0 && { required }),
    };
    return {
      type: "object",
      title: `${capital(type)}Channel`,
      required: ["type", "config"],
      properties: { type: Type.Literal(type), config },
      // The fields beside these are the same for all.
      additionalProperties: true,
    };
  }),
});

interface Described {
  description: string;
  required?: string[];
}

const shownConfig = Object.assign(
  {},
  ...kinds.map((kind) =>
    Object.fromEntries(
      Object.entries(fieldsOf(kind))
        .filter(([, field]) => !("writeOnly" in field))
        // Formats say what may be sent.
        .map(([name, { format: _, ...field }]: [string, TSchema & { format?: string }]) => [
          name,
          Type.Unsafe(field),
        ]),
    ),
  ),
) as Fields;

export const Channel = Type.Object(
  {
    id: Type.Integer({ examples: [3] }),
    uuid: Uuid,
    name: Type.String({ examples: ["On call"] }),
    type: ChannelTypeName,
    target: Type.String({ description: "Where it leads, without secrets.", examples: ["hooks.slack.com"] }),
    ...channelSettings,
    config: Type.Object(optional(shownConfig), {
      title: "ChannelConfigShown",
      description:
        "The settings of the type without its secrets; some of them only for those who may change the channel.",
    }),
    confirmed: Type.Boolean({
      description:
        "False: the address has not been confirmed, and gets nothing but the request to confirm it. E-mail addresses have to be confirmed, except a member's own that is known to be theirs.",
    }),
    disabledReason: said("Why Vedette turned it off (the other side refused for good); null unless it did."),
    disabledReasonFact: MessageSchema,
    disabledAt: nullable(Timestamp, "Since when it is off. Null: it is on, or that was not recorded."),
    disabledByName: nullable(
      Type.String({ examples: ["Ada Lovelace"] }),
      "Who turned it off. Null: Vedette, or a person who has left.",
    ),
    lastDelivery: nullable(
      Type.Object({
        event: Type.String({ examples: ["monitor.down"] }),
        state: oneOf(["waiting", "sent", "failed"]),
        failure: said("Why it has not got there."),
        failureFact: MessageSchema,
        triedAt: TriedAt,
        createdAt: Timestamp,
      }),
      "The newest message that was attempted, else the newest one; null: none in the last 30 days.",
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "Channel" },
);

/** What a create or update says, field by field. */
export const readChannelInput = (body: object): Partial<Static<typeof ChannelUpdate>> =>
  pick(Object.keys(ChannelUpdate.properties), body);

/** A channel as those see it who may change it, or as all others do. */
export function projectChannel(channel: ShownChannel, mayChange: boolean): Static<typeof Channel> {
  const { id, uuid, name, type, target, enabled, events, severities, tags, language, timeZone } = channel;
  const schema = channelKind(type)?.configSchema ?? Type.Object({});
  const open = withoutHidden(schema, channel.opened);
  const config = mayChange ? open : forReaders(schema, open);
  const { lastDelivery: last } = channel;
  return {
    ...{ id, uuid, name, type, target, enabled, events, severities, tags },
    hours: channel.hours ?? {},
    language,
    timeZone,
    reminder: channel.reminder,
    config: config as Record<string, unknown>,
    confirmed: channel.confirmedAt !== null,
    disabledReason: sentenceOf(channel.disabledReason),
    disabledReasonFact: channel.disabledReason,
    disabledAt: timestampOrNull(channel.turnedOff?.at ?? null),
    disabledByName: channel.turnedOff?.byName ?? null,
    lastDelivery: last && {
      event: last.event ?? "",
      state: last.state,
      failure: sentenceOf(last.failure),
      failureFact: last.failure,
      triedAt: timestampOrNull(last.triedAt),
      createdAt: timestamp(last.createdAt),
    },
    createdAt: timestamp(channel.createdAt),
    updatedAt: timestamp(channel.updatedAt),
  };
}

import { type Static, Type } from "typebox";
import { csvOf } from "../../monitors/schemas/imports.ts";
import { usual } from "../../monitors/schemas/monitor-input.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import {
  asSecret,
  fromOutside,
  IdText,
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
  type Word,
  withId,
} from "../../platform/operations/field.ts";
import { NewestFirstQuery } from "../../platform/operations/paging.ts";
import type { Subscriber as StoredSubscriber } from "../queries/subscribers.ts";
import { SUBSCRIBER_KINDS, SUBSCRIBER_STATES } from "../subscriber/kinds.ts";
import { MAX_COMPONENTS } from "./status-pages.ts";

/** Of a page; and of one import, in lines and characters. */
export const MAX_SUBSCRIBERS = 20_000;
export const MAX_IMPORTED = 5_000;
const MAX_IMPORT_CHARACTERS = 1_000_000;
/** Holds the largest list, whatever its characters. */
export const SUBSCRIBERS_BODY_BYTES = 4 * 1024 * 1024;
const MAX_ADDRESS = 2_048;

const Kind = oneOf(SUBSCRIBER_KINDS, {
  description: "`webhook`: a program that takes a POST. `slack`: an incoming webhook of Slack.",
});

const Components = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string", format: "uuid" },
  maxItems: MAX_COMPONENTS,
  description:
    "Uuids of the components that they are notified about, at least one; null: all. Default: null.",
});

const Language = oneOf(LANGUAGES, { description: "The language of their messages.", ...usual("en") });

const given = {
  kind: Kind,
  // The address of a Slack webhook lets its holder post there.
  address: asSecret(
    Type.String({
      minLength: 1,
      maxLength: MAX_ADDRESS,
      description: "An e-mail address; of a webhook or Slack the address to post to.",
      examples: ["ada@example.com"],
    }),
  ),
  components: Type.Optional(Components),
  language: Type.Optional(Language),
};

const agreed = Type.Optional(
  Type.Boolean({
    description:
      "They have agreed elsewhere and need not confirm. 422 where anybody can sign up to this installation. Default: false.",
    ...usual(false),
  }),
);

export const SubscriberFilter = Type.Object({
  id: IdText,
  kind: Type.Optional(oneOf(SUBSCRIBER_KINDS, { description: "Only these." })),
  state: Type.Optional(oneOf(SUBSCRIBER_STATES, { description: "Only those." })),
  search: Type.Optional(
    Type.String({ maxLength: 255, description: "Only those whose address has this in it." }),
  ),
});
export const SubscriberQuery = Type.Object({ ...SubscriberFilter.properties, ...NewestFirstQuery });

export const SubscriberCreate = withId(Type.Object({ ...given, agreed }, { title: "SubscriberCreate" }));

export const SubscriptionCreate = Type.Object(
  { slug: Type.String({ description: "Of the page.", examples: ["example"] }), ...given },
  { title: "SubscriptionCreate" },
);

export const SubscriberImport = withId(
  Type.Object(
    {
      addresses: Type.Optional(
        Type.Array(Type.String({ maxLength: MAX_ADDRESS }), {
          maxItems: MAX_IMPORTED,
          description: "E-mail addresses.",
          examples: [["ada@example.com"]],
        }),
      ),
      content: Type.Optional(
        Type.String({
          maxLength: MAX_IMPORT_CHARACTERS,
          description: `The same as a file: one address a line, or CSV whose head names a column \`email\` or \`address\`; columns \`language\` and \`components\` (uuids with spaces between), as an export has them, say what each receives, where they are not empty. At most ${MAX_IMPORTED.toLocaleString("en")} of them.`,
          examples: ["ada@example.com\ngrace@example.com\n"],
        }),
      ),
      components: Type.Optional(Components),
      language: Type.Optional(Language),
      agreed,
    },
    {
      title: "SubscriberImport",
      description: "`components` and `language` are of those of whom the list says nothing else.",
    },
  ),
);

export const SubscriberParams = Type.Object({
  id: IdText,
  subscriberId: Type.String({ description: "The subscriber's integer id or uuid.", examples: ["12"] }),
});

export const Subscriber = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    uuid: Uuid,
    kind: Kind,
    address: fromOutside(
      Type.String({
        description: "An e-mail address; of a webhook or Slack the host.",
        examples: ["ada@example.com"],
      }),
    ),
    components: Components,
    language: Language,
    state: oneOf(SUBSCRIBER_STATES, {
      description:
        "`waiting`: has not confirmed yet. `active`: is notified. `ended`: the other side refused for good.",
    }),
    askedAt: nullable(Timestamp, "When confirmation was last requested; null: not yet, or none is needed."),
    confirmedAt: nullable(Timestamp, "When they confirmed."),
    endedReason: fromOutside(nullable(Type.String(), "Why it ended, in English.")),
    endedReasonFact: MessageSchema,
    createdAt: Timestamp,
  },
  { title: "Subscriber" },
);

export const AddedSubscriber = Type.Object(
  {
    ...Subscriber.properties,
    secret: nullable(
      asSecret(Type.String({ examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"] })),
      "What a webhook's messages are signed with (Standard Webhooks), shown this once. Null for the others.",
    ),
  },
  { title: "AddedSubscriber" },
);

export const SubscriberImported = Type.Object(
  {
    added: Type.Integer({ description: "How many are new." }),
    known: Type.Integer({ description: "How many were there already, or are named more than once." }),
    problems: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ description: "Which line of the file, or which of the addresses, from 1." }),
          message: Type.String({ examples: ["This is not an e-mail address."] }),
          fact: MessageSchema,
        },
        { title: "SubscriberProblem" },
      ),
      { description: "What was left out, and why: at most the first 100." },
    ),
    refused: Type.Integer({ description: "How many were left out." }),
  },
  { title: "SubscriberImported" },
);

export function projectSubscriber(subscriber: StoredSubscriber): Static<typeof Subscriber> {
  const { id, uuid, kind, address, components, language, state, endedReason } = subscriber;
  return {
    ...{ id, uuid, kind, address, components, language, state },
    askedAt: timestampOrNull(subscriber.askedAt),
    confirmedAt: timestampOrNull(subscriber.confirmedAt),
    endedReason: sentenceOf(endedReason),
    endedReasonFact: endedReason,
    createdAt: timestamp(subscriber.createdAt),
  };
}

export const projectProblem = ({ line, problem }: { line: number; problem: MessageDescriptor }) => ({
  ...{ line, message: inEnglish(problem), fact: problem },
});

export const SUBSCRIBERS_CSV = {
  type: "text/csv",
  schema: Type.String({ examples: ["kind,address,state\n"] }),
};

const EXPORTED = ["kind", "address", "state", "language", "components", "createdAt", "confirmedAt"] as const;

export const subscribersFile = (
  { slug, subscribers }: { slug: string; subscribers: AsyncIterable<Static<typeof Subscriber>> },
  word: Word,
) => ({
  name: `subscribers-${slug}.csv`,
  content: csvOf(
    EXPORTED.map((key) => ({ key, header: word(key) })),
    inCells(subscribers),
  ),
});

async function* inCells(subscribers: AsyncIterable<Static<typeof Subscriber>>) {
  for await (const one of subscribers) yield { ...one, components: one.components?.join(" ") ?? "" };
}

export const LinkToken = Type.Object({ token: Type.String({ maxLength: 200 }) });

export const SubscriptionChange = Type.Object({
  ...LinkToken.properties,
  components: Type.Unsafe<string[] | null>({
    type: ["array", "null"],
    items: { type: "string", maxLength: 36 },
    maxItems: MAX_COMPONENTS,
  }),
  language: oneOf(LANGUAGES),
});

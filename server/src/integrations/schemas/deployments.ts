import { type Static, Type } from "typebox";
import { NamedMonitor } from "../../monitors/schemas/monitor-input.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../../platform/formats/name.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import {
  asSecret,
  fromOutside,
  IdText,
  idIn,
  MessageSchema,
  Name,
  nullable,
  oneOf,
  sentenceOf,
  shown,
  Timestamp,
  Uuid,
} from "../../platform/operations/field.ts";
import { NewestFirstQuery } from "../../platform/operations/paging.ts";
import { GIT_PROVIDER_NAMES } from "../deployments/git-provider-names.ts";
import { DEPLOYMENT_STATUSES, messageOfSuspect } from "../deployments/rules.ts";
import type { DeploymentWebhook as StoredWebhook } from "../queries/deployment-webhooks.ts";
import type { ShownDeployment, Deployment as StoredDeployment } from "../queries/deployments.ts";

const MAX_MONITORS = 500;
const Status = oneOf(DEPLOYMENT_STATUSES);
const line = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, pattern: "^[^\\x00-\\x1f\\x7f]*$", description, examples: [example] });

const texts = {
  version: line(255, "Of what was deployed: a commit, a tag, a number.", "1a2b3c4d"),
  environment: line(255, "Where to.", "production"),
  author: line(255, "Who or what deployed it.", "CI"),
  message: line(500, "What was changed.", "Faster checkout"),
};
const url = Type.String({
  format: "web-url",
  maxLength: 2048,
  description: "Where more is said of it.",
  examples: ["https://ci.example.com/runs/17"],
});

export const Deployment = Type.Object(
  {
    id: Type.Integer({ examples: [5] }),
    uuid: Uuid,
    name: fromOutside(Type.String({ description: "What was deployed.", examples: ["shop"] })),
    version: fromOutside(nullable(texts.version)),
    environment: fromOutside(nullable(texts.environment)),
    status: Status,
    author: fromOutside(nullable(texts.author)),
    message: fromOutside(nullable(texts.message)),
    url: fromOutside(nullable(Type.String())),
    source: Type.String({
      description: "Who reported it: `api`, a Git provider or an integration.",
      examples: ["api"],
    }),
    startedAt: Timestamp,
    finishedAt: nullable(Timestamp, "Null while it goes on, or where it is unknown."),
    monitors: Type.Array(NamedMonitor, { description: "Domains and services that it touches." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "Deployment" },
);

export const projectDeployment = (one: ShownDeployment): Static<typeof Deployment> => shown(Deployment, one);

export const DeploymentsQuery = Type.Object({
  monitor: Type.Optional({
    ...IdText,
    description:
      "Only those that touch this domain or service, or this device and what runs on it (`linkedMonitors`): id or uuid.",
  }),
  from: Type.Optional(Type.String({ format: "date-time", description: "Only what began then or later." })),
  to: Type.Optional(Type.String({ format: "date-time", description: "Only what began before." })),
  ...NewestFirstQuery,
});

const touched = {
  monitors: Type.Array(idIn({}), {
    maxItems: MAX_MONITORS,
    description: "Domains and services that it touches: ids or uuids.",
    examples: [[12]],
  }),
  tags: Type.Array(Type.String({ maxLength: MAX_TAG_LENGTH, format: "tag" }), {
    maxItems: MAX_TAGS,
    description: "It touches those with at least one of these tags, too.",
    examples: [["shop"]],
  }),
};

export const NewDeployment = Type.Object(
  {
    // Pipelines send what a Git provider has: invisible characters are removed instead of rejected.
    name: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "What was deployed: 1 to 255 characters; space around them does not count.",
      examples: ["shop"],
    }),
    version: Type.Optional(texts.version),
    environment: Type.Optional(texts.environment),
    status: Type.Optional({ ...Status, description: "Default: succeeded." }),
    author: Type.Optional({
      ...texts.author,
      description: "Who or what deployed it. Default: the API key's name.",
    }),
    message: Type.Optional(texts.message),
    url: Type.Optional(url),
    startedAt: Type.Optional({
      ...Timestamp,
      description: "Default: now, or when it ended, where that is earlier.",
    }),
    finishedAt: Type.Optional({
      ...Timestamp,
      description: "At most a day after it began. Default: when it began, unless its status is started.",
    }),
    externalId: Type.Optional(
      line(255, "Your own id for it: sent again, it changes that deployment and makes no other.", "run-17"),
    ),
    monitors: Type.Optional({
      ...touched.monitors,
      description:
        "Domains and services that it touches: ids or uuids. Without `monitors` and `tags` it touches those that have its name, or a tag of that name.",
    }),
    tags: Type.Optional(touched.tags),
  },
  { title: "NewDeployment" },
);

export const DeploymentUpdate = Type.Object(
  {
    status: Type.Optional(Status),
    finishedAt: Type.Optional({
      ...Timestamp,
      description: "At most a day after it began. Default: now, where the status ends it.",
    }),
    version: Type.Optional(texts.version),
    message: Type.Optional(texts.message),
    url: Type.Optional(url),
    monitors: Type.Optional(touched.monitors),
  },
  { title: "DeploymentUpdate" },
);

export const IncidentDeployment = Type.Object(
  {
    id: Type.Integer(),
    uuid: Uuid,
    name: fromOutside(Type.String({ examples: ["shop"] })),
    version: fromOutside(nullable(Type.String({ examples: ["1a2b3c4d"] }))),
    environment: fromOutside(nullable(Type.String())),
    status: Status,
    author: fromOutside(nullable(Type.String({ examples: ["CI"] }))),
    message: fromOutside(nullable(Type.String())),
    url: fromOutside(nullable(Type.String())),
    startedAt: Timestamp,
    finishedAt: nullable(Timestamp),
    sentence: fromOutside(
      Type.String({ examples: ["Started 3 minutes after deployment 1a2b3c of shop by CI."] }),
    ),
    fact: MessageSchema,
  },
  { title: "IncidentDeployment" },
);

/** Null: the incident does not name it. */
export function projectSuspect(
  deployment: StoredDeployment | null,
  startedAt: number,
): Static<typeof IncidentDeployment> | null {
  if (deployment === null) return null;
  const message = messageOfSuspect(deployment, startedAt);
  return shown(IncidentDeployment, { ...deployment, sentence: inEnglish(message), fact: message });
}

const GitProvider = oneOf(GIT_PROVIDER_NAMES, {
  description: "Who sends it; decides how it is signed and what it says.",
});
const environments = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  maxItems: 50,
  description: "Only deployments to one of these environments count. Default: [], which is all.",
  examples: [["production"]],
});
const secret = Type.String({
  minLength: 16,
  maxLength: 255,
  pattern: "^[\\x21-\\x7e]+$",
  format: "password",
  description: "What both sides know. Default: one is made.",
  writeOnly: true,
});

const webhookFields = {
  id: Type.Integer({ examples: [2] }),
  uuid: Uuid,
  name: Type.String({ examples: ["Shop"] }),
  provider: GitProvider,
  url: Type.String({
    description:
      "What to enter over there. Begins with a slash where this installation has no address of its own.",
    examples: ["https://vedette.example.com/api/webhooks/deployments/0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"],
  }),
  monitors: Type.Array(NamedMonitor, { description: "Domains and services that its deployments touch." }),
  monitorsGone: Type.Integer({
    minimum: 0,
    description:
      "How many more it names, which are gone or not yours to read. Where it names any, it does not go by the repository's name.",
  }),
  tags: touched.tags,
  environments,
  lastReceivedAt: nullable(Timestamp, "When something came last. Null: nothing did."),
  lastFailure: nullable(Type.String(), "Why that was refused. Null: it was not."),
  lastFailureFact: MessageSchema,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const DeploymentWebhook = Type.Object(webhookFields, { title: "DeploymentWebhook" });

export const CreatedDeploymentWebhook = Type.Object(
  {
    ...webhookFields,
    secret: nullable(asSecret(Type.String()), "The secret; shown only this once. Null: it was not changed."),
  },
  { title: "CreatedDeploymentWebhook" },
);

const webhookSettings = {
  name: { ...Name, examples: ["Shop"] },
  secret: Type.Optional(secret),
  monitors: Type.Optional(touched.monitors),
  tags: Type.Optional(touched.tags),
  environments: Type.Optional(environments),
};

export const NewDeploymentWebhook = Type.Object(
  { ...webhookSettings, provider: GitProvider },
  { title: "NewDeploymentWebhook" },
);

export const DeploymentWebhookUpdate = Type.Object(
  {
    ...webhookSettings,
    name: Type.Optional(webhookSettings.name),
    renewSecret: Type.Optional(Type.Boolean({ description: "True: another secret is made." })),
  },
  { title: "DeploymentWebhookUpdate" },
);

type Named = Static<typeof NamedMonitor>;

/** `address`: of this installation; null: unknown. */
export const projectWebhook = (
  one: StoredWebhook,
  { monitors, address }: { monitors: Named[]; address: string | null },
): Static<typeof DeploymentWebhook> =>
  shown(DeploymentWebhook, {
    ...one,
    monitors,
    monitorsGone: one.monitors.length - monitors.length,
    provider: one.provider as (typeof GIT_PROVIDER_NAMES)[number],
    url: `${address ?? ""}/api/webhooks/deployments/${one.uuid}`,
    lastFailure: sentenceOf(one.lastFailure),
    lastFailureFact: one.lastFailure,
  });

export const DeliveredWebhook = Type.Object({
  id: IdText,
  /** A character per byte: decoded once the signature over the bytes is verified. */
  body: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
});

export const TakenWebhook = Type.Object(
  {
    receivedAt: Timestamp,
    recorded: Type.Boolean({
      description: "False: it reports no deployment, of another environment, or nothing new.",
    }),
  },
  { title: "TakenDeploymentWebhook" },
);

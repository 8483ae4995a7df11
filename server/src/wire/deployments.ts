import { type Static, Type } from "typebox";
import { DEPLOYMENT_STATUSES, factOfSuspect } from "../integration/deployment/rules.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../monitor/tags.ts";
import type { ShownDeployment, Deployment as StoredDeployment } from "../store/queries/deployments.ts";
import { inEnglish } from "../texts/english.ts";
import { Fact } from "./fact.ts";
import { fromOutside, nullable, oneOf, Timestamp, Uuid } from "./field.ts";
import { IdText, idIn } from "./id.ts";
import { NamedMonitor } from "./monitor-fields.ts";
import { NewestFirstQuery } from "./page.ts";
import { shown } from "./shown.ts";

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
      description: "Who told of it: `api`, a forge or an integration.",
      examples: ["api"],
    }),
    startedAt: Timestamp,
    finishedAt: nullable(Timestamp, "Null while it goes on, or where nobody said."),
    monitors: Type.Array(NamedMonitor, { description: "Domains and services that it touches." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "Deployment" },
);

export const projectDeployment = (one: ShownDeployment): Static<typeof Deployment> => shown(Deployment, one);

/** GET /api/deployments. */
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

/** What it touches, as people name that. */
export const touched = {
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

/** POST /api/deployments. */
export const NewDeployment = Type.Object(
  {
    // Pipelines send what a forge has: what nobody sees in it is taken out instead of refused.
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

/** PUT /api/deployments/{id}. */
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

/** The deployment that an incident names. */
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
    fact: Fact,
  },
  { title: "IncidentDeployment" },
);

/** What an incident that started at this time says of a deployment; null: it names none. */
export function projectSuspect(
  deployment: StoredDeployment | null,
  startedAt: number,
): Static<typeof IncidentDeployment> | null {
  if (deployment === null) return null;
  const fact = factOfSuspect(deployment, startedAt);
  return shown(IncidentDeployment, { ...deployment, sentence: inEnglish(fact), fact });
}

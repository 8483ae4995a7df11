import { type Static, Type } from "typebox";
import { FORGES } from "../integration/deployment/forge-names.ts";
import type { DeploymentWebhook as StoredWebhook } from "../store/queries/deployment-webhooks.ts";
import { touched } from "./deployments.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { asSecret, Name, nullable, oneOf, Timestamp, Uuid } from "./field.ts";
import { IdText } from "./id.ts";
import { NamedMonitor } from "./monitor-fields.ts";
import { shown } from "./shown.ts";

const Forge = oneOf(FORGES, { description: "Who sends it; decides how it is signed and what it says." });
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
  provider: Forge,
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
  lastFailureFact: Fact,
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

/** POST /api/deployments/webhooks. */
export const NewDeploymentWebhook = Type.Object(
  { ...webhookSettings, provider: Forge },
  { title: "NewDeploymentWebhook" },
);

/** PUT /api/deployments/webhooks/{id}. */
export const DeploymentWebhookUpdate = Type.Object(
  {
    ...webhookSettings,
    name: Type.Optional(webhookSettings.name),
    renewSecret: Type.Optional(Type.Boolean({ description: "True: another secret is made." })),
  },
  { title: "DeploymentWebhookUpdate" },
);

type Named = Static<typeof NamedMonitor>;

/** A webhook as it is shown. `address`: of this installation; null: it knows none. */
export const projectWebhook = (
  one: StoredWebhook,
  { monitors, address }: { monitors: Named[]; address: string | null },
): Static<typeof DeploymentWebhook> =>
  shown(DeploymentWebhook, {
    ...one,
    monitors,
    monitorsGone: one.monitors.length - monitors.length,
    provider: one.provider as (typeof FORGES)[number],
    url: `${address ?? ""}/api/webhooks/deployments/${one.uuid}`,
    lastFailure: sentenceOf(one.lastFailure),
    lastFailureFact: one.lastFailure,
  });

/** POST /api/webhooks/deployments/{id}: what was sent, as it came. */
export const DeliveredWebhook = Type.Object({
  id: IdText,
  /** A character for each byte: it is read as text once the signature over the bytes is right. */
  body: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
});

export const TakenWebhook = Type.Object(
  {
    receivedAt: Timestamp,
    recorded: Type.Boolean({
      description: "False: it tells of no deployment, of another environment, or nothing new.",
    }),
  },
  { title: "TakenDeploymentWebhook" },
);

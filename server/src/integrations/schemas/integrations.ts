import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { configField, NamedMonitor } from "../../monitors/schemas/monitor-input.ts";
import {
  capital,
  fromOutside,
  MessageSchema,
  Name,
  nullable,
  oneOf,
  sentenceOf,
  shown,
  Timestamp,
  Uuid,
} from "../../platform/operations/field.ts";
import { withoutHidden } from "../../platform/secrets/config-secrets.ts";
import type { IntegrationResource } from "../queries/integration-resources.ts";
import type { Integration as StoredIntegration } from "../queries/integrations.ts";
import { INTEGRATIONS, PROVIDERS, type Provider } from "../registry.ts";

type Fields = Record<string, TSchema>;

const fieldsOf = (provider: Provider): Fields =>
  Object.fromEntries(
    Object.entries(INTEGRATIONS[provider].configSchema.properties as Fields).map(([name, schema]) => [
      name,
      configField(schema),
    ]),
  );

const optional = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]));

const OwnName = { ...Name, examples: ["Production"] };

const STATES = ["ok", "failing", "relink"] as const;

const common = {
  id: Type.Integer({ examples: [3] }),
  uuid: Uuid,
  provider: oneOf(PROVIDERS, { description: "Whose account it is." }),
  name: Type.String({ examples: ["Production"] }),
  account: fromOutside(
    Type.String({ description: "What the provider calls it.", examples: ["Pay-As-You-Go"] }),
  ),
  target: Type.String({
    description: "Which account it is, without secrets.",
    examples: ["coolify.example.com"],
  }),
  state: oneOf(STATES, {
    description:
      "`failing`: the last look failed, and it is tried again. `relink`: the provider refuses the credentials; give new ones.",
  }),
  failure: nullable(Type.String(), "Why the last look failed. Null: it did not."),
  failureFact: MessageSchema,
  failingSince: nullable(Timestamp),
  syncedAt: nullable(
    Timestamp,
    "When its resources were read last; that happens every five minutes. Null: not yet.",
  ),
  lastSync: Type.Unsafe<{ added: number; removed: number; renamed: number; changed: number } | null>({
    type: ["object", "null"],
    title: "IntegrationSync",
    description: "What the last look that found anything new found.",
    required: ["added", "removed", "renamed", "changed"],
    properties: {
      added: Type.Integer({ minimum: 0, description: "How many were new." }),
      removed: Type.Integer({ minimum: 0, description: "How many were gone." }),
      renamed: Type.Integer({ minimum: 0, description: "How many had another name." }),
      changed: Type.Integer({ minimum: 0, description: "How many had another state or address." }),
    },
  }),
  resources: Type.Integer({ description: "How many resources it has." }),
  monitored: Type.Integer({ description: "How many of them are monitored." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const LinkedAccount = Type.Object(common, { title: "Integration" });

const shownFields = (provider: Provider): TProperties =>
  Object.fromEntries(
    Object.entries(fieldsOf(provider))
      .filter(([, field]) => !("writeOnly" in field) && INTEGRATIONS[provider].link === "form")
      // Formats are for input only.
      .map(
        ([name, { format: _, pattern: __, ...field }]: [
          string,
          TSchema & { format?: string; pattern?: string },
        ]) => [name, Type.Unsafe(field)],
      ),
  ) as TProperties;

const shapesOf = (provider: Provider) => {
  const { title } = INTEGRATIONS[provider];
  const word = capital(provider);
  const given = INTEGRATIONS[provider].link === "form" ? fieldsOf(provider) : {};
  return {
    shown: Type.Object(
      { ...common, ...shownFields(provider) },
      { title: `${word}Integration`, description: `A linked account of ${title}.` },
    ),
    create: Type.Object(
      { ...given, name: Type.Optional({ ...OwnName, description: "Default: what the provider calls it." }) },
      { title: `New${word}Integration` },
    ),
    update: Type.Object(
      { ...optional(given), name: Type.Optional(OwnName) },
      { title: `${word}IntegrationUpdate` },
    ),
  };
};

export const ACCOUNT_SHAPES = Object.fromEntries(
  PROVIDERS.map((provider) => [provider, shapesOf(provider)]),
) as Record<Provider, ReturnType<typeof shapesOf>>;

export interface ShownIntegration extends StoredIntegration {
  target: string;
  resources: number;
  monitored: number;
}

const stateOf = ({ failure, needsLink }: StoredIntegration) =>
  needsLink ? ("relink" as const) : failure === null ? ("ok" as const) : ("failing" as const);

export const projectIntegration = (one: ShownIntegration): Static<typeof LinkedAccount> =>
  shown(LinkedAccount, {
    ...one,
    provider: one.provider as Provider,
    state: stateOf(one),
    failure: sentenceOf(one.failure),
    failureFact: one.failure,
  });

export function projectAccount(provider: Provider, one: ShownIntegration): Static<typeof LinkedAccount> {
  const { configSchema, link } = INTEGRATIONS[provider];
  return { ...(link === "form" && withoutHidden(configSchema, one.config)), ...projectIntegration(one) };
}

export const LinkStart = Type.Object(
  {
    authorizationUrl: Type.String({
      description:
        "Open it in a browser. It comes back to the app, which sends code and state to `…/accounts/callback`.",
      examples: ["https://vercel.com/oauth/authorize?client_id=…"],
    }),
  },
  { title: "IntegrationLinkStart" },
);

export const LinkCallback = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 2048, description: "As the provider gave it." }),
    state: Type.String({ minLength: 1, maxLength: 1024, description: "As it was in `authorizationUrl`." }),
  },
  { title: "IntegrationLinkCallback" },
);

export const Resource = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    uuid: Uuid,
    externalId: fromOutside(Type.String({ description: "What the provider knows it by." })),
    name: fromOutside(Type.String({ examples: ["shop"] })),
    type: fromOutside(Type.String({ description: "In the provider's words.", examples: ["application"] })),
    place: fromOutside(
      nullable(Type.String(), "What it belongs to there: a resource group, an environment, a team."),
    ),
    state: fromOutside(
      nullable(
        Type.String({ examples: ["running:healthy"] }),
        "In the provider's words. Null: it says nothing.",
      ),
    ),
    address: fromOutside(
      nullable(
        Type.String({ examples: ["https://shop.example.com"] }),
        "Where it is reached. Null: nowhere.",
      ),
    ),
    canBeMonitored: Type.Boolean({ description: "Whether there is an address to check." }),
    monitor: Type.Unsafe<Static<typeof NamedMonitor> | null>({
      ...NamedMonitor,
      type: ["object", "null"],
      title: "ResourceMonitor",
      description: "The domain or service that checks it. Null: none does.",
    }),
    foundAt: Timestamp,
    removedAt: nullable(
      Timestamp,
      "Since when the provider does not have it any more, where it is monitored.",
    ),
  },
  { title: "IntegrationResource" },
);

export const projectResource = (one: IntegrationResource): Static<typeof Resource> =>
  shown(Resource, { ...one, canBeMonitored: one.address !== null && one.removedAt === null });

export const ProviderInfo = Type.Object(
  {
    provider: oneOf(PROVIDERS),
    title: Type.String({ examples: ["Vercel"] }),
    link: oneOf(["form", "oauth"], { description: "`oauth`: people agree over there." }),
    missing: nullable(
      Type.String({ examples: ["VEDETTE_VERCEL_CLIENT_ID"] }),
      "Which variable the operator has to set before accounts can be linked. Null: none.",
    ),
    callbackUrl: nullable(Type.String(), "The address to register at the provider, where there is one."),
  },
  { title: "IntegrationProvider" },
);

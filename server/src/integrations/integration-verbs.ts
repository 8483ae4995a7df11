import { Type } from "typebox";
import { callerWhere } from "../platform/access/check-access.ts";
import { hashToken } from "../platform/access/random-tokens.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { checkName } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { withId } from "../platform/operations/field.ts";
import { type Before, namedFor, verb } from "../platform/operations/operation.ts";
import { PageQuery, pageOf } from "../platform/operations/paging.ts";
import { accessWith, findAccountOf, withCounts } from "./access.ts";
import {
  accountVerbs,
  addAccount,
  changeAccount,
  READS,
  renameAccount,
  sharedVerbs,
  showAccount,
  type Verified,
  WRITES,
} from "./account-verbs.ts";
import type { IntegrationKind } from "./kind.ts";
import { type LinkState, makeState, readState } from "./oauth-state.ts";
import { refusalOf } from "./provider-error.ts";
import { claimLinkState } from "./queries/deployment-webhooks.ts";
import { findIntegration, type Integration, listIntegrations as readAll } from "./queries/integrations.ts";
import { INTEGRATIONS, PROVIDERS } from "./registry.ts";
import { resourceVerbs } from "./resource-verbs.ts";
import {
  ACCOUNT_SHAPES,
  LinkCallback,
  LinkedAccount,
  LinkStart,
  ProviderInfo,
  projectIntegration,
} from "./schemas/integrations.ts";
import {
  authorizationUrl,
  CALLBACK_PATH,
  exchangeCode,
  missingSetting,
  verifierFor,
} from "./vercel-oauth.ts";

const kind = INTEGRATIONS.vercel as IntegrationKind;
const { shown, update } = ACCOUNT_SHAPES.vercel;

function assertConfigured({ config }: Before): void {
  const missing = missingSetting(config);
  if (missing !== null)
    throw new PublicError("conflict", msg("integration.not_configured", { variable: missing }));
}

/** Where people agree. Throws 409 until the operator has configured the provider's client. */
function beginLink(ctx: Before, integrationId: number | null): { authorizationUrl: string } {
  assertConfigured(ctx);
  const { userId, organizationId } = ctx.caller;
  const state = makeState(ctx.secrets, { userId, organizationId, integrationId }, ctx.clock.now());
  return { authorizationUrl: authorizationUrl(ctx.config, ctx.secrets, state) };
}

/** The same person has to return. Throws 422 for an unknown or expired state, 404 for another person's. */
function whoseLink(ctx: Before, state: string): LinkState {
  const known = readState(ctx.secrets, state, ctx.clock.now());
  if (known === null) throw invalidInput({ state: [msg("integration.state")] });
  if (known.userId !== ctx.caller.userId) throw notFound();
  return known;
}

/** Before the code is exchanged, so that a state works once. Throws 422 for a used one. */
async function useState(
  { store, clock }: Before,
  state: string,
  { organizationId }: LinkState,
): Promise<void> {
  const claim = { organizationId, stateHash: hashToken(state) };
  const isFirst = await store.transaction((db) => claimLinkState(db, claim, clock.now()));
  if (!isFirst) throw invalidInput({ state: [msg("integration.state")] });
}

interface Linking {
  state: LinkState;
  verified: Verified;
}

/** For accounts that are linked by OAuth. */
export const vercelVerbs = {
  ...sharedVerbs("vercel"),
  /** Returns where people agree. */
  create: verb({
    ...WRITES,
    // Nothing is linked yet.
    audit: null,
    input: Type.Object({}, { title: "NewVercelIntegration" }),
    output: LinkStart,
    prepare: async (ctx) => beginLink(ctx, null),
    run: async (_ctx, _input, started: { authorizationUrl: string }) => started,
  }),
  /** After the link was revoked. Throws 404. */
  relink: verb({
    ...WRITES,
    audit: null,
    input: withId(Type.Object({})),
    output: LinkStart,
    find: findAccountOf("vercel"),
    prepare: async (ctx, _, { id }: Integration) => beginLink(ctx, id),
    run: async (_ctx, _input, started: { authorizationUrl: string }) => started,
  }),
  /** Throws 422 for an invalid code or state, 502 where Vercel is down. */
  complete: verb({
    ...WRITES,
    audit: "link integration",
    input: LinkCallback,
    output: shown,
    async find(ctx, input) {
      assertConfigured(ctx);
      const found = whoseLink(ctx, input.state);
      return { caller: await callerWhere(ctx, [String(found.organizationId)]), found };
    },
    async prepare(ctx, { code, state: text }, state: LinkState): Promise<Linking> {
      await useState(ctx, text, state);
      try {
        const { send, now } = accessWith(ctx, kind, {} as never);
        const verifier = verifierFor(ctx.secrets, text);
        const config = await exchangeCode({ settings: ctx.config, send, now }, { code, verifier });
        const account = await kind.verify(accessWith(ctx, kind, config as never));
        return { state, verified: { name: undefined, config, account } };
      } catch (error) {
        throw refusalOf(error, kind.secretField);
      }
    },
    async run(ctx, _, { state, verified }: Linking) {
      const { organizationId, integrationId } = state;
      if (integrationId === null) return showAccount(ctx, "vercel", await addAccount(ctx, kind, verified));
      const found = await findIntegration(ctx.db, {
        organizationId,
        provider: "vercel",
        ref: { id: integrationId },
      });
      if (!found) throw notFound();
      return showAccount(ctx, "vercel", await changeAccount(ctx, kind, found, verified));
    },
  }),
  /** Throws 404. */
  update: verb({
    ...WRITES,
    audit: "update integration",
    input: withId(update),
    output: shown,
    find: findAccountOf("vercel"),
    run: async (ctx, { name }, found: Integration) =>
      showAccount(
        ctx,
        "vercel",
        await renameAccount(ctx, found, name === undefined ? name : checkName(name)),
      ),
  }),
};

/** Of all providers, oldest first. */
export const listIntegrations = verb({
  ...READS,
  input: Type.Object(PageQuery),
  output: Type.Array(LinkedAccount),
  paged: true,
  async run(ctx, input) {
    const { organizationId } = ctx.caller;
    const { items, page } = pageOf(await readAll(ctx.db, { organizationId }), input);
    return { items: (await withCounts(ctx, items)).map(projectIntegration), page };
  },
});

/** With what the operator has to configure before accounts can be linked. */
export const listProviders = verb({
  ...READS,
  input: Type.Object({}),
  output: Type.Array(ProviderInfo),
  async run({ config }) {
    return PROVIDERS.map((provider) => {
      const { title, link } = INTEGRATIONS[provider];
      const byOauth = link === "oauth";
      const isReached = byOauth && config.publicUrl !== null;
      return {
        ...{ provider, title, link },
        missing: byOauth ? missingSetting(config) : null,
        callbackUrl: isReached ? config.publicUrl + CALLBACK_PATH : null,
      };
    });
  },
});

export const ACCOUNT_VERBS = {
  azure: { ...accountVerbs("azure"), ...resourceVerbs("azure") },
  coolify: { ...accountVerbs("coolify"), ...resourceVerbs("coolify") },
  vercel: { ...vercelVerbs, ...resourceVerbs("vercel") },
};

export const INTEGRATION_VERBS = {
  listIntegrations,
  listProviders,
  ...namedFor("azure", ACCOUNT_VERBS.azure),
  ...namedFor("coolify", ACCOUNT_VERBS.coolify),
  ...namedFor("vercel", ACCOUNT_VERBS.vercel),
};

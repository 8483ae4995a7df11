import { randomUUIDv7 } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "typebox";
import { hostProblem } from "../checks/guard.ts";
import { configProblems } from "../monitors/apply-input.ts";
import { assertStays } from "../platform/access/check-access.ts";
import { lockOrganization } from "../platform/access/queries/organizations.ts";
import type { Context } from "../platform/context.ts";
import { type FieldErrors, invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { checkName } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { Deleted, IdParams, withId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { PageQuery, pageOf } from "../platform/operations/paging.ts";
import { decisiveChanges, hiddenFields } from "../platform/secrets/config-secrets.ts";
import { openConfig, sealConfig } from "../platform/secrets/secret-box.ts";
import { accessWith, findAccountOf, lockAccount, withCounts } from "./access.ts";
import type { IntegrationKind } from "./kind.ts";
import { refusalOf } from "./provider-error.ts";
import {
  countIntegrations,
  deleteIntegration,
  type Integration,
  insertIntegration,
  listIntegrations,
  renameIntegration,
  saveIntegration,
  syncSoon,
} from "./queries/integrations.ts";
import { INTEGRATIONS, type Provider } from "./registry.ts";
import { ACCOUNT_SHAPES, type LinkedAccount, projectAccount } from "./schemas/integrations.ts";
import { announceAfter, announceIntegration } from "./sync-rules.ts";

/** Of all providers together. */
const MAX_ACCOUNTS = 50;

export const READS = { resource: "integrations", feature: "full", action: "read" } as const;
export const WRITES = { resource: "integrations", feature: "full", action: "write" } as const;

export interface Verified {
  name: string | undefined;
  config: object;
  account: string;
}

/** Throws 403 at the limit, 409 in an organization that is to be deleted. */
export async function addAccount(
  ctx: Running,
  kind: IntegrationKind,
  { name, config, account }: Verified,
): Promise<Integration> {
  const { db, secrets, clock, caller } = ctx;
  const { organizationId } = caller;
  assertStays(await lockOrganization(db, organizationId));
  if ((await countIntegrations(db, organizationId)) >= MAX_ACCOUNTS) {
    throw new PublicError("quota_reached", msg("integration.many", { limit: MAX_ACCOUNTS }));
  }
  const linked = {
    ...{ uuid: randomUUIDv7(), organizationId, provider: kind.provider, account },
    ...{ name: name ?? account, ...sealConfig(secrets, kind.configSchema, config) },
  };
  const id = await insertIntegration(db, linked, clock.now());
  announceIntegration(db, id, announceAfter(ctx));
  return lockAccount(ctx, { ...linked, id } as Integration);
}

/** Throws 404. */
export async function changeAccount(
  ctx: Running,
  kind: IntegrationKind,
  found: Integration,
  { name, config, account }: Verified,
): Promise<Integration> {
  const { db, secrets, clock } = ctx;
  const before = await lockAccount(ctx, found);
  const linked = { ...sealConfig(secrets, kind.configSchema, config), name: name ?? before.name, account };
  await saveIntegration(db, before.id, linked, clock.now());
  announceIntegration(db, before.id, announceAfter(ctx));
  return lockAccount(ctx, before);
}

/** Throws 404. */
export async function renameAccount(
  ctx: Running,
  found: Integration,
  name: string | undefined,
): Promise<Integration> {
  const account = await lockAccount(ctx, found);
  if (name === undefined) return account;
  await renameIntegration(ctx.db, account.id, name, ctx.clock.now());
  announceIntegration(ctx.db, account.id, announceAfter(ctx));
  return lockAccount(ctx, found);
}

interface Change {
  found: Integration;
  name: string | undefined;
  /** Null: only the name changes. */
  verified: Verified | null;
}

const named = ({ name }: { name?: string | undefined }) => (name === undefined ? undefined : checkName(name));

/** For providers whose credentials are typed. */
export function accountVerbs(provider: Provider) {
  const kind = INTEGRATIONS[provider] as IntegrationKind;
  const { create, update } = ACCOUNT_SHAPES[provider];
  return {
    ...sharedVerbs(provider),
    /** Throws 422 where the provider rejects the credentials, 502 where it is down. */
    create: verb({
      ...WRITES,
      audit: "link integration",
      input: create,
      output: ACCOUNT_SHAPES[provider].shown,
      async prepare(ctx, input): Promise<Verified> {
        const { name, ...config } = input as { name?: string };
        const own = named({ name });
        return { name: own, config, account: await verifyAccount(ctx, kind, config) };
      },
      run: async (ctx, _, verified: Verified) =>
        showAccount(ctx, provider, await addAccount(ctx, kind, verified)),
    }),
    /** Absent fields stay; credentials are verified. Throws 404, 422 and 502. */
    update: verb({
      ...WRITES,
      audit: "update integration",
      input: withId(update),
      output: ACCOUNT_SHAPES[provider].shown,
      find: findAccountOf(provider),
      async prepare(ctx, input, found: Integration) {
        const { id: _, name, ...sent } = input as { id: string; name?: string };
        const own = named({ name });
        if (Object.keys(sent).length === 0) return { found, name: own, verified: null };
        const stored = openConfig(ctx.secrets, found);
        const config = changedAccount(kind, stored, sent);
        const isSame = isDeepStrictEqual(stored, config) && !found.needsLink;
        const account = isSame ? found.account : await verifyAccount(ctx, kind, config);
        return { found, name: own, verified: { name: own, config, account } };
      },
      async run(ctx, _, { found, name, verified }: Change) {
        if (verified === null) return showAccount(ctx, provider, await renameAccount(ctx, found, name));
        // The configuration was verified for this version.
        const { version } = await lockAccount(ctx, found);
        if (version !== found.version) throw new PublicError("conflict", msg("integration.changed"));
        return showAccount(ctx, provider, await changeAccount(ctx, kind, found, verified));
      },
    }),
  };
}

/** For any provider. */
export function sharedVerbs(provider: Provider) {
  const { shown } = ACCOUNT_SHAPES[provider];
  const find = findAccountOf(provider);
  return {
    list: verb({
      ...READS,
      input: Type.Object(PageQuery),
      output: Type.Array(shown),
      paged: true,
      async run(ctx, input) {
        const { organizationId } = ctx.caller;
        const { items, page } = pageOf(await listIntegrations(ctx.db, { organizationId, provider }), input);
        const counted = await withCounts(ctx, items);
        return { items: counted.map((one) => projectAccount(provider, one)), page };
      },
    }),
    /** Throws 404. */
    get: verb({
      ...READS,
      input: IdParams,
      output: shown,
      find,
      run: (ctx, _, found: Integration) => showAccount(ctx, provider, found),
    }),
    /** Monitors stay. Throws 404. */
    remove: verb({
      ...WRITES,
      audit: "unlink integration",
      input: IdParams,
      output: Deleted,
      find,
      async run(ctx, _, { id, name }: Integration) {
        if (!(await deleteIntegration(ctx.db, id))) throw notFound();
        ctx.record({ id, name });
        announceIntegration(ctx.db, id, announceAfter(ctx));
        return { id };
      },
    }),
    /** Due within seconds rather than minutes. Throws 404. */
    sync: verb({
      ...WRITES,
      // Only hastens what is due anyway.
      audit: null,
      input: IdParams,
      output: shown,
      find,
      async run(ctx, _, found: Integration) {
        await syncSoon(ctx.db, found.id, ctx.clock.now());
        return showAccount(ctx, provider, found);
      },
    }),
  };
}

export async function showAccount(
  ctx: Running,
  provider: Provider,
  account: Integration,
): Promise<Static<typeof LinkedAccount>> {
  const [one] = await withCounts(ctx, [account]);
  if (!one) throw notFound();
  return projectAccount(provider, one);
}

type Needed = Pick<Context, "config" | "network" | "clock">;

/**
 * The provider's name for the account. Throws 422 of the wrong fields, 502 where it does not answer
 * correctly.
 */
async function verifyAccount(ctx: Needed, kind: IntegrationKind, config: object): Promise<string> {
  const problems = problemsOf(ctx, kind, config);
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  try {
    return await kind.verify(accessWith(ctx, kind, config as never));
  } catch (error) {
    throw refusalOf(error, kind.secretField);
  }
}

function problemsOf({ network }: Needed, { configSchema }: IntegrationKind, config: object): FieldErrors {
  const found = configProblems(configSchema, config, "");
  const problems = Object.fromEntries(
    Object.entries(found).map(([field, own]) => [field.replace(/^\./, ""), own] as const),
  );
  const url = URL.parse(String((config as { url?: string }).url ?? ""));
  const problem = url && hostProblem(url.hostname, network.policy);
  if (problem) (problems["url"] ??= []).push(problem);
  return problems;
}

/** Without a slash at the end. */
const addressed = (config: object): object => {
  const { url } = config as { url?: string };
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed ? { ...config, url: parsed.href.replace(/\/+$/, "") } : config;
};

/**
 * A stored credential must not be sent elsewhere: where the rest changes, it has to be given again. Throws
 * 422.
 */
function changedAccount(
  { configSchema }: IntegrationKind,
  stored: object,
  sent: Readonly<Record<string, unknown>>,
): object {
  const config = { ...stored, ...sent };
  const changed = decisiveChanges(configSchema, addressed(stored), addressed(config)).join(", ");
  const reused = Object.keys(hiddenFields(configSchema, stored)).filter((name) => !(name in sent));
  if (changed === "" || reused.length === 0) return config;
  throw invalidInput(
    Object.fromEntries(reused.map((secret) => [secret, [msg("stored.changed", { secret, changed })]])),
  );
}

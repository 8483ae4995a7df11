import { setTimeout as wait } from "node:timers/promises";
import { findAnywhere } from "../platform/access/resolve-organization.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/db.ts";
import { isUnavailable } from "../platform/database/errors.ts";
import { findOwner } from "../platform/database/ref.ts";
import { notFound } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { parseId } from "../platform/operations/field.ts";
import type { Before, Running } from "../platform/operations/operation.ts";
import { openConfig, sealConfig } from "../platform/secrets/secret-box.ts";
import type { Access, IntegrationKind } from "./kind.ts";
import { ProviderError } from "./provider-error.ts";
import { countResources } from "./queries/integration-resources.ts";
import {
  claimRenewal,
  findIntegration,
  type Integration,
  readIntegration,
  releaseRenewal,
  saveRenewed,
} from "./queries/integrations.ts";
import { integrationKind } from "./registry.ts";
import type { ShownIntegration } from "./schemas/integrations.ts";
import { createSender } from "./send-request.ts";
import { WRONG_MS } from "./sync-rules.ts";

/** Everything that one call needs of an outside system, pages of lists included. */
const WHOLE_MS = 60_000;
/** Tokens that end sooner are exchanged first. */
const EARLY_MS = 60_000;
/** An exchange has that long. What was asked for is not let go before: a refresh token is taken once. */
const EXCHANGE_MS = 30_000;
/** A process that dies while it exchanges keeps the others from it for so long. */
const LEASE_MS = 2 * EXCHANGE_MS;
const LOOK_MS = 200;

type Needed = Pick<Context, "store" | "secrets" | "clock" | "config" | "network">;

/** An access to an outside system with this configuration, secrets in the clear. */
export function accessWith<Config>(
  { network, config: settings, clock }: Pick<Context, "network" | "config" | "clock">,
  { isOwnAddress }: Pick<IntegrationKind<Config>, "isOwnAddress">,
  config: Config,
  signal: AbortSignal = AbortSignal.timeout(WHOLE_MS),
): Access<Config> {
  const reach = isOwnAddress ? { ...network, isOwn: true as const } : network;
  return { config, settings, send: createSender(reach, signal), now: clock.now() };
}

/**
 * Does something with a linked account. Credentials that are about to end are exchanged first, and those that the other side
 * ended early are exchanged once. Throws ProviderError, and the store's error.
 */
export async function withAccount<T>(
  ctx: Needed,
  integration: Integration,
  work: (kind: IntegrationKind, access: Access<never>, used: Integration) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const kind = integrationKind(integration.provider);
  if (!kind)
    throw new ProviderError("rejected", msg("integration.unknown", { provider: integration.provider }));
  const whole = AbortSignal.any([AbortSignal.timeout(WHOLE_MS), ...(signal ? [signal] : [])]);
  const use = (used: Integration) =>
    work(kind, accessWith(ctx, kind, openConfig(ctx.secrets, used) as never, whole), used);
  if (!kind.renewal) return use(integration);
  const isEnding = (one: Integration) => {
    const expiresAt =
      kind.renewal?.expiresAt(openConfig(ctx.secrets, one) as never) ?? Number.POSITIVE_INFINITY;
    return expiresAt - EARLY_MS <= ctx.clock.now();
  };
  const used = isEnding(integration) ? await renewed(ctx, kind, integration, whole) : integration;
  try {
    return await use(used);
  } catch (error) {
    const isEnded = error instanceof ProviderError && error.is === "refused";
    if (!isEnded || used !== integration) throw error;
    return use(await renewed(ctx, kind, integration, whole));
  }
}

/** Exchanged credentials that a store could not save yet, by the account's number: the other side gives them once. */
const unsaved = new WeakMap<Context["store"], Map<number, Integration>>();

function unsavedOf(store: Context["store"]): Map<number, Integration> {
  const known = unsaved.get(store) ?? new Map<number, Integration>();
  unsaved.set(store, known);
  return known;
}

/** Saves the credentials that were exchanged while the store was away. Throws the store's error while it still is. */
export async function saveUnsaved(store: Context["store"]): Promise<void> {
  for (const [id, renewedIntegration] of unsavedOf(store)) {
    await saveRenewed(store.db, renewedIntegration, renewedIntegration);
    unsavedOf(store).delete(id);
  }
}

/**
 * The account with new credentials. Of several processes one exchanges them, since a refresh token is taken once; the others
 * wait for what it keeps.
 */
async function renewed(
  ctx: Needed,
  kind: IntegrationKind,
  known: Integration,
  signal: AbortSignal,
): Promise<Integration> {
  const { store, clock, secrets } = ctx;
  await saveUnsaved(store);
  for (;;) {
    const now = clock.now();
    if (await claimRenewal(store.db, known, { now, until: now + LEASE_MS, latest: now + WRONG_MS })) break;
    const found = await readIntegration(store.db, known.id);
    if (!found) throw new ProviderError("rejected", msg("integration.gone"));
    if (found.version !== known.version) return found;
    if (signal.aborted) throw new ProviderError("down", msg("integration.renewing"));
    await wait(LOOK_MS);
  }
  try {
    const access = accessWith(
      ctx,
      kind,
      openConfig(secrets, known) as never,
      AbortSignal.timeout(EXCHANGE_MS),
    );
    const config = (await kind.renewal?.renew(access)) as unknown as object;
    const renewedIntegration = { ...known, ...sealConfig(secrets, kind.configSchema, config) };
    unsavedOf(store).set(known.id, renewedIntegration);
    const isSaved = await saveRenewed(store.db, known, renewedIntegration);
    unsavedOf(store).delete(known.id);
    if (isSaved) return { ...renewedIntegration, version: known.version + 1 };
    return (await readIntegration(store.db, known.id)) ?? renewedIntegration;
  } catch (error) {
    // What was exchanged stays claimed until it is saved: the former token is worth nothing any more.
    if (isUnavailable(error) && unsavedOf(store).has(known.id)) throw error;
    unsavedOf(store).delete(known.id);
    await releaseRenewal(store.db, known);
    throw error;
  }
}

/** For a verb's `find`: the account of a provider that an id means, wherever the caller may act. Throws 404. */
export const findAccountOf =
  (provider: string) =>
  (ctx: Before, { id }: { id: string }) => {
    const { db } = ctx.store;
    const ref = parseId(id);
    const find = (organizationId: number) => findIntegration(db, { organizationId, provider, ref });
    return findAnywhere(ctx, find, () => findOwner(db, "integrations", ref));
  };

/** It as it is now, locked until the transaction ends. Throws 404. */
export async function lockAccount({ db }: Pick<Running, "db">, found: Integration): Promise<Integration> {
  const { organizationId, provider, id } = found;
  const now = await findIntegration(db, { organizationId, provider, ref: { id }, lock: true });
  if (!now) throw notFound();
  return now;
}

/** Accounts with what is counted of them. */
export async function withCounts(
  { db }: { db: Db },
  accounts: readonly Integration[],
): Promise<ShownIntegration[]> {
  const counts = await countResources(
    db,
    accounts.map(({ id }) => id),
  );
  return accounts.map((one) => ({
    ...one,
    target: integrationKind(one.provider)?.target(one.config as never) ?? "",
    ...(counts.get(one.id) ?? { resources: 0, monitored: 0 }),
  }));
}

import { setTimeout as wait } from "node:timers/promises";
import { findAnywhere } from "../platform/access/check-access.ts";
import type { Context } from "../platform/context.ts";
import { isUnavailable } from "../platform/database/errors.ts";
import type { Db } from "../platform/database/schema.ts";
import { findOwner } from "../platform/database/sql.ts";
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

/** For one call, pages of lists included. */
const WHOLE_MS = 60_000;
/** Tokens that end sooner are exchanged first. */
const EARLY_MS = 60_000;
/** A running exchange is awaited for this long: a refresh token can be used once. */
const EXCHANGE_MS = 30_000;
/** After a crash during an exchange, other processes wait for this long. */
const LEASE_MS = 2 * EXCHANGE_MS;
const LOOK_MS = 200;

type Needed = Pick<Context, "store" | "secrets" | "clock" | "config" | "network">;

/** Secrets are decrypted. */
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
 * Exchanges credentials that are about to expire first, and those that ended early once. Throws
 * ProviderError, and the store's error.
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

/** Exchanged credentials that could not be saved yet, by account: the provider issues them once. */
const unsaved = new WeakMap<Context["store"], Map<number, Integration>>();

function unsavedOf(store: Context["store"]): Map<number, Integration> {
  const known = unsaved.get(store) ?? new Map<number, Integration>();
  unsaved.set(store, known);
  return known;
}

/** Throws the store's error while it is away. */
export async function saveUnsaved(store: Context["store"]): Promise<void> {
  for (const [id, renewedIntegration] of unsavedOf(store)) {
    await saveRenewed(store.db, renewedIntegration, renewedIntegration);
    unsavedOf(store).delete(id);
  }
}

/** One process exchanges, since a refresh token can be used once; the others wait for the result. */
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
    // Stays claimed until it is saved: the former token is invalid.
    if (isUnavailable(error) && unsavedOf(store).has(known.id)) throw error;
    unsavedOf(store).delete(known.id);
    await releaseRenewal(store.db, known);
    throw error;
  }
}

/** For a verb's `find`: wherever the caller may act. Throws 404. */
export const findAccountOf =
  (provider: string) =>
  (ctx: Before, { id }: { id: string }) => {
    const { db } = ctx.store;
    const ref = parseId(id);
    const find = (organizationId: number) => findIntegration(db, { organizationId, provider, ref });
    return findAnywhere(ctx, find, () => findOwner(db, "integrations", ref));
  };

/** Locked until the transaction ends. Throws 404. */
export async function lockAccount({ db }: Pick<Running, "db">, found: Integration): Promise<Integration> {
  const { organizationId, provider, id } = found;
  const now = await findIntegration(db, { organizationId, provider, ref: { id }, lock: true });
  if (!now) throw notFound();
  return now;
}

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

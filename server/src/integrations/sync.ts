import { randomUUIDv7 } from "node:crypto";
import { hasFeature } from "../platform/access/plans.ts";
import { findOrganization, lockOrganization } from "../platform/access/queries/organizations.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { saveUnsaved, withAccount } from "./access.ts";
import { recordDeployment } from "./deployments/receive-webhook.ts";
import type { Access, FoundDeployment, IntegrationKind } from "./kind.ts";
import { isForPeople, ProviderError } from "./provider-error.ts";
import {
  changeResources,
  type FoundResource,
  type IntegrationResource,
  insertResources,
  listResources,
  noteDeploymentsOf,
  removeResources,
} from "./queries/integration-resources.ts";
import { type Integration, noteSync, readIntegration, takeDueIntegration } from "./queries/integrations.ts";
import { integrationKind } from "./registry.ts";
import { announceIntegration, changesOf, keyOf, retryMs, WRONG_MS } from "./sync-rules.ts";

/** Per account; the rest is not listed. */
const MAX_RESOURCES = 5_000;

export type Syncing = Pick<Context, "store" | "secrets" | "clock" | "config" | "network" | "log" | "live">;

/** Saves what was found or the failure. Throws the store's error. */
export async function syncIntegration(
  ctx: Syncing,
  integration: Integration,
  signal?: AbortSignal,
): Promise<void> {
  const { store, clock } = ctx;
  const organization = await findOrganization(store.db, { id: integration.organizationId });
  if (!organization || !hasFeature(organization, "full")) return;
  const known = await listResources(store.db, integration.id);
  // The credentials may be exchanged on the way.
  let current = integration;
  try {
    const found = await withAccount(
      ctx,
      integration,
      (kind, access, used) => {
        current = used;
        return look(kind, access, used, known);
      },
      signal,
    );
    await store.transaction((trx) => keep(trx, found, clock.now()));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // Shutdown: another process, or the next start, continues.
    if (signal?.aborted) return;
    const needsLink = isForPeople(error);
    const now = clock.now();
    const syncAt = now + retryMs({ needsLink, afterMs: error.afterMs });
    await store.transaction(async (trx) => {
      await noteSync(trx, current, { failure: error.descriptor, needsLink, syncAt, now });
      announceIntegration(trx, integration.id, { ...integration, now });
    });
    const { uuid, provider } = integration;
    // Error codes of a server that users have entered are not logged: they may echo what was sent.
    const isOurs = integrationKind(provider)?.isOwnAddress ?? false;
    const failure = { failure: error.descriptor.code, ...(isOurs && { code: error.code }) };
    ctx.log.warn({ uuid, provider, ...failure }, "An account could not be looked at");
  }
  ctx.live.wake();
}

interface Found extends Deployed {
  used: Integration;
  resources: FoundResource[];
  /** Milliseconds. */
  requestedAt: number;
}

async function look(
  kind: IntegrationKind,
  access: Access<never>,
  used: Integration,
  known: readonly IntegrationResource[],
): Promise<Found> {
  const resources = (await kind.listResources(access)).slice(0, MAX_RESOURCES);
  const there = new Set(resources.map(keyOf));
  const monitored = known.filter((one) => one.monitor !== null && there.has(keyOf(one)));
  return {
    ...(await deployedTo(kind, access, used, monitored)),
    ...{ used, resources, requestedAt: access.now },
  };
}

async function keep(trx: Db, found: Found, now: number): Promise<void> {
  const { used, resources, deployments, polled, requestedAt, since, pauseMs } = found;
  // The organization before its resources, as when monitoring one (ADR 0014).
  await lockOrganization(trx, used.organizationId);
  const current = await readIntegration(trx, used.id, { lock: true });
  // Linked again, or gone: the result belongs to another account.
  if (current?.version !== used.version) return;
  const { added, changed, removedIds, counts } = changesOf(await listResources(trx, used.id), resources);
  const named = added.map((one) => ({ ...one, uuid: randomUUIDv7() }));
  await insertResources(trx, used.id, named, now);
  await changeResources(trx, changed);
  await removeResources(trx, removedIds, now);
  for (const { resource, deployment } of deployments) {
    const { externalId, ...details } = deployment;
    const own = { organizationId: used.organizationId, source: used.provider, reportedAt: now };
    const externalKey = `${used.provider}:${used.id}:${externalId}`;
    const touched = resource.monitor ? [resource.monitor.id] : [];
    await recordDeployment(
      trx,
      { ...own, externalKey, details: { ...details, name: resource.name } },
      touched,
      now,
    );
  }
  await noteDeploymentsOf(
    trx,
    polled.map(({ id }) => id),
    requestedAt,
  );
  const syncAt = now + retryMs({ needsLink: false, afterMs: pauseMs });
  await noteSync(trx, used, { counts, deploymentsSince: since, syncAt, now });
  announceIntegration(trx, used.id, { ...used, now });
}

/** Resources polled for deployments per sync, the longest unpolled first. */
const MAX_POLLED = 50;
/** After so many failures, the rest waits for the next sync. */
const MAX_FAILED = 5;
/** Deployments that began this long before the last sync may have ended since. */
const OVERLAP_MS = 60 * 60_000;

interface Deployed {
  polled: IntegrationResource[];
  deployments: { resource: IntegrationResource; deployment: FoundDeployment }[];
  /** For resources that were never polled. */
  since: number;
  /** The provider's Retry-After, milliseconds. */
  pauseMs: number;
}

/** Failures are retried in the next sync, and do not block the others. Throws ProviderError `refused`. */
async function deployedTo(
  kind: IntegrationKind,
  access: Access<never>,
  used: Integration,
  resources: readonly IntegrationResource[],
): Promise<Deployed> {
  const found: Deployed = { polled: [], deployments: [], since: access.now, pauseMs: 0 };
  if (!kind.listDeployments) return found;
  const wanted = resources
    .filter(({ type }) => kind.isDeployed?.(type) ?? true)
    .toSorted((one, other) => (one.deploymentsAt ?? 0) - (other.deploymentsAt ?? 0) || one.id - other.id);
  let failed = 0;
  for (const resource of wanted.slice(0, MAX_POLLED)) {
    // The clock of the last sync may have been ahead.
    const since = Math.min(resource.deploymentsAt ?? used.deploymentsSince, access.now) - OVERLAP_MS;
    try {
      const all = await kind.listDeployments(access, resource, since);
      found.deployments.push(...all.map((deployment) => ({ resource, deployment })));
      found.polled.push(resource);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.is === "refused") throw error;
      // Missing permission for one says nothing about the others.
      if (["forbidden", "missing", "rejected"].includes(error.is)) found.polled.push(resource);
      else failed += 1;
      found.pauseMs = Math.max(found.pauseMs, error.is === "busy" ? (error.afterMs ?? 0) : 0);
      if (error.is === "busy" || failed === MAX_FAILED) break;
    }
  }
  const isWaiting = wanted.some((one) => one.deploymentsAt === null && !found.polled.includes(one));
  return isWaiting ? { ...found, since: used.deploymentsSince } : found;
}

/** Accounts in parallel, in all and per organization, however slow its providers are. */
const CONCURRENCY = 8;
const CONCURRENCY_PER_ORGANIZATION = 2;
/** After a crash, other processes wait for this long; a sync takes a minute at most. */
const LEASE_MS = 3 * 60_000;

/**
 * Syncs the accounts that are due. Resolves once none is left. Throws the first error that is no provider's.
 */
export async function followIntegrations(ctx: Syncing, signal: AbortSignal): Promise<void> {
  // Before another process exchanges them again.
  await saveUnsaved(ctx.store);
  const next = takingTurns(ctx);
  const errors: unknown[] = [];
  const worker = async () => {
    while (!signal.aborted) {
      const taken = await next.take();
      if (!taken) return;
      await syncIntegration(ctx, taken, signal).catch((error: unknown) => errors.push(error));
      next.release(taken);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  errors.push(...ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : [])));
  if (errors.length > 0) throw errors[0];
}

/** Skips organizations that have enough under way. */
function takingTurns({ store, clock }: Syncing) {
  const underWay: number[] = [];
  const take = async (): Promise<Integration | null> => {
    const now = clock.now();
    const counted = Map.groupBy(underWay, (organizationId) => organizationId);
    const without = [...counted].flatMap(([id, own]) =>
      own.length < CONCURRENCY_PER_ORGANIZATION ? [] : [id],
    );
    const due = { now, latest: now + WRONG_MS, until: now + LEASE_MS, without };
    const taken = await takeDueIntegration(store.db, due);
    if (taken) underWay.push(taken.organizationId);
    return taken;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(): Promise<Integration | null> {
      const mine = last.then(take);
      last = mine.catch(() => undefined);
      return mine;
    },
    release: ({ organizationId }: Integration) => void underWay.splice(underWay.indexOf(organizationId), 1),
  };
}

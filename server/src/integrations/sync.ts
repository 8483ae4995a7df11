import { randomUUIDv7 } from "node:crypto";
import { hasFeature } from "../platform/access/plans.ts";
import { findOrganization, lockOrganization } from "../platform/access/queries/organizations.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/db.ts";
import { withAccount } from "./access.ts";
import { announceIntegration } from "./announce.ts";
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
import { type Integration, noteSync, readIntegration } from "./queries/integrations.ts";
import { integrationKind } from "./registry.ts";
import { changesOf, keyOf, retryMs } from "./sync-rules.ts";

/** Of an account. What is beyond is not listed. */
const MAX_RESOURCES = 5_000;

/** What a look needs. */
export type Syncing = Pick<Context, "store" | "secrets" | "clock" | "config" | "network" | "log" | "live">;

/** Looks at one account, and keeps what was found or why nothing was. Throws the store's error. */
export async function syncIntegration(
  ctx: Syncing,
  integration: Integration,
  signal?: AbortSignal,
): Promise<void> {
  const { store, clock } = ctx;
  const organization = await findOrganization(store.db, { id: integration.organizationId });
  if (!organization || !hasFeature(organization, "full")) return;
  const known = await listResources(store.db, integration.id);
  // Its credentials may be exchanged on the way.
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
    // The server stops: another process, or the next start, goes on.
    if (signal?.aborted) return;
    const needsLink = isForPeople(error);
    const now = clock.now();
    const syncAt = now + retryMs({ needsLink, afterMs: error.afterMs });
    await store.transaction(async (trx) => {
      await noteSync(trx, current, { failure: error.fact, needsLink, syncAt, now });
      announceIntegration(trx, integration.id, { ...integration, now });
    });
    const { uuid, provider } = integration;
    // Of what a server says that anybody may have entered nothing is logged, not even a code: it may be what it was sent.
    const isOurs = integrationKind(provider)?.isOwnAddress ?? false;
    const code = isOurs ? { code: error.code } : {};
    ctx.log.warn({ uuid, provider, failure: error.fact.code, ...code }, "An account could not be looked at");
  }
  ctx.live.wake();
}

interface Found extends Deployed {
  used: Integration;
  resources: FoundResource[];
  /** When it was asked for deployments, milliseconds. */
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
  // As whoever starts monitoring one does: the organization before what it has (ADR 0014).
  await lockOrganization(trx, used.organizationId);
  const current = await readIntegration(trx, used.id, { lock: true });
  // It was linked anew, or is gone: what was found is another account's.
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

/** Of so many resources deployments are asked for in one look, those first that were not for the longest time. */
const MAX_POLLED = 50;
/** After so many that came to nothing the rest waits for the next look. */
const MAX_FAILED = 5;
/** Deployments that began so long before the last look may have ended since. */
const OVERLAP_MS = 60 * 60_000;

/** What was deployed to resources of an account. */
interface Deployed {
  /** Of whom that is known up to now. */
  polled: IntegrationResource[];
  deployments: { resource: IntegrationResource; deployment: FoundDeployment }[];
  /** From when those are asked for that were not asked for yet. */
  since: number;
  /** The pause that the other side wants, milliseconds. */
  pauseMs: number;
}

/**
 * Asks for what was deployed to these resources. What cannot be told now is asked for again the next time, and keeps nothing
 * else from being kept. Throws ProviderError `refused`.
 */
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
    // Not later than now: the clock of the last look may have been ahead.
    const since = Math.min(resource.deploymentsAt ?? used.deploymentsSince, access.now) - OVERLAP_MS;
    try {
      const all = await kind.listDeployments(access, resource, since);
      found.deployments.push(...all.map((deployment) => ({ resource, deployment })));
      found.polled.push(resource);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.is === "refused") throw error;
      // That nobody may know of one says nothing about the others.
      if (["forbidden", "missing", "rejected"].includes(error.is)) found.polled.push(resource);
      else failed += 1;
      found.pauseMs = Math.max(found.pauseMs, error.is === "busy" ? (error.afterMs ?? 0) : 0);
      if (error.is === "busy" || failed === MAX_FAILED) break;
    }
  }
  const isWaiting = wanted.some((one) => one.deploymentsAt === null && !found.polled.includes(one));
  return isWaiting ? { ...found, since: used.deploymentsSince } : found;
}

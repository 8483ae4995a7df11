import { randomUUIDv7 } from "node:crypto";
import { hasFeature } from "../account/plans.ts";
import type { Context } from "../context.ts";
import type { Db } from "../store/db.ts";
import {
  changeResources,
  type FoundResource,
  type IntegrationResource,
  insertResources,
  listResources,
  removeResources,
} from "../store/queries/integration-resources.ts";
import {
  type Integration,
  noteSync,
  readIntegration,
  takeDueIntegrations,
} from "../store/queries/integrations.ts";
import { findOrganization } from "../store/queries/organizations.ts";
import { withAccount } from "./access.ts";
import { announceIntegration } from "./announce.ts";
import { recordDeployment } from "./deployment/record-deployment.ts";
import type { Access, FoundDeployment, IntegrationKind } from "./kind.ts";
import { isForPeople, ProviderError } from "./provider-error.ts";
import { changesOf, retryMs, SYNC_MS } from "./sync-rules.ts";

/** So many are looked at in one turn, side by side. */
const LIMIT = 4;
/** A process that dies meanwhile keeps the others from it for so long; a look takes a minute at most. */
const LEASE_MS = 3 * 60_000;
/** Of an account. What is beyond is not listed. */
const MAX_RESOURCES = 5_000;
/** Of how many monitored resources deployments are asked for in one look. */
const MAX_DEPLOYED = 50;
/** Deployments that began so long before the last look may have ended since. */
const OVERLAP_MS = 60 * 60_000;

type Needed = Pick<Context, "store" | "secrets" | "clock" | "config" | "network" | "log" | "live">;

/** Looks at the accounts whose time has come: what they have, and what was deployed. */
export async function followIntegrations(ctx: Needed, signal: AbortSignal): Promise<void> {
  const now = ctx.clock.now();
  const due = await takeDueIntegrations(ctx.store.db, { now, until: now + LEASE_MS, limit: LIMIT });
  await Promise.all(due.map((one) => syncIntegration(ctx, one, signal)));
}

/** Looks at one account, and keeps what was found or why nothing was. Throws the store's error. */
export async function syncIntegration(
  ctx: Needed,
  integration: Integration,
  signal?: AbortSignal,
): Promise<void> {
  const { store, clock } = ctx;
  const organization = await findOrganization(store.db, { id: integration.organizationId });
  if (!organization || !hasFeature(organization, "full")) return;
  const known = await listResources(store.db, integration.id);
  try {
    const found = await withAccount(
      ctx,
      integration,
      (kind, access, used) => look(kind, access, used, known),
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
    // Its credentials may have been exchanged on the way, which says nothing about the failure.
    const version = (await readIntegration(store.db, integration.id))?.version ?? integration.version;
    await store.transaction(async (trx) => {
      await noteSync(trx, { ...integration, version }, { failure: error.fact, needsLink, syncAt, now });
      announceIntegration(trx, integration.id, { ...integration, now });
    });
    const { uuid, provider } = integration;
    ctx.log.warn(
      { uuid, provider, failure: error.fact.code, code: error.code },
      "An account could not be looked at",
    );
  }
  ctx.live.wake();
}

interface Found {
  used: Integration;
  resources: FoundResource[];
  deployments: { resource: IntegrationResource; deployment: FoundDeployment }[];
  /** When it was asked for deployments, milliseconds. */
  askedAt: number;
}

async function look(
  kind: IntegrationKind,
  access: Access<never>,
  used: Integration,
  known: readonly IntegrationResource[],
): Promise<Found> {
  const resources = (await kind.listResources(access)).slice(0, MAX_RESOURCES);
  const there = new Set(resources.map(({ externalId }) => externalId));
  const monitored = known.filter(({ monitor, externalId }) => monitor !== null && there.has(externalId));
  const deployments = [];
  for (const resource of kind.listDeployments ? monitored.slice(0, MAX_DEPLOYED) : []) {
    for (const deployment of await deploymentsOf(
      kind,
      access,
      resource,
      used.deploymentsSince - OVERLAP_MS,
    )) {
      deployments.push({ resource, deployment });
    }
  }
  return { used, resources, deployments, askedAt: access.now };
}

/** What was deployed to one of them. That nobody may know of one says nothing about the others. */
async function deploymentsOf(
  kind: IntegrationKind,
  access: Access<never>,
  resource: IntegrationResource,
  since: number,
): Promise<FoundDeployment[]> {
  try {
    return (await kind.listDeployments?.(access, resource, since)) ?? [];
  } catch (error) {
    if (error instanceof ProviderError && ["forbidden", "missing", "rejected"].includes(error.is)) return [];
    throw error;
  }
}

async function keep(trx: Db, { used, resources, deployments, askedAt }: Found, now: number): Promise<void> {
  const current = await readIntegration(trx, used.id, { lock: true });
  // It was linked anew, or is gone: what was found is another account's.
  if (current?.version !== used.version) return;
  const { added, changed, removedIds, counts } = changesOf(await listResources(trx, used.id), resources);
  const named = added.map((one) => ({ ...one, uuid: randomUUIDv7() }));
  await insertResources(trx, used.id, named, now);
  await changeResources(trx, changed);
  await removeResources(trx, removedIds, now);
  for (const { resource, deployment } of deployments) {
    const { externalId, ...facts } = deployment;
    const own = { organizationId: used.organizationId, source: used.provider, toldAt: now };
    const externalKey = `${used.provider}:${used.id}:${externalId}`;
    const touched = resource.monitor ? [resource.monitor.id] : [];
    await recordDeployment(
      trx,
      { ...own, externalKey, facts: { ...facts, name: resource.name } },
      touched,
      now,
    );
  }
  await noteSync(trx, used, { counts, deploymentsSince: askedAt, syncAt: now + SYNC_MS, now });
  announceIntegration(trx, used.id, { ...used, now });
}

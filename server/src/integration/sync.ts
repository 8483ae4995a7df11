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
  noteDeploymentsOf,
  removeResources,
} from "../store/queries/integration-resources.ts";
import { type Integration, noteSync, readIntegration } from "../store/queries/integrations.ts";
import { findOrganization, lockOrganization } from "../store/queries/organizations.ts";
import { withAccount } from "./access.ts";
import { recordDeployment } from "./deployment/record-deployment.ts";
import type { Access, IntegrationKind } from "./kind.ts";
import { isForPeople, ProviderError } from "./provider-error.ts";
import { integrationKind } from "./registry.ts";
import { type Deployed, deployedTo } from "./sync-deployments.ts";
import { changesOf, keyOf, retryMs } from "./sync-rules.ts";

/** Of an account. What is beyond is not listed. */
const MAX_RESOURCES = 5_000;

/** What a look needs. */
export type Syncing = Pick<Context, "store" | "secrets" | "clock" | "config" | "network" | "log">;

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
  let asked = integration;
  try {
    const found = await withAccount(
      ctx,
      integration,
      (kind, access, used) => {
        asked = used;
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
    await noteSync(store.db, asked, { failure: error.fact, needsLink, syncAt, now });
    const { uuid, provider } = integration;
    // Of what a server says that anybody may have entered nothing is logged, not even a code: it may be what it was sent.
    const isOurs = integrationKind(provider)?.isOwnAddress ?? false;
    const code = isOurs ? { code: error.code } : {};
    ctx.log.warn({ uuid, provider, failure: error.fact.code, ...code }, "An account could not be looked at");
  }
}

interface Found extends Deployed {
  used: Integration;
  resources: FoundResource[];
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
  const there = new Set(resources.map(keyOf));
  const monitored = known.filter((one) => one.monitor !== null && there.has(keyOf(one)));
  return {
    ...(await deployedTo(kind, access, used, monitored)),
    ...{ used, resources, askedAt: access.now },
  };
}

async function keep(trx: Db, found: Found, now: number): Promise<void> {
  const { used, resources, deployments, asked, askedAt, since, pauseMs } = found;
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
  await noteDeploymentsOf(
    trx,
    asked.map(({ id }) => id),
    askedAt,
  );
  const syncAt = now + retryMs({ needsLink: false, afterMs: pauseMs });
  await noteSync(trx, used, { counts, deploymentsSince: since, syncAt, now });
}

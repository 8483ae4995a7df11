import { Type } from "typebox";
import { createMonitor, newSettings } from "../monitors/create-monitor.ts";
import { findMonitorOfTarget } from "../monitors/queries/monitor-names.ts";
import { readDomainInput } from "../monitors/schemas/domain-input.ts";
import { readServiceInput } from "../monitors/schemas/services.ts";
import { assertAccess, assertStays } from "../platform/access/check-access.ts";
import { lockOrganization } from "../platform/access/queries/organizations.ts";
import { notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { IdText, parseId, withId } from "../platform/operations/field.ts";
import { type Before, type Running, verb } from "../platform/operations/operation.ts";
import { PageQuery, pageOf } from "../platform/operations/paging.ts";
import { findAccountOf, withAccount } from "./access.ts";
import { READS, WRITES } from "./account-verbs.ts";
import type { Watched } from "./kind.ts";
import { failureOf } from "./provider-error.ts";
import {
  findResource,
  type IntegrationResource,
  listResources,
  lockResourceMonitor,
  saveResourceMonitor,
} from "./queries/integration-resources.ts";
import type { Integration } from "./queries/integrations.ts";
import type { Provider } from "./registry.ts";
import { projectResource, Resource } from "./schemas/integrations.ts";
import { announceAfter, announceIntegration } from "./sync-rules.ts";

const MAX_SEARCH = 255;

const ResourcesQuery = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description: "Only those with this in name, type, place or address.",
    }),
  ),
  monitored: Type.Optional(
    Type.Boolean({ description: "Only those that are monitored (true), or are not (false)." }),
  ),
});

function fitting(
  all: readonly IntegrationResource[],
  { search = "", monitored }: { search?: string; monitored?: boolean },
): IntegrationResource[] {
  const wanted = search.trim().toLowerCase();
  return all.filter(
    (one) =>
      (monitored === undefined || (one.monitor !== null) === monitored) &&
      [one.name, one.type, one.place, one.address].some((text) => text?.toLowerCase().includes(wanted)),
  );
}

interface Meant {
  account: Integration;
  resource: IntegrationResource;
}

export function resourceVerbs(provider: Provider) {
  const findAccount = findAccountOf(provider);
  const find = async (ctx: Before, input: { id: string; resource: string }) => {
    const { found: account, caller } = await findAccount(ctx, input);
    const resource = await findResource(ctx.store.db, account.id, parseId(input.resource));
    if (!resource) throw notFound();
    return { found: { account, resource }, caller };
  };
  return {
    /** By type and name, as of the last sync. Throws 404. */
    resources: verb({
      ...READS,
      input: withId(ResourcesQuery),
      output: Type.Array(Resource),
      paged: true,
      find: findAccount,
      async run(ctx, input, { id }: Integration) {
        const all = fitting(await listResources(ctx.db, id), input);
        const { items, page } = pageOf(all, input);
        return { items: items.map(projectResource), page };
      },
    }),
    /**
     * At its address with the path of its health check; an existing monitor of that address is used. Throws
     * 404, 409 for one that is monitored, gone or without an address, 502 where its provider is down, and
     * what creating a monitor throws.
     */
    monitor: verb({
      ...WRITES,
      audit: "monitor resource",
      input: Type.Object({
        id: IdText,
        resource: { ...IdText, description: "The resource: integer id or uuid." },
      }),
      output: Resource,
      find,
      async prepare(ctx, _, { account, resource }: Meant) {
        if (resource.removedAt !== null)
          throw new PublicError("conflict", msg("integration.removed", named(resource)));
        if (resource.monitor !== null) throw monitoredAlready(resource);
        const watched = await watch(ctx, account, resource);
        if (watched === null)
          throw new PublicError("conflict", msg("integration.no_address", named(resource)));
        return { account, resource, watched };
      },
      run: (ctx, _, meant: Meant & { watched: Watched }) => startMonitoring(ctx, meant),
    }),
  };
}

const named = ({ name }: IntegrationResource) => ({ name });

async function watch(
  ctx: Before,
  account: Integration,
  resource: IntegrationResource,
): Promise<Watched | null> {
  try {
    return await withAccount(ctx, account, (kind, access) => kind.watch(access, resource));
  } catch (error) {
    throw failureOf(error);
  }
}

const monitoredAlready = ({ name }: IntegrationResource) =>
  new PublicError("conflict", msg("integration.monitored", { name }));

async function startMonitoring(ctx: Running, { account, resource, watched }: Meant & { watched: Watched }) {
  const { db, caller } = ctx;
  const { kind } = watched;
  const needs = MONITOR_KIND_TRAITS[kind];
  assertAccess(caller, {
    by: "caller",
    action: "write",
    resource: needs.resource,
    features: [needs.feature],
  });
  // As in createMonitor, which locks it again: of concurrent requests one creates the monitor.
  assertStays(await lockOrganization(db, caller.organizationId));
  const known = await lockResourceMonitor(db, resource.id);
  if (known === undefined) throw notFound();
  if (known !== null) throw monitoredAlready(resource);
  const common = { name: resource.name, tags: [account.provider] };
  const settings =
    watched.kind === "domain"
      ? readDomainInput({ ...common, url: watched.url })
      : readServiceInput({ ...common, ...protocolOf(watched) } as never);
  const { type, target } = (await newSettings(ctx, { kind, settings })).settings;
  // An existing monitor keeps its history.
  const there = await findMonitorOfTarget(db, { organizationId: caller.organizationId, kind, type, target });
  const id = there ?? (await createMonitor(ctx, { kind, settings })).id;
  await saveResourceMonitor(db, resource.id, id);
  announceIntegration(db, account.id, announceAfter(ctx));
  const shown = await findResource(db, account.id, { id: resource.id });
  if (!shown) throw notFound();
  return projectResource(shown);
}

const protocolOf = ({ protocol, protocolConfig }: Extract<Watched, { kind: "service" }>) => ({
  protocol,
  protocolConfig,
});

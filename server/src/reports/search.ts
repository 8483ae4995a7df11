import { Type } from "typebox";
import type { ListedMonitor } from "../monitors/queries/listed-monitors.ts";
import { readListedMonitors } from "../monitors/queries/monitor-list.ts";
import { findMonitors } from "../monitors/queries/monitors.ts";
import type { Caller } from "../platform/access/caller.ts";
import { isPermitted } from "../platform/access/check-access.ts";
import type { Feature } from "../platform/access/plans.ts";
import { type Resource } from "../platform/access/roles-and-scopes.ts";
import { MONITOR_KINDS } from "../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { readId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import {
  searchIncidents as queryIncidents,
  searchMonitors as queryMonitors,
  type Search,
  searchFor,
} from "./queries/search.ts";
import {
  projectFoundIncident,
  projectFoundMonitor,
  readSearchedId,
  SearchQuery,
  SearchResult,
} from "./schemas/search.ts";

/** Best first, of everything with a name that the caller may read. */
export const search = verb({
  resource: "dashboard",
  action: "read",
  input: SearchQuery,
  output: Type.Array(SearchResult),
  async run(ctx, { q, ids, limit }) {
    const { organizationId } = ctx.caller;
    if (ids !== undefined) return named(ctx, ids.split(","));
    const wanted = searchFor(q, { organizationId, ref: readSearchedId(q) });
    if (wanted.words.length === 0) return [];
    const found = [
      ...(await searchMonitors(ctx, wanted, limit)),
      ...(await searchIncidents(ctx, wanted, limit)),
    ];
    return found
      .sort((a, b) => a.rank - b.rank)
      .slice(0, limit)
      .map(({ result }) => result);
  },
});

async function named(ctx: Running, ids: readonly string[]) {
  const refs = ids.flatMap((id) => readId(id) ?? []);
  const found = await findMonitors(ctx.db, { organizationId: ctx.caller.organizationId, refs });
  return shownAs(
    ctx,
    found.filter(({ kind }) => readable(ctx).includes(kind)),
    ({ kind }, monitor) => projectFoundMonitor(kind, monitor),
  );
}

const readable = ({ caller }: Running) =>
  MONITOR_KINDS.filter((kind) => mayRead(caller, MONITOR_KIND_TRAITS[kind]));

async function searchMonitors(ctx: Running, wanted: Search, limit: number) {
  const kinds = readable(ctx);
  const found = await queryMonitors(ctx.db, wanted, { kinds, limit });
  return shownAs(ctx, found, ({ kind, rank }, monitor) => ({
    rank,
    result: projectFoundMonitor(kind, monitor),
  }));
}

/** Without those that are gone. */
async function shownAs<Found extends { id: number }, Shown>(
  { db }: Running,
  found: readonly Found[],
  show: (one: Found, monitor: ListedMonitor) => Shown,
): Promise<Shown[]> {
  const listed = await readListedMonitors(
    db,
    found.map(({ id }) => id),
  );
  const monitors = new Map(listed.map((monitor) => [monitor.id, monitor]));
  return found.flatMap((one) => {
    const monitor = monitors.get(one.id);
    return monitor ? [show(one, monitor)] : [];
  });
}

async function searchIncidents(ctx: Running, wanted: Search, limit: number) {
  if (!mayRead(ctx.caller, { resource: "incidents", feature: "team" })) return [];
  const found = await queryIncidents(ctx.db, wanted, limit);
  return found.map((incident) => ({ rank: incident.rank, result: projectFoundIncident(incident) }));
}

const mayRead = (caller: Caller, { resource, feature }: { resource: Resource; feature: Feature }): boolean =>
  isPermitted(caller, { action: "read", resource, features: [feature] });

import { Type } from "typebox";
import { isPermitted } from "../account/access.ts";
import type { Caller } from "../account/caller.ts";
import type { Feature } from "../account/plans.ts";
import type { Resource } from "../account/scopes.ts";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import { MONITOR_KINDS } from "../monitor/monitor-defaults.ts";
import { readListedMonitors } from "../store/queries/monitor-list.ts";
import {
  searchIncidents as queryIncidents,
  searchMonitors as queryMonitors,
  type Search,
  searchFor,
} from "../store/queries/search.ts";
import { type Running, verb } from "../verb/verb.ts";
import {
  projectFoundIncident,
  projectFoundMonitor,
  readSearchedId,
  SearchQuery,
  SearchResult,
} from "../wire/search.ts";

/**
 * What of the caller's organization fits a few words best, the best first: of everything with a name, what the caller
 * may read.
 */
export const search = verb({
  resource: "dashboard",
  action: "read",
  input: SearchQuery,
  output: Type.Array(SearchResult),
  async run(ctx, { q, limit }) {
    const { organizationId } = ctx.caller;
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

async function searchMonitors(ctx: Running, wanted: Search, limit: number) {
  const kinds = MONITOR_KINDS.filter((kind) => mayRead(ctx.caller, MONITOR_KIND_FACTS[kind]));
  const found = await queryMonitors(ctx.db, wanted, { kinds, limit });
  const listed = await readListedMonitors(
    ctx.db,
    found.map(({ id }) => id),
  );
  const monitors = new Map(listed.map((monitor) => [monitor.id, monitor]));
  return found.flatMap(({ id, kind, rank }) => {
    const monitor = monitors.get(id);
    return monitor ? [{ rank, result: projectFoundMonitor(kind, monitor) }] : [];
  });
}

async function searchIncidents(ctx: Running, wanted: Search, limit: number) {
  if (!mayRead(ctx.caller, { resource: "incidents", feature: "team" })) return [];
  const found = await queryIncidents(ctx.db, wanted, limit);
  return found.map((incident) => ({ rank: incident.rank, result: projectFoundIncident(incident) }));
}

const mayRead = (caller: Caller, { resource, feature }: { resource: Resource; feature: Feature }): boolean =>
  isPermitted(caller, { action: "read", resource, features: [feature] });

import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Status } from "../../status/state.ts";
import type { Slots } from "../compile-once.ts";
import type { Db } from "../db.ts";
import { isPostgres, positionIn } from "../dialect.ts";
import type { Schema } from "../schema.ts";
import { foldForSearch } from "./monitors.ts";

export interface MonitorFilter {
  organizationId: number;
  kind: MonitorKind;
  /** Part of the name, the target or a tag, in any case. */
  search?: string | undefined;
  /** A tag as it is stored. */
  tag?: string | undefined;
  /** What is checked, normalised. */
  target?: string | undefined;
  /** As on the wire: `up` is up and degraded. */
  status?: "up" | "down" | "unknown" | undefined;
  /** The full state: `up` is not degraded, `unknown` is not paused. */
  state?: Status | "paused" | undefined;
  /** Whether a maintenance window is open for it. */
  maintenance?: boolean | undefined;
}

/** What of a filter decides the words of its query. */
export interface FilterShape {
  searched: boolean;
  /** Devices have names of their own as well, which their agents know. */
  byHostname: boolean;
  tagged: boolean;
  targeted: boolean;
  status: MonitorFilter["status"];
  state: MonitorFilter["state"];
  /** A word: what narrows a list is never false. */
  maintenance: "within" | "outside" | undefined;
}

/** What of a filter is given to the query at each execution. */
export interface FilterValues {
  organizationId: number;
  kind: MonitorKind;
  /** Folded; used when searched. */
  search: string;
  /** Used when tagged. */
  tag: string;
  /** Used when targeted. */
  target: string;
}

export const shapeOf = (filter: MonitorFilter): FilterShape => {
  const { kind, search, tag, target, status, state, maintenance } = filter;
  return {
    searched: Boolean(search),
    byHostname: kind === "device",
    tagged: tag !== undefined,
    targeted: target !== undefined,
    status,
    state,
    maintenance: maintenance === undefined ? undefined : maintenance ? "within" : "outside",
  };
};

export const valuesOf = ({ organizationId, kind, search, tag, target }: MonitorFilter): FilterValues => ({
  organizationId,
  kind,
  tag: tag ?? "",
  target: target ?? "",
  search: foldForSearch(search ?? ""),
});

const SEARCH_TEXT = sql.ref<string>("monitors.search_text");

/** The monitors that fit, for more to be asked of them. */
export function filtered(db: Db, shape: FilterShape, slots: Slots<FilterValues>) {
  let query = ownedMonitors(db, slots);
  const { searched, byHostname, tagged, targeted, status, state, maintenance } = shape;
  if (searched) query = query.where(isFound(db, slots.search, byHostname));
  if (targeted) query = query.where("monitors.target", "=", slots.target);
  if (tagged) query = query.where(hasTag(db, slots.tag));
  if (status) query = query.where((where) => hasStatus(where, STORED_STATUSES[status]));
  if (state) query = query.where("monitors.enabled", "=", state === "paused" ? 0 : 1);
  if (state && state !== "paused") query = query.where((where) => hasStatus(where, [state]));
  if (maintenance === "within") query = query.where((where) => isInMaintenance(where));
  if (maintenance === "outside") query = query.where((where) => where.not(isInMaintenance(where)));
  return query;
}

function isFound(db: Db, search: RawBuilder<string>, byHostname: boolean): RawBuilder<SqlBool> {
  const isInText = sql<SqlBool>`${positionIn(db, SEARCH_TEXT, search)} > 0`;
  if (!byHostname) return isInText;
  const hostname = sql<string>`lower(coalesce(devices.hostname, ''))`;
  return sql<SqlBool>`(${isInText} or exists (select 1 from devices
    where devices.monitor_id = monitors.id and ${positionIn(db, hostname, search)} > 0))`;
}

/** Most monitors have no tags, and need no JSON read. */
function hasTag(db: Db, tag: RawBuilder<string>): RawBuilder<SqlBool> {
  const found = isPostgres(db)
    ? sql`jsonb_exists(monitors.tags::jsonb, ${tag})`
    : sql`exists (select 1 from json_each(monitors.tags) as tags where tags.value = ${tag})`;
  return sql<SqlBool>`case when monitors.tags = '[]' then false else ${found} end`;
}

/** An organization's monitors of one kind, without deleted ones. */
export const ownedMonitors = (
  db: Db,
  owner: { organizationId: number | RawBuilder<number>; kind: MonitorKind | RawBuilder<MonitorKind> },
) =>
  db
    .selectFrom("monitors")
    .where("monitors.organization_id", "=", owner.organizationId)
    .where("monitors.kind", "=", owner.kind)
    .where("monitors.deleted_at", "is", null);

const STORED_STATUSES = { up: ["up", "degraded"], down: ["down"], unknown: ["unknown"] } as const;

const isInMaintenance = (where: ExpressionBuilder<Schema, "monitors">) =>
  where.exists(stateRow(where).where("maintenance_until", "is not", null));

const stateRow = (where: ExpressionBuilder<Schema, "monitors">) =>
  where
    .selectFrom("monitor_states")
    .select("monitor_states.monitor_id")
    .whereRef("monitor_states.monitor_id", "=", "monitors.id");

/** A monitor without a state row has not been looked at yet: unknown. */
function hasStatus(where: ExpressionBuilder<Schema, "monitors">, statuses: readonly Status[]) {
  const state = stateRow(where);
  if (!statuses.includes("unknown")) return where.exists(state.where("status", "in", statuses));
  return where.not(where.exists(state.where("status", "!=", "unknown")));
}

/** What an order can go by that the store knows; `uptime` is computed and not among them. */
export type MonitorSort = "name" | "status" | "statusSince" | "responseTime" | "certificate" | "createdAt";

/** What needs a look first; what is paused last, whatever it was before. */
const URGENCY = sql<number>`case
  when monitors.enabled = 0 then 4
  when monitor_states.status = 'down' then 0
  when monitor_states.status = 'degraded' then 1
  when monitor_states.status = 'up' then 3
  else 2 end`;

/**
 * Terms of an ORDER BY over monitors with their states and certificates: what is not known stands
 * last either way, equals stand by name and then by number, so that pages never overlap.
 */
export function orderTerms(db: Db, sort: MonitorSort, descending: boolean): RawBuilder<unknown>[] {
  const way = descending ? sql`desc` : sql`asc`;
  // Byte by byte on both engines: the same order everywhere, and without a locale's rules five times faster.
  const name = isPostgres(db) ? sql`monitors.search_text collate "C"` : sql`monitors.search_text`;
  const known = (value: RawBuilder<unknown>) => sql`${value} ${way} nulls last`;
  const first = {
    name: [],
    status: [sql`${URGENCY} ${way}`],
    statusSince: [known(sql`monitor_states.status_since`)],
    responseTime: [known(sql`monitor_states.last_total_us`)],
    certificate: [known(sql`certificates.expires_at`)],
    createdAt: [sql`monitors.id ${way}`],
  }[sort];
  return [...first, sort === "name" ? sql`${name} ${way}` : name, sql`monitors.id`];
}

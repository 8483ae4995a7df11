import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Phases } from "../../checks/check.ts";
import { OUTCOMES } from "../../checks/outcome.ts";
import { certificateSettings, type KnownCertificate } from "../../engine/queries/certificates.ts";
import { ownedMonitors } from "../../engine/queries/transitions.ts";
import type { Db, Schema } from "../../platform/database/schema.ts";
import {
  idIn,
  isPostgres,
  parentUuids,
  positionIn,
  type Slots,
  uuidsIn,
} from "../../platform/database/sql.ts";
import { type MessageDescriptor, readStoredMessage } from "../../platform/i18n/message.ts";
import type { MonitorKind, Status } from "../../platform/monitor-defaults.ts";
import { foldForSearch, type Monitor, monitorOf, type NamedMonitor, withParents } from "./monitors.ts";

/** What engine/status/advance-states.ts keeps of the newest check, as JSON. */
export interface LastCheckDetails {
  location: string;
  address: string | null;
  protocol: string | null;
  phases: Phases;
  reason: MessageDescriptor | null;
  /** What a passed check had to say; absent where that was nothing. */
  message?: MessageDescriptor;
}

/** Reads it, also as older versions wrote it: with a sentence for a reason, and its class beside it. */
export function lastCheckDetails(json: string): LastCheckDetails {
  const stored = JSON.parse(json) as LastCheckDetails & { reasonCode?: string };
  return { ...stored, reason: readStoredMessage(stored.reason, stored.reasonCode) };
}

/** A monitor with its present state: what lists, details and statistics are made of. */
export interface ListedMonitor {
  id: number;
  uuid: string;
  name: string;
  /** Of its check. */
  type: string;
  /** As typed. */
  displayTarget: string;
  enabled: boolean;
  intervalSeconds: number;
  timeoutSeconds: number;
  tags: string[];
  /** Uuids of the monitors that it depends on. */
  parents: string[];
  createdAt: number;
  updatedAt: number;
  /** The full state; `unknown` before the first check. */
  status: Status;
  statusSince: number | null;
  flapping: boolean;
  /** Until when the maintenance window lasts that it is in; null: it is in none. */
  maintenanceUntil: number | null;
  /** The parent that is down, so that this one sends no notifications; null: none. */
  suppressedBy: NamedMonitor | null;
  lastCheckAt: number | null;
  /** Failed checks in a row, up to the last one. */
  consecutiveFailures: number;
  /** Duration of the last check that reached a verdict, microseconds. */
  lastTotalUs: number | null;
  /** What the last check found wrong; null when it passed. */
  lastReason: MessageDescriptor | null;
  /** Null: never seen one. */
  certificate: KnownCertificate | null;
}

const SHOWN = [
  "monitors.id",
  "monitors.uuid",
  "monitors.name",
  "monitors.type",
  "monitors.display_target",
  "monitors.enabled",
  "monitors.interval_seconds",
  "monitors.timeout_seconds",
  "monitors.tags",
  "monitors.created_at",
  "monitors.updated_at",
  "monitor_states.status",
  "monitor_states.status_since",
  "monitor_states.flapping",
  "monitor_states.maintenance_until",
  "monitor_states.last_check_at",
  "monitor_states.consecutive_failures",
  "monitor_states.last_total_us",
  "certificates.monitor_id as certificate_of",
  "certificates.valid",
  "certificates.expires_at",
  "certificates.issuer",
] as const;

/** Not the JSON of every monitor: most pass or have no certificate, and lists are long. */
const SOMETIMES = [
  parentUuids.as("parent_uuids"),
  // Few are, and the name comes last: it may hold anything.
  sql<
    string | null
  >`case when monitor_states.suppressed_by is not null and monitor_states.suppressed_until is null then (
    select cast(behind.id as text) || ' ' || behind.uuid || ' ' || behind.kind || ' ' || behind.name
    from monitors as behind where behind.id = monitor_states.suppressed_by and behind.deleted_at is null) end`.as(
    "behind",
  ),
  sql<
    string | null
  >`case when monitor_states.last_outcome != ${sql.lit(OUTCOMES.ok.stored)} then monitor_states.last_result end`.as(
    "failed_result",
  ),
  sql<string | null>`case when certificates.monitor_id is not null then monitors.config end`.as("config"),
];

/** A query over monitors with what is true of them now. */
export const withTables = (query: SelectQueryBuilder<Schema, "monitors", object>) =>
  query
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .leftJoin("certificates", "certificates.monitor_id", "monitors.id");

/** Monitors with all that `fromRow` needs. */
export const withState = (db: Db) => withTables(db.selectFrom("monitors")).select(SHOWN).select(SOMETIMES);

type Row = Awaited<ReturnType<ReturnType<typeof withState>["execute"]>>[number];

/** A row of `withState`. */
export function fromRow(row: Row): ListedMonitor {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    type: row.type,
    displayTarget: row.display_target,
    enabled: row.enabled === 1,
    intervalSeconds: row.interval_seconds,
    timeoutSeconds: row.timeout_seconds,
    tags: row.tags === "[]" ? [] : JSON.parse(row.tags),
    parents: uuidsIn(row.parent_uuids),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    status: row.status ?? "unknown",
    statusSince: row.status_since,
    flapping: row.flapping === 1,
    maintenanceUntil: row.maintenance_until,
    suppressedBy: row.behind === null ? null : namedIn(row.behind),
    lastCheckAt: row.last_check_at,
    consecutiveFailures: row.consecutive_failures ?? 0,
    lastTotalUs: row.last_total_us,
    lastReason: row.failed_result === null ? null : lastCheckDetails(row.failed_result).reason,
    certificate: certificateOf(row),
  };
}

function namedIn(behind: string): NamedMonitor {
  const [id = "", uuid = "", kind = "", ...name] = behind.split(" ");
  return { id: Number(id), uuid, kind: kind as MonitorKind, name: name.join(" ") };
}

function certificateOf(row: Row): KnownCertificate | null {
  if (row.certificate_of === null) return null;
  const { valid, expires_at: expiresAt, issuer, config } = row;
  return { valid: valid === 1, expiresAt, issuer: issuer ?? "", ...certificateSettings(config) };
}

/** The settings of those of these monitors that the organization has, by their ids. */
export async function readMonitors(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, Monitor>> {
  const rows = await withParents(db)
    .where(idIn("id", ids))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.id, monitorOf(row)]));
}

export interface MonitorFilter {
  organizationId: number;
  kind: MonitorKind;
  /** Part of the name, the target or a tag, in any case. */
  search?: string | undefined;
  /** A tag as it is stored. */
  tag?: string | undefined;
  /** What is checked, normalised. */
  target?: string | undefined;
  /** As the API has it: `up` is up and degraded. */
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

/** The monitors that fit, for further conditions. */
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
 * Terms of an ORDER BY over monitors with their states and certificates: what is not known comes
 * last either way, equals are sorted by name and then by number, so that pages never overlap.
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

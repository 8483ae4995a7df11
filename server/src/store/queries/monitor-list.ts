import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { CertificateReport } from "../../check/certificate.ts";
import type { Phases } from "../../check/check.ts";
import { idIn } from "../dialect.ts";
import type { Db } from "../open.ts";
import type { Schema, StatusName } from "../schema.ts";
import { type MonitorSort, orderTerms } from "./monitor-order.ts";
import { foldForSearch, isRef, type MonitorKind, type MonitorRef } from "./monitors.ts";

/** What is known of a monitor's certificate; `expiresAt` in milliseconds, null when it could not be read. */
export interface KnownCertificate {
  valid: boolean;
  expiresAt: number | null;
  issuer: string;
  /** The monitor's own idea of "soon" (config `certificateExpiryDays`); null: the usual. */
  expiringSoonDays: number | null;
}

/** A monitor with what is true of it now: what lists, details and figures are made of. */
export interface ListedMonitor {
  id: number;
  uuid: string;
  name: string;
  displayUrl: string;
  enabled: boolean;
  intervalSeconds: number;
  tags: string[];
  createdAt: number;
  updatedAt: number;
  /** The full state; `unknown` before the first check. */
  status: StatusName;
  statusSince: number | null;
  flapping: boolean;
  lastCheckAt: number | null;
  /** Duration of the last check that reached a verdict, microseconds. */
  lastTotalUs: number | null;
  /** What the last check found wrong, as a sentence; null when it passed. */
  lastReason: string | null;
  /** Null: never seen one. */
  certificate: KnownCertificate | null;
}

export interface MonitorFilter {
  organizationId: number;
  kind: MonitorKind;
  /** Part of the name or the URL, in any case. */
  search?: string | undefined;
  /** As on the wire: `up` is up and degraded. */
  status?: "up" | "down" | "unknown" | undefined;
  /** The full state: `up` is not degraded, `unknown` is not paused. */
  state?: StatusName | "paused" | undefined;
}

/** Null: newest first. */
export type MonitorOrder = { by: MonitorSort; descending: boolean } | null;

/** The monitors that fit, in this order. */
export async function listMonitors(
  db: Db,
  filter: MonitorFilter,
  page: { limit: number; offset: number; order?: MonitorOrder },
): Promise<ListedMonitor[]> {
  const { limit, offset, order = null } = page;
  if (order) return readListedMonitors(db, await sortedIds(db, filter, { limit, offset, order }));
  const rows = await withState(filtered(db, filter))
    .orderBy("monitors.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(fromRow);
}

/** The monitors with these numbers, in the order of the numbers; those that are gone are left out. */
export async function readListedMonitors(db: Db, ids: readonly number[]): Promise<ListedMonitor[]> {
  const rows = await withState(db.selectFrom("monitors").where(idIn("monitors.id", ids))).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(fromRow);
}

/** The numbers of all monitors that fit, by name. */
export async function listMonitorIdsByName(db: Db, filter: MonitorFilter): Promise<number[]> {
  const rows = await inOrder(filtered(db, filter), orderTerms(db, "name", false)).execute();
  return rows.map((row) => row.id);
}

/** Only the numbers are sorted: whole rows of every monitor would be carried along for a page of them. */
async function sortedIds(
  db: Db,
  filter: MonitorFilter,
  page: { limit: number; offset: number; order: NonNullable<MonitorOrder> },
): Promise<number[]> {
  const terms = orderTerms(db, page.order.by, page.order.descending);
  const rows = await inOrder(filtered(db, filter), terms).limit(page.limit).offset(page.offset).execute();
  return rows.map((row) => row.id);
}

const inOrder = (query: ReturnType<typeof filtered>, terms: ReturnType<typeof orderTerms>) =>
  withTables(query).select("monitors.id").orderBy(sql.join(terms));

/** How many monitors fit. */
export async function countMonitors(db: Db, filter: MonitorFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One monitor with what is true of it now; null as in findMonitor. */
export async function findListedMonitor(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; ref: MonitorRef },
): Promise<ListedMonitor | null> {
  const row = await withState(filtered(db, which)).where(isRef(which.ref)).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** What status/apply-results.ts keeps of the newest check, as JSON. */
export interface LastCheckDetails {
  location: string;
  address: string | null;
  protocol: string | null;
  phases: Phases;
  reasonCode: string | null;
  reason: string | null;
}

/** The last result in full, for one monitor's detail. */
export interface LastResult {
  statusCode: number | null;
  /** Null before the first check. */
  details: LastCheckDetails | null;
  /** What the last TLS hop showed; null without TLS. */
  certificateReport: CertificateReport | null;
}

/** Reads the parts of the state that only a detail shows. */
export async function readLastResult(db: Db, monitorId: number): Promise<LastResult> {
  const row = await db
    .selectFrom("monitor_states")
    .leftJoin("certificates", "certificates.monitor_id", "monitor_states.monitor_id")
    .select(["last_status_code", "last_result", "report"])
    .where("monitor_states.monitor_id", "=", monitorId)
    .executeTakeFirst();
  return {
    statusCode: row?.last_status_code ?? null,
    details: row?.last_result ? JSON.parse(row.last_result) : null,
    certificateReport: row?.report ? JSON.parse(row.report) : null,
  };
}

function filtered(db: Db, filter: MonitorFilter) {
  let query = db
    .selectFrom("monitors")
    .where("monitors.organization_id", "=", filter.organizationId)
    .where("monitors.kind", "=", filter.kind)
    .where("monitors.deleted_at", "is", null);
  const { search, status, state } = filter;
  if (search) query = query.where(contains(search));
  if (status) query = query.where((where) => hasStatus(where, STORED_STATUSES[status]));
  if (state) query = query.where("monitors.enabled", "=", state === "paused" ? 0 : 1);
  if (state && state !== "paused") query = query.where((where) => hasStatus(where, [state]));
  return query;
}

/** Escaped, so that `%` and `_` mean themselves on both engines. */
function contains(search: string) {
  const pattern = `%${foldForSearch(search).replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`monitors.search_text like ${pattern} escape '\\'`;
}

const STORED_STATUSES = { up: ["up", "degraded"], down: ["down"], unknown: ["unknown"] } as const;

/** A monitor without a state row has not been looked at yet: unknown. */
function hasStatus(where: ExpressionBuilder<Schema, "monitors">, statuses: readonly StatusName[]) {
  const state = where
    .selectFrom("monitor_states")
    .select("monitor_states.monitor_id")
    .whereRef("monitor_states.monitor_id", "=", "monitors.id");
  if (!statuses.includes("unknown")) return where.exists(state.where("status", "in", statuses));
  return where.not(where.exists(state.where("status", "!=", "unknown")));
}

const SHOWN = [
  "monitors.id",
  "monitors.uuid",
  "monitors.name",
  "monitors.display_url",
  "monitors.enabled",
  "monitors.interval_seconds",
  "monitors.tags",
  "monitors.created_at",
  "monitors.updated_at",
  "monitor_states.status",
  "monitor_states.status_since",
  "monitor_states.flapping",
  "monitor_states.last_check_at",
  "monitor_states.last_total_us",
  "certificates.monitor_id as certificate_of",
  "certificates.valid",
  "certificates.expires_at",
  "certificates.issuer",
  "monitors.config",
] as const;

/** Not the whole JSON of every monitor: most pass, and lists are long. */
const FAILED_RESULT = sql<
  string | null
>`case when monitor_states.last_outcome != 0 then monitor_states.last_result end`.as("failed_result");

const withTables = (query: ReturnType<typeof filtered>) =>
  query
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .leftJoin("certificates", "certificates.monitor_id", "monitors.id");

const withState = (query: ReturnType<typeof filtered>) =>
  withTables(query).select(SHOWN).select(FAILED_RESULT);

type Row = Awaited<ReturnType<ReturnType<typeof withState>["execute"]>>[number];

function fromRow(row: Row): ListedMonitor {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    displayUrl: row.display_url,
    enabled: row.enabled === 1,
    intervalSeconds: row.interval_seconds,
    tags: row.tags === "[]" ? [] : JSON.parse(row.tags),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    status: row.status ?? "unknown",
    statusSince: row.status_since,
    flapping: row.flapping === 1,
    lastCheckAt: row.last_check_at,
    lastTotalUs: row.last_total_us,
    lastReason: row.failed_result === null ? null : (JSON.parse(row.failed_result).reason ?? null),
    certificate: certificateOf(row),
  };
}

function certificateOf(row: Row): KnownCertificate | null {
  if (row.certificate_of === null) return null;
  const { valid, expires_at: expiresAt, issuer, config } = row;
  // Few set it, and a list need not parse the config of all the others.
  const own = config.includes('"certificateExpiryDays"') ? JSON.parse(config).certificateExpiryDays : null;
  return { valid: valid === 1, expiresAt, issuer: issuer ?? "", expiringSoonDays: own ?? null };
}

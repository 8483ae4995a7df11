import { type SqlBool, sql } from "kysely";
import type { Impact, IncidentStatus } from "../../incident/states.ts";
import type { Status } from "../../status/state.ts";
import { type MessageDescriptor, parseMessage } from "../../texts/message.ts";
import { inSlices } from "../../turns.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { publishes } from "./page-updates.ts";

const READ_AT_ONCE = 300;

/** An incident, as far as a page may tell of it. Milliseconds. */
export interface PageIncident {
  id: number;
  uuid: string;
  automatic: boolean;
  title: string;
  /** What its title says, where the service wrote it. */
  titleFact: MessageDescriptor | null;
  status: IncidentStatus;
  impact: Impact;
  startedAt: number;
  resolvedAt: number | null;
}

/** Which incidents a page tells of. */
interface Which {
  page: { id: number; organizationId: number; showAutomatic: boolean };
  monitorIds: readonly number[];
  /** Of those that ended before, nothing is told. */
  since: number;
}

/**
 * The incidents that affect any of these monitors and are published on the page: the open ones, the newest first, then those
 * that ended last, `limit` in all. Merged ones are not there.
 */
export async function listPageIncidents(
  db: Db,
  { limit, ...which }: Which & { limit: number },
): Promise<PageIncident[]> {
  const found: PageIncident[] = [];
  await inSlices(await listIds(db, which), READ_AT_ONCE, async (ids) => {
    if (found.length < limit) found.push(...(await readPublished(db, which, ids)));
  });
  return found.slice(0, limit);
}

/** Those of these uuids that are among them, without a limit. */
export async function findPageIncidents(
  db: Db,
  { uuids, ...which }: Which & { uuids: readonly string[] },
): Promise<PageIncident[]> {
  if (uuids.length === 0) return [];
  return readPublished(db, which, await listIds(db, which, idIn("uuid", uuids)));
}

/** Numbers of those that may be published. */
async function listIds(
  db: Db,
  { page, monitorIds, since }: Which,
  are = sql<SqlBool>`1 = 1`,
): Promise<number[]> {
  const rows = await db
    .selectFrom("incidents")
    .select("id")
    .where("organization_id", "=", page.organizationId)
    .where("merged_into", "is", null)
    .where((where) => where.or([where("resolved_at", "is", null), where("resolved_at", ">=", since)]))
    .where("id", "in", (select) =>
      select.selectFrom("affected_services").select("incident_id").where(idIn("monitor_id", monitorIds)),
    )
    .where(are)
    .orderBy(sql`case when resolved_at is null then 0 else 1 end`)
    .orderBy("resolved_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these that are published, in the order of the numbers. */
async function readPublished(db: Db, { page }: Which, ids: readonly number[]): Promise<PageIncident[]> {
  const rows = await db
    .selectFrom("incidents")
    .select(["id", "uuid", "automatic", "title", "status", "impact"])
    .select(["title_fact as titleFact", "started_at as startedAt", "resolved_at as resolvedAt"])
    .where(idIn("id", ids))
    .where((where) =>
      where.or([
        ...(page.showAutomatic ? [where("automatic", "=", 1)] : []),
        where.exists((select) =>
          select
            .selectFrom("incident_updates")
            .select("incident_updates.id")
            .whereRef("incident_updates.incident_id", "=", "incidents.id")
            .where(publishes(page.id)),
        ),
      ]),
    )
    .execute();
  const read = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = read.get(id);
    if (!row) return [];
    const { automatic, titleFact, status, ...own } = row;
    const details = { automatic: automatic === 1, titleFact: parseMessage(titleFact) };
    return [{ ...own, ...details, status: status as IncidentStatus }];
  });
}

/*
 * What status pages are made from, beside status history, roll-ups and maintenance windows, which others read too.
 * Nothing here reads a target, a reason, or the name of anybody.
 */

/** What is true now of the monitor behind a component. */
export interface ComponentState {
  monitorId: number;
  status: Status;
  /** Milliseconds; null: it never was checked. */
  statusSince: number | null;
  enabled: boolean;
  /** It goes down and comes back again and again. */
  flapping: boolean;
  /** A maintenance window is open for it. */
  isMaintained: boolean;
  /** JSON array of its tags, by which windows name it. */
  tags: string;
}

/** The state of these monitors, by their numbers. */
export async function readComponentStates(
  db: Db,
  monitorIds: readonly number[],
): Promise<Map<number, ComponentState>> {
  const rows = await db
    .selectFrom("monitors")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["monitors.id as monitorId", "status", "status_since as statusSince", "enabled", "tags"])
    .select(["maintenance_until as maintenanceUntil", "flapping"])
    .where(idIn("monitors.id", monitorIds))
    .execute();
  return new Map(
    rows.map(({ status, enabled, maintenanceUntil, ...row }) => [
      row.monitorId,
      {
        ...row,
        status: status ?? "unknown",
        enabled: enabled === 1,
        flapping: row.flapping === 1,
        isMaintained: maintenanceUntil !== null,
      },
    ]),
  );
}

/** What an incident affects: which monitor, what it was called, and its outage where that is why. */
export interface PageAffected {
  incidentId: number;
  monitorId: number | null;
  name: string;
  outageStartedAt: number | null;
  outageEndedAt: number | null;
  /** Of a device whose outage is its health: when it was offline besides; a time without an end lasts as long as the outage. Null: there is no such time. */
  offline: readonly (readonly [from: number, to: number | null])[] | null;
}

/** What these incidents affect, in the order in which it was said. */
export async function listPageAffected(db: Db, incidentIds: readonly number[]): Promise<PageAffected[]> {
  const rows = await db
    .selectFrom("affected_services")
    .select(["incident_id as incidentId", "monitor_id as monitorId", "name", "offline"])
    .select(["outage_started_at as outageStartedAt", "outage_ended_at as outageEndedAt"])
    .where(idIn("incident_id", incidentIds))
    .orderBy("id")
    .execute();
  return rows.map(({ offline, ...row }) => ({
    ...row,
    offline: offline === null ? null : (JSON.parse(offline) as PageAffected["offline"]),
  }));
}

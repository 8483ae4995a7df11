import type { Impact, IncidentStatus } from "../../incident/states.ts";
import type { Status } from "../../status/state.ts";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

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
    .select("maintenance_until as maintenanceUntil")
    .where(idIn("monitors.id", monitorIds))
    .execute();
  return new Map(
    rows.map(({ status, enabled, maintenanceUntil, ...row }) => [
      row.monitorId,
      {
        ...row,
        status: status ?? "unknown",
        enabled: enabled === 1,
        isMaintained: maintenanceUntil !== null,
      },
    ]),
  );
}

/** An incident, as far as a page may tell of it. Milliseconds. */
export interface PageIncident {
  id: number;
  uuid: string;
  automatic: boolean;
  title: string;
  /** What its title says, where the service wrote it. */
  titleFact: Fact | null;
  status: IncidentStatus;
  impact: Impact;
  startedAt: number;
  resolvedAt: number | null;
}

/** The newest `limit` incidents that affect any of these monitors and are open, or were at `since`; merged ones are not there. */
export async function listPageIncidents(
  db: Db,
  which: { organizationId: number; monitorIds: readonly number[]; since: number; limit: number },
): Promise<PageIncident[]> {
  const rows = await db
    .selectFrom("incidents")
    .select(["id", "uuid", "automatic", "title", "status", "impact"])
    .select(["title_fact as titleFact", "started_at as startedAt", "resolved_at as resolvedAt"])
    .where("organization_id", "=", which.organizationId)
    .where("merged_into", "is", null)
    .where((where) => where.or([where("resolved_at", "is", null), where("resolved_at", ">=", which.since)]))
    .where("id", "in", (select) =>
      select
        .selectFrom("affected_services")
        .select("incident_id")
        .where(idIn("monitor_id", which.monitorIds)),
    )
    .orderBy("id", "desc")
    .limit(which.limit)
    .execute();
  return rows.map(({ automatic, titleFact, status, ...row }) => ({
    ...row,
    automatic: automatic === 1,
    titleFact: parseFact(titleFact),
    status: status as IncidentStatus,
  }));
}

/** What an incident affects: which monitor, what it was called, and its outage where that is why. */
export interface PageAffected {
  incidentId: number;
  monitorId: number | null;
  name: string;
  outageStartedAt: number | null;
  outageEndedAt: number | null;
}

/** What these incidents affect, in the order in which it was said. */
export const listPageAffected = (db: Db, incidentIds: readonly number[]): Promise<PageAffected[]> =>
  db
    .selectFrom("affected_services")
    .select(["incident_id as incidentId", "monitor_id as monitorId", "name"])
    .select(["outage_started_at as outageStartedAt", "outage_ended_at as outageEndedAt"])
    .where(idIn("incident_id", incidentIds))
    .orderBy("id")
    .execute();

import type { Status } from "../../status/state.ts";
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

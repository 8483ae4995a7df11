import { sql } from "kysely";
import type { AlertState, Objective } from "../../engine/status/objective.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among } from "../../platform/database/sql.ts";
import type { CertificateLevel } from "../certificates/levels.ts";

/** The notification that was sent of a certificate. */
interface NotifiedCertificate {
  monitorId: number;
  fingerprint: string;
  level: CertificateLevel;
}

/** Whether notifications of these were sent, by `certificateKey`. */
export async function readCertificateEvents(db: Db, monitorIds: readonly number[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("certificate_warnings")
    .select(["monitor_id as monitorId", "fingerprint", "level"])
    .where(among(db, "monitor_id", monitorIds))
    .execute();
  return new Set(rows.map(certificateKey));
}

export const certificateKey = ({
  monitorId,
  fingerprint,
  level,
}: Pick<NotifiedCertificate, "monitorId" | "fingerprint"> & { level: string }): string =>
  `${monitorId} ${fingerprint} ${level}`;

/** Marks these as notified; returns those that were not before, by `certificateKey`. */
export async function claimCertificateEvents(
  trx: Db,
  warnings: readonly NotifiedCertificate[],
  now: number,
): Promise<Set<string>> {
  const rows = warnings.map(({ monitorId, fingerprint, level }) => ({
    ...{ monitor_id: monitorId, fingerprint, level, notified_at: now },
  }));
  const claimed = await trx
    .insertInto("certificate_warnings")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(["monitor_id as monitorId", "fingerprint", "level"])
    .execute();
  return new Set(claimed.map(certificateKey));
}

/** A monitor with a certificate notification that has not been followed by an all-clear. */
export interface WarnedMonitor {
  monitorId: number;
  /** Why it is not watched any more; null: it is watched. */
  unwatched: "paused" | "deleted" | null;
  isInMaintenance: boolean;
}

/** All of these. */
export async function listWarnedMonitors(db: Db): Promise<WarnedMonitor[]> {
  const rows = await db
    .selectFrom("certificate_warnings as notified")
    .innerJoin("monitors", "monitors.id", "notified.monitor_id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["monitors.id", "monitors.enabled", "monitors.deleted_at as deletedAt"])
    .select("monitor_states.maintenance_until as maintenanceUntil")
    .distinct()
    .where("notified.ended_at", "is", null)
    .orderBy("monitors.id")
    .execute();
  return rows.map(({ id: monitorId, enabled, deletedAt, maintenanceUntil }) => ({
    monitorId,
    unwatched: unwatchedWhy(enabled, deletedAt),
    isInMaintenance: maintenanceUntil !== null,
  }));
}

/** Marks the all-clear for these monitors' certificates as sent; returns those for which it was not before. */
export async function claimCertificateEnds(
  trx: Db,
  monitorIds: readonly number[],
  now: number,
): Promise<Set<number>> {
  if (monitorIds.length === 0) return new Set();
  const rows = await trx
    .updateTable("certificate_warnings")
    .set({ ended_at: now })
    .where(among(trx, "monitor_id", monitorIds))
    .where("ended_at", "is", null)
    .returning("monitor_id as id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Lets notifications of these monitors' certificates be sent again. */
export async function forgetCertificateEvents(trx: Db, monitorIds: readonly number[]): Promise<void> {
  if (monitorIds.length === 0) return;
  await trx
    .deleteFrom("certificate_warnings")
    .where(among(trx, "monitor_id", monitorIds))
    .execute();
}

/** A monitor of whose certificate some channel was warned, and not yet of the end of that. */
export interface AlertedMonitor extends WarnedMonitor {
  organizationId: number;
}

/** All of them. */
export async function listAlertedMonitors(db: Db): Promise<AlertedMonitor[]> {
  const rows = await db
    .selectFrom("alerts")
    .leftJoin("monitors", (join) =>
      join.on("monitors.id", "=", sql<number>`cast(substr(alerts.subject, 13) as bigint)`),
    )
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["alerts.subject", "alerts.organization_id as organizationId", "monitors.enabled"])
    .select(["monitors.deleted_at as deletedAt", "monitor_states.maintenance_until as maintenanceUntil"])
    .distinct()
    .where("alerts.resolved_at", "is", null)
    .where("alerts.subject", ">=", "certificate ")
    .where("alerts.subject", "<", "certificate!")
    .orderBy("alerts.subject")
    .execute();
  return rows.map(({ subject, organizationId, enabled, deletedAt, maintenanceUntil }) => ({
    monitorId: Number(subject.split(" ")[1]),
    organizationId,
    unwatched: unwatchedWhy(enabled, deletedAt),
    isInMaintenance: maintenanceUntil !== null,
  }));
}

function unwatchedWhy(enabled: number | null, deletedAt: number | null) {
  if (deletedAt !== null) return "deleted";
  return enabled === 1 ? null : "paused";
}

/** The fingerprints of the certificates notified last, by the numbers of these monitors. */
export async function readNotifiedFingerprints(
  db: Db,
  monitorIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("certificate_warnings")
    .select(["monitor_id as monitorId", "fingerprint"])
    .where(among(db, "monitor_id", monitorIds))
    .orderBy("notified_at")
    .execute();
  return new Map(rows.map(({ monitorId, fingerprint }) => [monitorId, fingerprint]));
}

/** A monitor with an objective, or with an open alert about one. */
export interface ObjectiveOf {
  monitorId: number;
  organizationId: number;
  /** Null: it has none any more. */
  objective: Objective | null;
  state: AlertState | null;
  /** Why the monitor is not watched any more; null: it is watched. */
  unwatched: "paused" | "deleted" | null;
  /** It is in a maintenance window, or down behind another: no notifications are sent. */
  isHeld: boolean;
}

const DAY_MS = 86_400_000;

/**
 * After this monitor, by id: those with an objective that are watched, and are down or have changed within that part of the
 * objective's days, so that an alert may be due; and those with an open alert. Milliseconds.
 */
export async function listBurning(
  db: Db,
  { afterId, now, part, limit }: { afterId: number; now: number; part: number; limit: number },
): Promise<ObjectiveOf[]> {
  const partMs = sql`cast(${Math.ceil(part * DAY_MS)} as bigint)`;
  const since = sql`cast(${now} as bigint) - monitors.objective_days * ${partMs}`;
  const rows = await db
    .selectFrom("monitors")
    .leftJoin("monitor_states as known", "known.monitor_id", "monitors.id")
    .leftJoin("objective_alerts as alert", "alert.monitor_id", "monitors.id")
    .select(["monitors.id as monitorId", "monitors.organization_id as organizationId"])
    .select(["monitors.objective as percent", "monitors.objective_days as days"])
    .select(["monitors.enabled", "monitors.deleted_at as deletedAt", "alert.state"])
    .select(["known.maintenance_until as maintenanceUntil", "known.suppressed_by as suppressedBy"])
    .where("monitors.id", ">", afterId)
    // By the index of those that have one.
    .where(
      sql<boolean>`monitors.id in (
        select id from monitors where objective > 0 union select monitor_id from objective_alerts)`,
    )
    .where(
      sql<boolean>`(alert.state is not null or (
        monitors.enabled = 1 and monitors.deleted_at is null and (known.status = 'down' or exists (
          select 1 from transitions as change where change.monitor_id = monitors.id and change.at > ${since}))))`,
    )
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
  return rows.map(({ percent, days, enabled, deletedAt, maintenanceUntil, suppressedBy, ...same }) => ({
    ...same,
    objective: percent > 0 ? { percent, days } : null,
    unwatched: unwatchedWhy(enabled, deletedAt),
    isHeld: maintenanceUntil !== null || suppressedBy !== null,
  }));
}

/**
 * Takes a monitor's alert from one state to the next; of two that do so at once, one does. Returns whether it was this one.
 * Null: there is none.
 */
export async function moveAlert(
  trx: Db,
  { monitorId, from, to }: { monitorId: number; from: AlertState | null; to: AlertState | null },
  now: number,
): Promise<boolean> {
  if (from === null) {
    if (to === null) return false;
    const made = await trx
      .insertInto("objective_alerts")
      .values({ monitor_id: monitorId, state: to, since: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning("monitor_id")
      .executeTakeFirst();
    return made !== undefined;
  }
  const moved =
    to === null ? await endAlert(trx, monitorId, from) : await changeAlert(trx, { monitorId, from, to }, now);
  return moved.length > 0;
}

const endAlert = (trx: Db, monitorId: number, from: AlertState) =>
  trx
    .deleteFrom("objective_alerts")
    .where("monitor_id", "=", monitorId)
    .where("state", "=", from)
    .returning("monitor_id")
    .execute();

const changeAlert = (
  trx: Db,
  { monitorId, from, to }: { monitorId: number; from: AlertState; to: AlertState },
  now: number,
) =>
  trx
    .updateTable("objective_alerts")
    .set({ state: to, since: now })
    .where("monitor_id", "=", monitorId)
    .where("state", "=", from)
    .returning("monitor_id")
    .execute();

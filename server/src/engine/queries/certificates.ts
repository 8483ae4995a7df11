import { sql } from "kysely";
import type { CertificateLevel } from "../../alerts/certificates/levels.ts";
import type { CertificateReport, NamedCertificate } from "../../checks/certificate.ts";
import type { Reason } from "../../checks/reasons.ts";
import { certificateSettings, type KnownCertificate } from "../../monitors/queries/listed-monitors.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/db.ts";
import { among, idIn } from "../../platform/database/dialect.ts";
import type { CertificateTable } from "../../platform/database/tables/monitors.ts";
import { readStoredMessage } from "../../platform/i18n/message.ts";

/** What a check saw of a monitor's certificate, and when (milliseconds). */
export interface SeenCertificate {
  monitorId: number;
  seenAt: number;
  report: CertificateReport;
}

const COLUMNS = ["valid", "expires_at", "issuer", "fingerprint", "report", "seen_at"] as const;

/** A report that is older than the one known changes nothing. */
const NEWER_ONLY = Object.fromEntries(
  COLUMNS.map((column) => [
    column,
    `case when excluded.seen_at >= certificates.seen_at then excluded.${column} else certificates.${column} end`,
  ]),
);

/** Keeps the newest certificate of each monitor. At most one entry a monitor. */
export async function saveCertificates(trx: Db, seen: readonly SeenCertificate[]): Promise<void> {
  const rows: CertificateTable[] = seen.map(({ monitorId, seenAt, report }) => ({
    monitor_id: monitorId,
    valid: report.valid ? 1 : 0,
    expires_at: report.expiresAt,
    issuer: report.issuer,
    fingerprint: report.fingerprint,
    report: JSON.stringify(report),
    seen_at: seenAt,
  }));
  await insertMany(trx, "certificates", rows, { keys: ["monitor_id"], update: NEWER_ONLY });
}

/** A report as it was stored, also by older versions: with a sentence for a reason. */
export function parseReport(json: string): CertificateReport {
  const report = JSON.parse(json) as CertificateReport;
  return {
    ...report,
    invalidReason: readStoredMessage(report.invalidReason, "certificate") as Reason | null,
  };
}

/** Dates certificates of these monitors that were seen later than `limit` to `now`, so that newer ones take their place. */
export async function correctCertificateDates(
  trx: Db,
  monitorIds: readonly number[],
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  await trx
    .updateTable("certificates")
    .set({ seen_at: now - 60_000 })
    .where(idIn("monitor_id", monitorIds))
    .where("seen_at", ">", limit)
    .execute();
}

/** A monitor's certificate as a check saw it last. */
export interface SeenCertificateOf extends KnownCertificate {
  monitorId: number;
  organizationId: number;
  fingerprint: string;
  /** Why it was not valid. */
  invalidReason: Reason | null;
  /** The certificate of its chain that ends first; absent: its own. */
  endsWith?: NamedCertificate | undefined;
  /** Whose it is, of several hosts that redirects lead over. */
  host?: string | undefined;
}

const certificates = (db: Db) =>
  db
    .selectFrom("certificates")
    .innerJoin("monitors", "monitors.id", "certificates.monitor_id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select([
      "monitors.id as monitorId",
      "monitors.organization_id as organizationId",
      "monitors.config",
      "certificates.valid",
      "certificates.expires_at as expiresAt",
      "certificates.issuer",
      "certificates.fingerprint",
      // Of few: those of which there is more to say than what has a column of its own.
      sql<string | null>`case when certificates.valid = 0 or certificates.report like '%"endsWith":%'
        or certificates.report like '%"host":%' then certificates.report end`.as("report"),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof certificates>["execute"]>>[number];

function fromRow({ config, valid, report, ...same }: Row): SeenCertificateOf {
  const known = report === null ? null : parseReport(report);
  return {
    ...same,
    valid: valid === 1,
    ...certificateSettings(config),
    invalidReason: known?.invalidReason ?? null,
    endsWith: known?.endsWith,
    host: known?.host,
  };
}

/** After this monitor, by id: certificates that may need a notification, of monitors that work and are watched. */
export async function listCertificatesToWarn(
  db: Db,
  { afterId, before, limit }: { afterId: number; before: number; limit: number },
): Promise<SeenCertificateOf[]> {
  const rows = await certificates(db)
    .where("monitors.id", ">", afterId)
    .where("monitors.deleted_at", "is", null)
    .where("monitors.enabled", "=", 1)
    .where("monitor_states.status", "in", ["up", "degraded"])
    .where("monitor_states.maintenance_until", "is", null)
    .where(
      sql<boolean>`(certificates.valid = 0 or certificates.expires_at <= ${before}
        or monitors.config like '%"certificateExpiryDays"%')`,
    )
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** The notification that was sent of a certificate. */
interface NotifiedCertificate {
  monitorId: number;
  fingerprint: string;
  level: CertificateLevel;
}

/** Whether notifications of these were sent, by `certificateKey`. */
export async function readCertificateEvents(db: Db, monitorIds: readonly number[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("certificate_notices")
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
    ...{ monitor_id: monitorId, fingerprint, level, told_at: now },
  }));
  const claimed = await trx
    .insertInto("certificate_notices")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(["monitor_id as monitorId", "fingerprint", "level"])
    .execute();
  return new Set(claimed.map(certificateKey));
}

/** A monitor with a certificate notification that has not been followed by an all-clear. */
export interface NoticedMonitor {
  monitorId: number;
  /** Why it is not watched any more; null: it is watched. */
  unwatched: "paused" | "deleted" | null;
  isInMaintenance: boolean;
}

/** All of these. */
export async function listNoticedMonitors(db: Db): Promise<NoticedMonitor[]> {
  const rows = await db
    .selectFrom("certificate_notices as notified")
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
    .updateTable("certificate_notices")
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
    .deleteFrom("certificate_notices")
    .where(among(trx, "monitor_id", monitorIds))
    .execute();
}

/** A monitor of whose certificate some channel was warned, and not yet of the end of that. */
export interface WarnedMonitor {
  monitorId: number;
  organizationId: number;
  /** Why the monitor is not watched any more; null: it is watched. */
  unwatched: "paused" | "deleted" | null;
  isInMaintenance: boolean;
}

/** All of them. */
export async function listWarned(db: Db): Promise<WarnedMonitor[]> {
  const rows = await db
    .selectFrom("alerts")
    .leftJoin("monitors", (join) =>
      join.on("monitors.id", "=", sql<number>`cast(substr(alerts.subject, 13) as bigint)`),
    )
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select([
      ...(["alerts.subject", "alerts.organization_id as organizationId", "monitors.enabled"] as const),
      ...([
        "monitors.deleted_at as deletedAt",
        "monitor_states.maintenance_until as maintenanceUntil",
      ] as const),
    ])
    .distinct()
    .where("alerts.resolved_at", "is", null)
    .where("alerts.subject", ">=", "certificate ")
    .where("alerts.subject", "<", "certificate!")
    .orderBy("alerts.subject")
    .execute();
  return rows.map(({ subject, organizationId, enabled, deletedAt, maintenanceUntil }) => ({
    ...{
      monitorId: Number(subject.split(" ")[1]),
      organizationId,
      unwatched: unwatchedWhy(enabled, deletedAt),
    },
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
    .selectFrom("certificate_notices")
    .select(["monitor_id as monitorId", "fingerprint"])
    .where(among(db, "monitor_id", monitorIds))
    .orderBy("told_at")
    .execute();
  return new Map(rows.map(({ monitorId, fingerprint }) => [monitorId, fingerprint]));
}

/** The certificates of these monitors, by the monitors' numbers. */
export async function readCertificates(
  db: Db,
  monitorIds: readonly number[],
): Promise<Map<number, SeenCertificateOf>> {
  const rows = await certificates(db)
    .where(among(db, "monitors.id", monitorIds))
    .execute();
  return new Map(rows.map((row) => [row.monitorId, fromRow(row)]));
}

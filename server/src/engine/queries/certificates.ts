import { sql } from "kysely";
import type { CertificateReport, NamedCertificate } from "../../checks/certificate.ts";
import type { Reason } from "../../checks/reasons.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn } from "../../platform/database/sql.ts";
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

/** What is known of a monitor's certificate; `expiresAt` in milliseconds, null when it could not be read. */
export interface KnownCertificate {
  valid: boolean;
  expiresAt: number | null;
  issuer: string;
  /** The monitor's own idea of "soon" (config `certificateExpiryDays`); null: the usual. */
  expiringSoonDays: number | null;
  /** It is accepted even if it is not valid (config `ignoreCertificate`). */
  unverified: boolean;
}

/** What a monitor's configuration says of certificates. */
export function certificateSettings(
  config: string | null,
): Pick<KnownCertificate, "expiringSoonDays" | "unverified"> {
  // Few set it, and a list need not parse the config of all the others.
  const own = config?.includes('"certificateExpiryDays"') ? JSON.parse(config).certificateExpiryDays : null;
  const unverified = config?.includes('"ignoreCertificate":true') ?? false;
  return { expiringSoonDays: own ?? null, unverified };
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

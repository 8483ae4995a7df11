import type { CertificateReport } from "../../check/certificate-report.ts";
import type { Reason } from "../../check/reasons.ts";
import { readFact } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import type { CertificateTable } from "../schema/monitors.ts";

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

/** A report as it was kept, also by older versions: with a sentence for a reason. */
export function parseReport(json: string): CertificateReport {
  const report = JSON.parse(json) as CertificateReport;
  return { ...report, invalidReason: readFact(report.invalidReason, "certificate") as Reason | null };
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

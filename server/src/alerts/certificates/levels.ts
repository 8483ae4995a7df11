import type { KnownCertificate } from "../../engine/queries/certificates.ts";
import { certificateStatus } from "../../monitors/certificate-status.ts";
import type { Severity } from "../../platform/monitor-defaults.ts";

const DAY_MS = 86_400_000;
/** Below the threshold the notification is repeated when so many days are left. */
const DAYS = [1, 3, 7] as const;

/** Each is notified once: that a certificate expires soon, again with so many days left, or that it is not valid. */
export type CertificateLevel = "soon" | `${(typeof DAYS)[number]}` | "expired" | "invalid";

/**
 * The level to notify for a certificate; null: none. An invalid one counts only where the check accepts it: everywhere else the
 * monitor is down for it, which is notified by itself.
 */
export function certificateLevel(certificate: KnownCertificate, now: number): CertificateLevel | null {
  const status = certificateStatus(certificate, now);
  if (status === "expired" || status === "invalid") return certificate.unverified ? status : null;
  if (status !== "expiring_soon" || certificate.expiresAt === null) return null;
  const left = certificate.expiresAt - now;
  const days = DAYS.find((each) => left <= each * DAY_MS);
  return days === undefined ? "soon" : `${days}`;
}

/** How grave that is. */
export const LEVEL_SEVERITIES: Readonly<Record<CertificateLevel, Severity>> = {
  soon: "low",
  "7": "low",
  "3": "medium",
  "1": "medium",
  expired: "medium",
  invalid: "medium",
};

import type { Severity } from "../../incident/states.ts";
import { certificateStatus } from "../../monitor/certificate-status.ts";
import type { KnownCertificate } from "../../store/queries/listed-monitors.ts";

const DAY_MS = 86_400_000;
/** From the threshold on it is told again when so many days are left. */
const DAYS = [1, 3, 7] as const;

/** What is told of a certificate once: that it expires soon, and again with so many days left; or that it is not valid. */
export type CertificateLevel = "soon" | `${(typeof DAYS)[number]}` | "expired" | "invalid";

/**
 * What there is to tell of a certificate; null: nothing. Of one that is not valid only where the check accepts it: everywhere
 * else the monitor is down for it, and that is told.
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

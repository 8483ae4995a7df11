import type { KnownCertificate } from "../engine/queries/certificates.ts";

export const CERTIFICATE_STATUSES = ["valid", "expiring_soon", "expired", "invalid", "none"] as const;
type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

/** A certificate that ends within these days is worth a look, unless the monitor says otherwise. */
export const EXPIRING_SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * What a certificate comes down to now. Expiry is looked at here and not when it was checked, so that
 * a monitor that is paused or far from its next check does not show yesterday's answer.
 */
export function certificateStatus(certificate: KnownCertificate | null, now: number): CertificateStatus {
  if (certificate === null) return "none";
  const { valid, expiresAt } = certificate;
  const soonDays = certificate.expiringSoonDays ?? EXPIRING_SOON_DAYS;
  if (expiresAt !== null && expiresAt <= now) return "expired";
  if (!valid) return "invalid";
  return expiresAt !== null && expiresAt - now <= soonDays * DAY_MS ? "expiring_soon" : "valid";
}

/** Whether it would be accepted now; null when there is none. */
export function isCertificateValid(certificate: KnownCertificate | null, now: number): boolean | null {
  if (certificate === null) return null;
  const status = certificateStatus(certificate, now);
  return status === "valid" || status === "expiring_soon";
}

/** What people call the holder of a distinguished name: its CN, else its O, else all of it. */
export function commonName(distinguishedName: string): string {
  return partOf(distinguishedName, "CN") ?? partOf(distinguishedName, "O") ?? distinguishedName;
}

/** An issuer's name with the organization behind it, as "E7, Let's Encrypt": the name alone may be a code. */
export function issuerName(distinguishedName: string): string {
  const names = [commonName(distinguishedName), partOf(distinguishedName, "O")];
  return [...new Set(names.filter((name) => name !== undefined))].join(", ");
}

function partOf(distinguishedName: string, key: string): string | undefined {
  return new RegExp(`(?:^|, )${key}=(.*?)(?=, [A-Za-z0-9.]+=|$)`).exec(distinguishedName)?.[1];
}

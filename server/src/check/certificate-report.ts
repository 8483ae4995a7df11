import type { Reason } from "./reasons.ts";

/** One certificate of the chain, leaf first. Times are milliseconds since 1970. */
export interface CertificateSummary {
  subject: string;
  issuer: string;
  /** DNS names and addresses it is for (subjectAltName). */
  names: string[];
  notBefore: number;
  notAfter: number;
  /** e.g. `RSA 2048`, `EC prime256v1`, `ED25519`. */
  keyType: string;
  serialNumber: string;
  /** SHA-256 of the DER bytes, hex. */
  fingerprint: string;
}

/** What a TLS hop showed: the chain, and why it is not to be trusted, if so. */
export interface CertificateReport {
  valid: boolean;
  /** e.g. `expired`, `not_yet_valid`, `host_mismatch`, `self_signed`, `untrusted_chain`; null when valid. */
  invalidCode: string | null;
  invalidReason: Reason | null;
  /** Earliest `notAfter` of leaf and intermediates the server sent; null when nothing could be read. */
  expiresAt: number | null;
  issuer: string;
  fingerprint: string;
  chain: CertificateSummary[];
}

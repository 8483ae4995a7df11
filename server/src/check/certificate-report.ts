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
  /** The path that was judged does not lead over it: it does not matter. */
  isUnused?: true;
}

/** A certificate by its place in a path: the server's own, one that vouches for it, or the last one, which is its own issuer or trusted. */
export type CertificateRole = "leaf" | "intermediate" | "root";

/** A certificate of a path, for people. */
export interface NamedCertificate {
  role: CertificateRole;
  /** Its subject. */
  name: string;
}

/** What a TLS hop showed: the chain, and why it is not to be trusted, if so. */
export interface CertificateReport {
  valid: boolean;
  /** e.g. `expired`, `not_yet_valid`, `host_mismatch`, `self_signed`, `untrusted_chain`; null when valid. */
  invalidCode: string | null;
  invalidReason: Reason | null;
  /** When the path from the server's certificate to a trust anchor ends, or what there is of one; null when nothing could be read. */
  expiresAt: number | null;
  /** The certificate that ends then, where that is not the server's own. */
  endsWith?: NamedCertificate;
  /** Whose it is, where redirects lead over several hosts that show one. */
  host?: string;
  issuer: string;
  fingerprint: string;
  /** As the server sent it. */
  chain: CertificateSummary[];
}

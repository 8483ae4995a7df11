import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";
import { invalidReason } from "./certificate-reasons.ts";
import type { CertificateReport, CertificateSummary } from "./certificate-report.ts";

export type CertificateStatus = "valid" | "expiring_soon" | "expired" | "invalid";

const DAY_MS = 86_400_000;

/**
 * What a certificate is worth at `now` (milliseconds): a report made while it was valid turns into
 * expiring_soon and expired by itself. Expired comes before any other fault. Pure.
 */
export function certificateStatus(
  report: Pick<CertificateReport, "valid" | "expiresAt">,
  now: number,
  expiryDays: number,
): CertificateStatus {
  if (report.expiresAt !== null && report.expiresAt <= now) return "expired";
  if (!report.valid) return "invalid";
  if (report.expiresAt !== null && report.expiresAt <= now + expiryDays * DAY_MS) return "expiring_soon";
  return "valid";
}

/** OpenSSL's verdicts (X509_V_ERR_…) as Node names them. */
const CODES: Record<string, string> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not_yet_valid",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self_signed",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted_chain",
  UNABLE_TO_GET_ISSUER_CERT: "untrusted_chain",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "untrusted_chain",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "untrusted_chain",
  CERT_UNTRUSTED: "untrusted_chain",
  CERT_REVOKED: "revoked",
  HOSTNAME_MISMATCH: "host_mismatch",
};

/** Reports already made: a host shows the same chain at every check, and parsing it takes long. */
const reports = new Map<string, CertificateReport>();
const REPORTS_KEPT = 5000;
const CHAIN_LONGEST = 10;

/** Reads what the server showed in a finished handshake; `host` is the name or literal it must be for. */
export function certificateReport(socket: TLSSocket, host: string): CertificateReport {
  const chain: X509Certificate[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && chain.length < CHAIN_LONGEST) {
    chain.push(certificate);
    certificate = certificate.issuerCertificate;
  }
  const error = socket.authorizationError as string | Error | null | undefined;
  const verdict = error instanceof Error ? error.message : (error ?? "");
  const key = `${verdict} ${host} ${chain.map(({ fingerprint256 }) => fingerprint256).join()}`;
  let report = reports.get(key);
  if (report === undefined) {
    report = makeReport(chain, verdict, host);
    if (reports.size >= REPORTS_KEPT) reports.delete(reports.keys().next().value as string);
    reports.set(key, report);
  }
  return report;
}

function makeReport(certificates: X509Certificate[], verdict: string, host: string): CertificateReport {
  const chain = certificates.map(summary);
  const [leaf] = chain;
  const invalidCode = verdict === "" ? hostMismatch(certificates[0], host) : (CODES[verdict] ?? "invalid");
  const ends = chain.filter(({ subject, issuer }, index) => index === 0 || subject !== issuer);
  return {
    valid: invalidCode === null,
    invalidCode,
    invalidReason: invalidCode === null ? null : invalidReason(invalidCode, chain, host, verdict),
    expiresAt: ends.length === 0 ? null : Math.min(...ends.map(({ notAfter }) => notAfter)),
    issuer: leaf?.issuer ?? "",
    fingerprint: leaf?.fingerprint ?? "",
    chain,
  };
}

/** As browsers judge it: only subjectAltName counts, and a star stands for one whole label (RFC 9525). */
function hostMismatch(leaf: X509Certificate | undefined, host: string): string | null {
  if (leaf === undefined) return "invalid";
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  const match =
    isIP(name) === 0
      ? leaf.checkHost(name, { subject: "never", partialWildcards: false })
      : leaf.checkIP(name);
  return match === undefined ? "host_mismatch" : null;
}

function summary(certificate: X509Certificate): CertificateSummary {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    names: alternativeNames(certificate.subjectAltName ?? ""),
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime(),
    keyType: keyType(certificate),
    serialNumber: certificate.serialNumber,
    fingerprint: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
  };
}

/** Bounds what is kept of a certificate: a server may fill a hundred kilobytes with names, and reports are stored. */
const MAX_NAMES = 500;
const NAME_LONGEST = 1000;

/** Node writes a distinguished name with a line for each part, least telling first. */
const oneLine = (name: string | undefined) =>
  (name ?? "").slice(0, NAME_LONGEST).toWellFormed().split("\n").reverse().join(", ");

const NAME = /(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g;

function alternativeNames(text: string): string[] {
  const names: string[] = [];
  for (const [, name = ""] of text.matchAll(NAME)) {
    names.push(
      name
        .slice(0, NAME_LONGEST)
        .toWellFormed()
        .replace(/^"(.*)"$/, "$1"),
    );
    if (names.length === MAX_NAMES) break;
  }
  return names;
}

function keyType(certificate: X509Certificate): string {
  try {
    const { asymmetricKeyType = "unknown", asymmetricKeyDetails } = certificate.publicKey;
    const detail = asymmetricKeyDetails?.modulusLength ?? asymmetricKeyDetails?.namedCurve;
    const type = asymmetricKeyType.toUpperCase();
    return detail === undefined ? type : `${type} ${detail}`;
  } catch {
    return "unknown";
  }
}

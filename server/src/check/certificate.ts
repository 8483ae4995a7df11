import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";
import { fact } from "../texts/fact.ts";
import {
  type CertificatePath,
  firstToEnd,
  isSame,
  lastingPath,
  type TrustAnchors,
  trustAnchors,
} from "./certificate-path.ts";
import {
  invalidReason,
  keyType,
  NAME_LONGEST,
  namedIn,
  oneLine,
  UNNAMED,
  weaknessIn,
} from "./certificate-reasons.ts";
import type { CertificateReport, CertificateSummary } from "./certificate-report.ts";
import type { Network } from "./network.ts";

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

/** Reports already made, by what else is trusted: a host shows the same chain at every check, and reading it takes long. */
const reports = new WeakMap<readonly string[], Map<string, CertificateReport>>();
const REPORTS_KEPT = 5000;
const CHAIN_LONGEST = 20;
const NONE_ADDED: readonly string[] = [];

function reportsBy(ca: readonly string[]): Map<string, CertificateReport> {
  const known = reports.get(ca) ?? new Map<string, CertificateReport>();
  reports.set(ca, known);
  return known;
}

/** Reads what the server showed in a finished handshake; `name` is the name or literal it must be for. */
export function certificateReport(socket: TLSSocket, name: string, network: Network): CertificateReport {
  const sent: X509Certificate[] = [];
  // As it was sent, whatever belongs together: Node links each certificate to the next one.
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && sent.length < CHAIN_LONGEST) {
    sent.push(certificate);
    certificate = certificate.issuerCertificate;
  }
  const error = socket.authorizationError as string | Error | null | undefined;
  const verdict = error instanceof Error ? error.message : (error ?? "");
  const { ca = NONE_ADDED } = network;
  const known = reportsBy(ca);
  const key = `${verdict} ${name} ${sent.map(({ fingerprint256 }) => fingerprint256).join()}`;
  let report = known.get(key);
  if (report === undefined) {
    report = makeReport(sent, { verdict, name, anchors: trustAnchors(ca) });
    if (known.size >= REPORTS_KEPT) known.delete(known.keys().next().value as string);
    known.set(key, report);
  }
  return report;
}

interface Judged {
  /** OpenSSL's own code; empty: it verifies. */
  verdict: string;
  name: string;
  anchors: TrustAnchors;
}

function makeReport(sent: readonly X509Certificate[], { verdict, name, anchors }: Judged): CertificateReport {
  const [leaf, ...rest] = sent;
  if (leaf === undefined) return NOTHING_SHOWN;
  const path = lastingPath([leaf, ...rest], anchors, Date.now());
  const names = alternativeNames(leaf.subjectAltName ?? "");
  const first = firstToEnd(path);
  const invalidCode = verdict === "" ? hostMismatch(leaf, name) : codeOf(verdict, path);
  return {
    valid: invalidCode === null,
    invalidCode,
    invalidReason: invalidCode === null ? null : invalidReason(invalidCode, path, { name, verdict, names }),
    expiresAt: first.validToDate.getTime(),
    ...(first !== leaf && { endsWith: namedIn(path, first) }),
    issuer: oneLine(leaf.issuer),
    fingerprint: fingerprintOf(leaf),
    chain: sent.map((each) => ({
      ...summary(each),
      ...(!path.certificates.some((used) => isSame(used, each)) && { isUnused: true as const }),
    })),
  };
}

const NOTHING_SHOWN: CertificateReport = {
  valid: false,
  invalidCode: "invalid",
  invalidReason: fact("certificate.none"),
  expiresAt: null,
  issuer: "",
  fingerprint: "",
  chain: [],
};

/** Node has no name for what OpenSSL says of weak keys and signatures, among other things. */
function codeOf(verdict: string, path: CertificatePath): string {
  const code = CODES[verdict];
  if (code !== undefined || verdict !== UNNAMED) return code ?? "invalid";
  return weaknessIn(path)?.code ?? "invalid";
}

/** As browsers judge it: only subjectAltName counts, and a star stands for one whole label (RFC 9525). */
function hostMismatch(leaf: X509Certificate, host: string): string | null {
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
    fingerprint: fingerprintOf(certificate),
  };
}

const fingerprintOf = ({ fingerprint256 }: X509Certificate) =>
  fingerprint256.replaceAll(":", "").toLowerCase();

/** Bounds what is kept of a certificate: a server may fill a hundred kilobytes with names, and reports are stored. */
const MAX_NAMES = 500;

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

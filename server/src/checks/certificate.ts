import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";
import { excerpt, msg } from "../platform/i18n/message.ts";
import {
  type CertificatePath,
  firstToEnd,
  isSame,
  lastingPath,
  type TrustAnchors,
  trustAnchors,
} from "./certificate-path.ts";
import type { Network } from "./network.ts";
import { inWords, type Reason, shownHost } from "./reasons.ts";

const dayOf = (date: Date) => ({ day: date.toISOString().slice(0, 10) });

const NAMES_SHOWN = 3;
/** Bounds what is stored of a certificate's texts. */
const NAME_LONGEST = 1000;

/** Node writes a distinguished name with a line for each part, least telling first. */
const oneLine = (name: string | undefined): string =>
  (name ?? "").slice(0, NAME_LONGEST).toWellFormed().split("\n").reverse().join(", ");

/** What OpenSSL's verdict is where Node has no name for it. */
const UNNAMED = "UNSPECIFIED";

/** A certificate of a path by its subject, and its place in it. */
function namedIn({ certificates, isAnchored }: CertificatePath, one: X509Certificate): NamedCertificate {
  const name = oneLine(one.subject);
  if (one === certificates[0]) return { role: "leaf", name };
  const isLast = one === certificates.at(-1);
  const isRoot = isLast && (isAnchored || one.subject === one.issuer);
  return { role: isRoot ? "root" : "intermediate", name };
}

export const whichOf = ({ role, name }: NamedCertificate): { which: CertificateRole; name: string } => ({
  which: role,
  name: excerpt(name),
});

function mismatch(names: readonly string[], name: string): Reason {
  const host = shownHost(name);
  if (names.length === 0) return msg("certificate.nameless", { host });
  const more = names.length - NAMES_SHOWN;
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map((text) => excerpt(text))
    .join(", ");
  if (more <= 0) return msg("certificate.host_mismatch", { names: shown, host });
  return msg("certificate.host_mismatch_many", { names: shown, more, host });
}

interface VerificationFailure {
  /** What it had to be for. */
  name: string;
  /** OpenSSL's own code. */
  verdict: string;
  names: readonly string[];
}

export function invalidReason(code: string, path: CertificatePath, failure: VerificationFailure): Reason {
  const { certificates } = path;
  const [leaf] = certificates;
  if (leaf === undefined) return msg("certificate.none");
  const issuer = excerpt(oneLine((certificates.at(-1) ?? leaf).issuer));
  const named = (one: X509Certificate) => whichOf(namedIn(path, one));
  switch (code) {
    case "expired":
      return expired(path);
    case "not_yet_valid": {
      const latest = certificates.reduce((a, b) => (b.validFromDate > a.validFromDate ? b : a));
      const when = dayOf(latest.validFromDate);
      if (latest === leaf) return msg("certificate.not_yet_valid", when);
      return msg("certificate.path_not_yet_valid", { ...named(latest), ...when });
    }
    case "host_mismatch":
      return mismatch(failure.names, failure.name);
    case "self_signed":
    case "revoked":
      return msg(`certificate.${code}`);
    case "weak_key":
    case "weak_signature": {
      const weakness = weaknessIn(path);
      if (weakness === null) break;
      const { certificate, what } = weakness;
      return msg(`certificate.${code}`, { ...named(certificate), what: excerpt(what) });
    }
    case "untrusted_chain":
      return certificates.length === 1 && failure.verdict !== "SELF_SIGNED_CERT_IN_CHAIN"
        ? msg("certificate.incomplete_chain", { issuer })
        : msg("certificate.untrusted", { issuer });
  }
  if (failure.verdict === UNNAMED) return msg("certificate.rejected");
  return msg("certificate.unverified", { error: inWords(failure.verdict) });
}

function expired(path: CertificatePath): Reason {
  const { certificates } = path;
  const [leaf] = certificates;
  const earliest = certificates.reduce((a, b) => (b.validToDate < a.validToDate ? b : a));
  const when = dayOf(earliest.validToDate);
  if (earliest === leaf) return msg("certificate.expired", when);
  const { role, name } = namedIn(path, earliest);
  return msg(role === "root" ? "certificate.root_expired" : "certificate.intermediate_expired", {
    name: excerpt(name),
    ...when,
  });
}

/** What OpenSSL's security level 2, its default, takes: 112 bits. */
const LEAST_RSA_BITS = 2048;
const WEAK_CURVES = /^(?:secp(?:112|128|160|192)|prime192|sect(?:113|131|163|193)|brainpoolP(?:160|192))/;
const WEAK_SIGNATURE = /(?:md2|md4|md5|mdc2|sha-?1)(?:\D|$)/i;

interface Weakness {
  code: "weak_key" | "weak_signature";
  certificate: X509Certificate;
  /** The key or the algorithm. */
  what: string;
}

/** What of a path is too weak for OpenSSL, and for browsers; the last certificate's own signature counts for nothing. */
function weaknessIn({ certificates }: CertificatePath): Weakness | null {
  for (const [index, certificate] of certificates.entries()) {
    if (hasWeakKey(certificate)) return { code: "weak_key", certificate, what: keyType(certificate) };
    const { signatureAlgorithm: what = "" } = certificate;
    const isLast = index > 0 && index === certificates.length - 1;
    if (!isLast && WEAK_SIGNATURE.test(what)) return { code: "weak_signature", certificate, what };
  }
  return null;
}

function hasWeakKey(certificate: X509Certificate): boolean {
  const [, bits, curve = ""] = /^(?:RSA|RSA-PSS|DSA) (\d+)$|^EC (.+)$/.exec(keyType(certificate)) ?? [];
  return bits === undefined ? WEAK_CURVES.test(curve) : Number(bits) < LEAST_RSA_BITS;
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

/** One certificate of the chain, leaf first. Times are milliseconds since 1970. */
interface CertificateSummary {
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
  /** The validated path does not contain it, so it does not matter. */
  isUnused?: true;
}

/** A certificate by its place in a path: the server's own, one that vouches for it, or the last one, which is its own issuer or trusted. */
type CertificateRole = "leaf" | "intermediate" | "root";

export interface NamedCertificate {
  role: CertificateRole;
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

type CertificateStatus = "valid" | "expiring_soon" | "expired" | "invalid";

const DAY_MS = 86_400_000;

/**
 * At `now` (milliseconds): a valid report turns into expiring_soon and expired by itself. Expired comes
 * before any other fault. Pure.
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
const MAX_CACHED_REPORTS = 5000;
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
    if (known.size >= MAX_CACHED_REPORTS) known.delete(known.keys().next().value as string);
    known.set(key, report);
  }
  return report;
}

interface Verification {
  /** OpenSSL's own code; empty: it verifies. */
  verdict: string;
  name: string;
  anchors: TrustAnchors;
}

function makeReport(
  sent: readonly X509Certificate[],
  { verdict, name, anchors }: Verification,
): CertificateReport {
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
  invalidReason: msg("certificate.none"),
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

/** As in browsers: only subjectAltName counts, and a star matches one whole label (RFC 9525). */
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

/** Bounds what is stored of a certificate: a server may fill a hundred kilobytes with names, and reports are stored. */
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

import type { X509Certificate } from "node:crypto";
import { excerpt, fact } from "../texts/fact.ts";
import type { CertificatePath } from "./certificate-path.ts";
import type { CertificateRole, NamedCertificate } from "./certificate-report.ts";
import { inWords, type Reason, shownHost } from "./reasons.ts";

const dayOf = (date: Date) => ({ day: date.toISOString().slice(0, 10) });

const NAMES_SHOWN = 3;
/** Bounds what is kept of a certificate's texts. */
export const NAME_LONGEST = 1000;

/** Node writes a distinguished name with a line for each part, least telling first. */
export const oneLine = (name: string | undefined): string =>
  (name ?? "").slice(0, NAME_LONGEST).toWellFormed().split("\n").reverse().join(", ");

/** What OpenSSL's verdict is where Node has no name for it. */
export const UNNAMED = "UNSPECIFIED";

/** A certificate of a path by its subject, and its place in it. */
export function namedIn(
  { certificates, isAnchored }: CertificatePath,
  one: X509Certificate,
): NamedCertificate {
  const name = oneLine(one.subject);
  if (one === certificates[0]) return { role: "leaf", name };
  const isLast = one === certificates.at(-1);
  const isRoot = isLast && (isAnchored || one.subject === one.issuer);
  return { role: isRoot ? "root" : "intermediate", name };
}

/** The same in a reason. */
export const whichOf = ({ role, name }: NamedCertificate): { which: CertificateRole; name: string } => ({
  which: role,
  name: excerpt(name),
});

function mismatch(names: readonly string[], name: string): Reason {
  const host = shownHost(name);
  if (names.length === 0) return fact("certificate.nameless", { host });
  const more = names.length - NAMES_SHOWN;
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map((text) => excerpt(text))
    .join(", ");
  if (more <= 0) return fact("certificate.host_mismatch", { names: shown, host });
  return fact("certificate.host_mismatch_many", { names: shown, more, host });
}

interface Judged {
  /** What it had to be for. */
  name: string;
  /** OpenSSL's own code. */
  verdict: string;
  /** The names in the server's certificate. */
  names: readonly string[];
}

/** Why a certificate is not to be trusted. */
export function invalidReason(code: string, path: CertificatePath, judged: Judged): Reason {
  const { certificates } = path;
  const [leaf] = certificates;
  if (leaf === undefined) return fact("certificate.none");
  const issuer = excerpt(oneLine((certificates.at(-1) ?? leaf).issuer));
  const named = (one: X509Certificate) => whichOf(namedIn(path, one));
  switch (code) {
    case "expired":
      return expired(path);
    case "not_yet_valid": {
      const latest = certificates.reduce((a, b) => (b.validFromDate > a.validFromDate ? b : a));
      const when = dayOf(latest.validFromDate);
      if (latest === leaf) return fact("certificate.not_yet_valid", when);
      return fact("certificate.path_not_yet_valid", { ...named(latest), ...when });
    }
    case "host_mismatch":
      return mismatch(judged.names, judged.name);
    case "self_signed":
    case "revoked":
      return fact(`certificate.${code}`);
    case "weak_key":
    case "weak_signature": {
      const weakness = weaknessIn(path);
      if (weakness === null) break;
      const { certificate, what } = weakness;
      return fact(`certificate.${code}`, { ...named(certificate), what: excerpt(what) });
    }
    case "untrusted_chain":
      return certificates.length === 1 && judged.verdict !== "SELF_SIGNED_CERT_IN_CHAIN"
        ? fact("certificate.incomplete_chain", { issuer })
        : fact("certificate.untrusted", { issuer });
  }
  if (judged.verdict === UNNAMED) return fact("certificate.rejected");
  return fact("certificate.unverified", { error: inWords(judged.verdict) });
}

function expired(path: CertificatePath): Reason {
  const { certificates } = path;
  const [leaf] = certificates;
  const earliest = certificates.reduce((a, b) => (b.validToDate < a.validToDate ? b : a));
  const when = dayOf(earliest.validToDate);
  if (earliest === leaf) return fact("certificate.expired", when);
  const { role, name } = namedIn(path, earliest);
  return fact(role === "root" ? "certificate.root_expired" : "certificate.intermediate_expired", {
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
export function weaknessIn({ certificates }: CertificatePath): Weakness | null {
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

/** A certificate's key as `RSA 2048` or `EC prime256v1`. */
export function keyType(certificate: X509Certificate): string {
  try {
    const { asymmetricKeyType = "unknown", asymmetricKeyDetails } = certificate.publicKey;
    const detail = asymmetricKeyDetails?.modulusLength ?? asymmetricKeyDetails?.namedCurve;
    const type = asymmetricKeyType.toUpperCase();
    return detail === undefined ? type : `${type} ${detail}`;
  } catch {
    return "unknown";
  }
}

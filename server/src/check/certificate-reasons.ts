import { excerpt, fact } from "../texts/fact.ts";
import type { CertificateSummary } from "./certificate-report.ts";
import { inWords, type Reason, shownHost } from "./reasons.ts";

const day = (at: number) => ({ day: new Date(at).toISOString().slice(0, 10) });

const NAMES_SHOWN = 3;

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

/** Why a certificate is not to be trusted. `verdict` is OpenSSL's own code. */
export function invalidReason(
  code: string,
  chain: readonly CertificateSummary[],
  host: string,
  verdict: string,
): Reason {
  const [leaf] = chain;
  if (leaf === undefined) return fact("certificate.none");
  const earliest = chain.reduce((a, b) => (b.notAfter < a.notAfter ? b : a));
  const latest = chain.reduce((a, b) => (b.notBefore > a.notBefore ? b : a));
  const issuer = excerpt((chain[chain.length - 1] ?? leaf).issuer);
  switch (code) {
    case "expired":
      return earliest === leaf
        ? fact("certificate.expired", day(leaf.notAfter))
        : fact("certificate.intermediate_expired", {
            name: excerpt(earliest.subject),
            ...day(earliest.notAfter),
          });
    case "not_yet_valid":
      return fact("certificate.not_yet_valid", day(latest.notBefore));
    case "host_mismatch":
      return mismatch(leaf.names, host);
    case "self_signed":
    case "revoked":
      return fact(`certificate.${code}`);
    case "untrusted_chain":
      return verdict === "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
        ? fact("certificate.incomplete_chain", { issuer })
        : fact("certificate.untrusted", { issuer });
    default:
      return fact("certificate.unverified", { error: inWords(verdict) });
  }
}

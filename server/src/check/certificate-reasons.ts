import type { CertificateSummary } from "./certificate-report.ts";
import { quoted } from "./reasons.ts";

const day = (at: number) => new Date(at).toISOString().slice(0, 10);

const NAMES_SHOWN = 3;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "no name at all";
  const more = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Why a certificate is not to be trusted, as a sentence. `verdict` is OpenSSL's own code. */
export function invalidSentence(
  code: string,
  chain: readonly CertificateSummary[],
  host: string,
  verdict: string,
): string {
  const [leaf] = chain;
  if (leaf === undefined) return "The server showed no certificate.";
  const earliest = chain.reduce((a, b) => (b.notAfter < a.notAfter ? b : a));
  const latest = chain.reduce((a, b) => (b.notBefore > a.notBefore ? b : a));
  const last = chain[chain.length - 1] ?? leaf;
  switch (code) {
    case "expired":
      return earliest === leaf
        ? `The certificate expired on ${day(leaf.notAfter)}.`
        : `The intermediate certificate ${quoted(earliest.subject)} expired on ${day(earliest.notAfter)}.`;
    case "not_yet_valid":
      return `The certificate is valid only from ${day(latest.notBefore)} on.`;
    case "host_mismatch":
      return `The certificate is for ${listed(leaf.names)}, not for ${host}.`;
    case "self_signed":
      return "The certificate is self-signed: nobody but the server itself vouches for it.";
    case "revoked":
      return "The certificate has been revoked by its issuer.";
    case "untrusted_chain":
      return verdict === "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
        ? `The server does not send the intermediate certificate of ${quoted(last.issuer)}, or that issuer is not trusted.`
        : `The certificate's issuer ${quoted(last.issuer)} is not trusted.`;
    default:
      return `The certificate cannot be verified (${verdict.toLowerCase().replaceAll("_", " ")}).`;
  }
}

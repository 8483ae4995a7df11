import { whichOf } from "../../check/certificate-reasons.ts";
import type { CertificateReport } from "../../check/certificate-report.ts";
import type { Reason } from "../../check/reasons.ts";
import { excerpt, fact } from "../../texts/fact.ts";
import type { Finding } from "../../wire/toolbox/finding.ts";
import { finding, sortedFindings } from "../finding.ts";
import type { VersionAnswer } from "./tls-versions.ts";

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;
const LEAST_RSA_BITS = 2048;

interface Seen {
  certificate: CertificateReport | null;
  protocols: readonly VersionAnswer[];
  /** Why the handshake failed that every browser tries. */
  handshake: Reason | null;
  nowMs: number;
}

/** What is wrong with what a server showed, the gravest first. Pure. */
export function tlsFindings({ certificate, protocols, handshake, nowMs }: Seen): Finding[] {
  const accepts = (version: VersionAnswer["version"]) =>
    protocols.some((each) => each.version === version && each.accepted === true);
  const found: Finding[] = [];
  if (handshake !== null) found.push(finding("critical", handshake));
  if (certificate !== null) found.push(...certificateFindings(certificate, nowMs));
  const old = (["TLSv1.1", "TLSv1"] as const).filter(accepts);
  if (old.length > 0)
    found.push(finding("warning", fact("tool.tls_old", { versions: old.map(spelled).join(", ") })));
  if (!accepts("TLSv1.3") && accepts("TLSv1.2")) found.push(finding("info", fact("tool.tls_no_13")));
  return sortedFindings(found);
}

function certificateFindings(
  { invalidReason, invalidCode, valid, expiresAt, endsWith, chain }: CertificateReport,
  nowMs: number,
): Finding[] {
  const found: Finding[] = [];
  if (!valid) found.push(finding("critical", invalidReason ?? fact("certificate.none")));
  if (valid && expiresAt !== null && expiresAt <= nowMs + SOON_DAYS * DAY_MS) {
    const [day = ""] = new Date(expiresAt).toISOString().split("T");
    const when = { day, left: expiresAt - nowMs };
    const reason = endsWith
      ? fact("certificate.path_expires", { ...whichOf(endsWith), whose: "own", ...when })
      : fact("certificate.expires", when);
    found.push(finding("warning", reason));
  }
  for (const { subject, notAfter, isUnused } of chain) {
    if (!isUnused) continue;
    const what = { subject: excerpt(subject), day: new Date(notAfter).toISOString().slice(0, 10) };
    const code = notAfter <= nowMs ? "tool.tls_unused_expired" : "tool.tls_unused";
    found.push(finding("info", fact(code, what)));
  }
  const isSaid = invalidCode === "weak_key";
  const weak = isSaid ? undefined : chain.find(({ keyType, isUnused }) => !isUnused && isWeak(keyType));
  if (weak !== undefined) {
    found.push(finding("warning", fact("tool.tls_weak_key", { key: weak.keyType, subject: weak.subject })));
  }
  return found;
}

const isWeak = (keyType: string) => {
  const [, bits] = /^(?:RSA|DSA) (\d+)$/.exec(keyType) ?? [];
  return bits !== undefined && Number(bits) < LEAST_RSA_BITS;
};

/** `TLSv1` is version 1.0. */
const spelled = (version: string) => version.replace("TLSv", "TLS ").replace(/ 1$/, " 1.0");

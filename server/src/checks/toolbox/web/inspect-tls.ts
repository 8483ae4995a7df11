import { isIP } from "node:net";
import tls from "node:tls";
import { normaliseHost } from "../../../platform/formats/host.ts";
import { excerpt, msg } from "../../../platform/i18n/message.ts";
import { type CertificateReport, whichOf } from "../../certificate.ts";
import { assertAllowed, type TargetPolicy } from "../../guard.ts";
import { classOf, type Reason } from "../../reasons.ts";
import { checkTls } from "../../tls.ts";
import { finding, printDetails, printFindings, sortedFindings, textTable } from "../finding.ts";
import type { Finding } from "../schemas/finding.ts";
import {
  Input,
  Output,
  TLS_PORT,
  TLS_VERSIONS,
  type TlsInspection,
  type TlsInspectionInput,
} from "../schemas/tls-inspection.ts";
import { unreached } from "../target-address.ts";
import { checkEnvironment, type ToolEnvironment, ToolError, tool } from "../tool.ts";

const SOON_DAYS = 14;
const LEAST_RSA_BITS = 2048;

interface Seen {
  certificate: CertificateReport | null;
  protocols: readonly VersionAnswer[];
  /** Why the handshake failed that every browser tries. */
  handshake: Reason | null;
  nowMs: number;
}

/** What is wrong with what a server showed, the most severe first. Pure. */
export function tlsFindings({ certificate, protocols, handshake, nowMs }: Seen): Finding[] {
  const accepts = (version: VersionAnswer["version"]) =>
    protocols.some((each) => each.version === version && each.accepted === true);
  const found: Finding[] = [];
  if (handshake !== null) found.push(finding("critical", handshake));
  if (certificate !== null) found.push(...certificateFindings(certificate, nowMs));
  const old = (["TLSv1.1", "TLSv1"] as const).filter(accepts);
  if (old.length > 0)
    found.push(finding("warning", msg("tool.tls_old", { versions: old.map(formatVersion).join(", ") })));
  if (!accepts("TLSv1.3") && accepts("TLSv1.2")) found.push(finding("info", msg("tool.tls_no_13")));
  return sortedFindings(found);
}

function certificateFindings(
  { invalidReason, invalidCode, valid, expiresAt, endsWith, chain }: CertificateReport,
  nowMs: number,
): Finding[] {
  const found: Finding[] = [];
  if (!valid) found.push(finding("critical", invalidReason ?? msg("certificate.none")));
  if (valid && expiresAt !== null && expiresAt <= nowMs + SOON_DAYS * DAY_MS) {
    const [day = ""] = new Date(expiresAt).toISOString().split("T");
    const when = { day, left: expiresAt - nowMs };
    const reason = endsWith
      ? msg("certificate.path_expires", { ...whichOf(endsWith), whose: "own", ...when })
      : msg("certificate.expires", when);
    found.push(finding("warning", reason));
  }
  for (const { subject, notAfter, isUnused } of chain) {
    if (!isUnused) continue;
    const what = { subject: excerpt(subject), day: new Date(notAfter).toISOString().slice(0, 10) };
    const code = notAfter <= nowMs ? "tool.tls_unused_expired" : "tool.tls_unused";
    found.push(finding("info", msg(code, what)));
  }
  const isSaid = invalidCode === "weak_key";
  const weak = isSaid ? undefined : chain.find(({ keyType, isUnused }) => !isUnused && isWeak(keyType));
  if (weak !== undefined) {
    found.push(finding("warning", msg("tool.tls_weak_key", { key: weak.keyType, subject: weak.subject })));
  }
  return found;
}

const isWeak = (keyType: string) => {
  const [, bits] = /^(?:RSA|DSA) (\d+)$/.exec(keyType) ?? [];
  return bits !== undefined && Number(bits) < LEAST_RSA_BITS;
};

/** `TLSv1` is version 1.0. */
const formatVersion = (version: string) => version.replace("TLSv", "TLS ").replace(/ 1$/, " 1.0");

type TlsVersion = (typeof TLS_VERSIONS)[number];

interface VersionAnswer {
  version: TlsVersion;
  /** Null: it did not say in time. */
  accepted: boolean | null;
  /** The cipher it then chose. */
  cipher: string | null;
  /** What it chose of the protocols of the web. */
  alpn: string | null;
}

interface Peer {
  host: string;
  port: number;
  /** Where it was reached before. */
  address: string;
}

const TLS_VERSIONS_TIMEOUT_MS = 5_000;
/** Old versions need what OpenSSL otherwise refuses; nothing is sent over them. */
const OLD_CIPHERS = "DEFAULT@SECLEVEL=0";
const OFFERED = ["h2", "http/1.1"];
/** What says nothing of the version: the server was not reached this time, or the system had no room. */
const SAYS_NOTHING = new Set([
  ...["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["EMFILE", "ENFILE", "ENOBUFS", "EADDRNOTAVAIL"],
]);

/** Offers a server each version by itself, over a connection each. Throws GuardError for an address that must not be contacted. */
export function probeVersions(
  peer: Peer,
  { policy, signal }: { policy: TargetPolicy; signal: AbortSignal },
): Promise<VersionAnswer[]> {
  assertAllowed(peer.address, policy);
  return Promise.all(TLS_VERSIONS.map((version) => probeVersion(peer, version, signal)));
}

function probeVersion({ host, port, address }: Peer, version: TlsVersion, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<VersionAnswer>();
  const isOld = version === "TLSv1" || version === "TLSv1.1";
  const socket = tls.connect({
    host: address,
    port,
    minVersion: version,
    maxVersion: version,
    ALPNProtocols: OFFERED,
    rejectUnauthorized: false,
    ...(isOld && { ciphers: OLD_CIPHERS }),
    ...(isIP(host) === 0 && { servername: host }),
  });
  const finish = (accepted: boolean | null) => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    const { alpnProtocol } = socket;
    const seen = accepted
      ? { cipher: socket.getCipher().name, alpn: alpnProtocol || null }
      : { cipher: null, alpn: null };
    socket.destroy();
    resolve({ version, accepted, ...seen });
  };
  const giveUp = () => finish(null);
  const timer = setTimeout(giveUp, TLS_VERSIONS_TIMEOUT_MS);
  signal.addEventListener("abort", giveUp, { once: true });
  socket.once("secureConnect", () => finish(true));
  socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => finish(SAYS_NOTHING.has(code) ? null : false));
  socket.once("close", () => finish(false));
  return promise;
}

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

export const inspectTls = tool({
  name: "tls-inspection",
  title: "TLS inspection",
  description:
    "Looks at a server's certificates and at the versions of TLS that it speaks, and says what is wrong with them.",
  input: Input,
  subject: "host",
  output: Output,
  run: inspect,
  message: ({ findings }) => findings.find(({ severity }) => severity === "critical")?.text ?? "OK",
  print: ({ findings, protocols, chain, daysLeft, expiresAt, ...found }) =>
    [
      printDetails([
        ["Address", `${found.address}, port ${found.port}`],
        ["Expires", expiresAt && `${expiresAt.slice(0, 10)} (${daysLeft} days)`],
        ["ALPN", found.alpn],
        ["Handshake", found.tlsTime === null ? null : `${found.tlsTime} ms`],
      ]),
      textTable(
        ["Version", "Accepted", "Cipher"],
        protocols.map(({ version, accepted, cipher }) => [
          version,
          accepted === null ? null : accepted ? "yes" : "no",
          cipher,
        ]),
      ),
      textTable(
        ["Certificate", "Issuer", "Until", "Key", "Needed"],
        chain.map(({ subject, issuer, validTo, keyType, isUsed }) => [
          subject,
          issuer,
          validTo.slice(0, 10),
          keyType,
          isUsed ? "yes" : "no",
        ]),
      ),
      printFindings(findings),
    ]
      .filter((part) => part !== "")
      .join("\n"),
});

async function inspect(input: TlsInspectionInput, environment: ToolEnvironment): Promise<TlsInspection> {
  const { signal, network } = environment;
  const host = normaliseHost(input.host);
  if (host === null) throw new ToolError(msg("host.malformed"), "host");
  const { port = TLS_PORT } = input;
  const seen = await checkTls.run({ host, port }, checkEnvironment(environment, TIMEOUT_MS));
  signal.throwIfAborted();
  const { address, certificate, reason, phases } = seen;
  // A server that refuses today's versions may support older ones.
  const isHandshake = certificate !== null || (reason !== null && classOf(reason) === "tls");
  if (address === null || !isHandshake) throw unreached(reason, "host");
  const protocols = await probeVersions({ host, port, address }, { policy: network.policy, signal });
  signal.throwIfAborted();
  const spoken = protocols.filter(({ accepted }) => accepted);
  if (certificate === null && spoken.length === 0) throw unreached(reason, "host");
  const expiresAt = certificate?.expiresAt ?? null;
  return {
    ...{ host, port, address },
    trusted: certificate?.valid ?? false,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    daysLeft: expiresAt === null ? null : Math.floor((expiresAt - Date.now()) / DAY_MS),
    findings: tlsFindings({
      certificate,
      protocols,
      handshake: certificate === null ? reason : null,
      nowMs: Date.now(),
    }),
    protocols: protocols.map(({ version, accepted, cipher }) => ({ version, accepted, cipher })),
    alpn: spoken[0]?.alpn ?? null,
    chain: (certificate?.chain ?? []).map(shownCertificate),
    connectTime: inMilliseconds(phases.connectUs),
    tlsTime: inMilliseconds(phases.tlsUs),
  };
}

const inMilliseconds = (us: number | null) => (us === null ? null : us / 1000);

const shownCertificate = ({
  notBefore,
  notAfter,
  isUnused,
  ...same
}: CertificateReport["chain"][number]) => ({
  ...same,
  isUsed: isUnused !== true,
  validFrom: new Date(notBefore).toISOString(),
  validTo: new Date(notAfter).toISOString(),
});

import type { CertificateReport } from "../../check/certificate-report.ts";
import { normaliseHost } from "../../check/host.ts";
import { classOf } from "../../check/reasons.ts";
import { checkTls } from "../../check/tls.ts";
import { fact } from "../../texts/fact.ts";
import {
  Input,
  Output,
  TLS_PORT,
  type TlsInspection,
  type TlsInspectionInput,
} from "../../wire/toolbox/tls-inspection.ts";
import { checkEnvironment } from "../check-environment.ts";
import { printFindings } from "../finding.ts";
import { printFacts } from "../print-facts.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { unreached } from "../unreached.ts";
import { tlsFindings } from "./tls-findings.ts";
import { askForVersions } from "./tls-versions.ts";

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

/** What a server shows in a TLS handshake, and what is wrong with it. */
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
      printFacts([
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
  if (host === null) throw new ToolError(fact("host.malformed"), "host");
  const { port = TLS_PORT } = input;
  const seen = await checkTls.run({ host, port }, checkEnvironment(environment, TIMEOUT_MS));
  signal.throwIfAborted();
  const { address, certificate, reason, phases } = seen;
  // Whoever turns today's versions down may speak older ones.
  const isHandshake = certificate !== null || (reason !== null && classOf(reason) === "tls");
  if (address === null || !isHandshake) throw unreached(reason, "host");
  const protocols = await askForVersions({ host, port, address }, { policy: network.policy, signal });
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

import { type Static, Type } from "typebox";
import type { CertificateReport } from "../../check/certificate-report.ts";
import { normaliseHost } from "../../check/host.ts";
import { classOf } from "../../check/reasons.ts";
import { checkTls } from "../../check/tls.ts";
import { fact } from "../../texts/fact.ts";
import { checkEnvironment } from "../check-environment.ts";
import { Finding, printFindings } from "../finding.ts";
import { printFacts } from "../print-facts.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { unreached } from "../unreached.ts";
import { tlsFindings } from "./tls-findings.ts";
import { askForVersions, TLS_VERSIONS } from "./tls-versions.ts";

const PORT = 443;
const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

const Input = Type.Object(
  {
    host: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The host to look at: a name or an IP address.",
      examples: ["example.com"],
    }),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        default: PORT,
        description: "The port, where TLS comes first.",
      }),
    ),
  },
  { title: "TlsInspectionRequest" },
);

const moment = (description: string) => Type.String({ format: "date-time", description });
const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Output = Type.Object(
  {
    host: Type.String({ description: "The host that was looked at." }),
    port: Type.Integer({ description: "Its port." }),
    address: Type.String({ description: "The address of it that was connected to." }),
    trusted: Type.Boolean({ description: "Whether browsers would accept the certificate." }),
    expiresAt: orNull(
      Type.String({ format: "date-time" }),
      "When the first certificate of the chain expires.",
    ),
    daysLeft: orNull(Type.Integer(), "How many days that is from now; negative once it has expired."),
    findings: Type.Array(Finding, { description: "What is wrong, the gravest first." }),
    protocols: Type.Array(
      Type.Object({
        version: Type.Enum([...TLS_VERSIONS], { description: "A version of TLS." }),
        accepted: orNull(Type.Boolean(), "Whether the server speaks it; null where it did not say in time."),
        cipher: orNull(Type.String(), "The cipher that it chose then."),
      }),
      { description: "The versions of TLS, each offered by itself." },
    ),
    alpn: orNull(Type.String(), "The protocol that it chose of h2 and http/1.1."),
    chain: Type.Array(
      Type.Object({
        subject: Type.String({ description: "Whose it is." }),
        issuer: Type.String({ description: "Who issued it." }),
        names: Type.Array(Type.String(), { description: "The names and addresses it is for." }),
        validFrom: moment("From when on it holds."),
        validTo: moment("Until when it holds."),
        keyType: Type.String({ description: "Its key.", examples: ["EC prime256v1"] }),
        serialNumber: Type.String({ description: "In hexadecimal digits." }),
        fingerprint: Type.String({ description: "SHA-256, in hexadecimal digits." }),
      }),
      { description: "The certificates that the server sent, its own first." },
    ),
    connectTime: orNull(Type.Number(), "How many milliseconds the connection took."),
    tlsTime: orNull(Type.Number(), "How many milliseconds the handshake took."),
  },
  { title: "TlsInspection" },
);

type Output = Static<typeof Output>;

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
        ["Certificate", "Issuer", "Until", "Key"],
        chain.map(({ subject, issuer, validTo, keyType }) => [
          subject,
          issuer,
          validTo.slice(0, 10),
          keyType,
        ]),
      ),
      printFindings(findings),
    ]
      .filter((part) => part !== "")
      .join("\n"),
});

async function inspect(input: Static<typeof Input>, environment: ToolEnvironment): Promise<Output> {
  const { signal, network } = environment;
  const host = normaliseHost(input.host);
  if (host === null) throw new ToolError(fact("host.malformed"), "host");
  const { port = PORT } = input;
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

const shownCertificate = ({ notBefore, notAfter, ...same }: CertificateReport["chain"][number]) => ({
  ...same,
  validFrom: new Date(notBefore).toISOString(),
  validTo: new Date(notAfter).toISOString(),
});

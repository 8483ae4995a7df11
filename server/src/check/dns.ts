import { type Static, Type } from "typebox";
import { excerpt, msg } from "../texts/message.ts";
import { ADDRESS_PHASES } from "./address-check.ts";
import { type CheckEnvironment, type CheckOutcome, NOTHING_SEEN, type ProbedKind } from "./check.ts";
import type { NameServerAnswer } from "./dns-answer.ts";
import { type DnsPeer, exchange, ownNameServers } from "./dns-exchange.ts";
import { DNS_PORT, DNS_TYPES, encodeDnsQuery, isExpected, recordText } from "./dns-records.ts";
import { hostField, peerOf, usualPort } from "./peer-config.ts";
import type { Reason } from "./reasons.ts";

const dnsConfigSchema = Type.Object(
  {
    hostname: Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: "^[^\\s\\u0000-\\u001f]+$",
      description: "The name to ask for; for PTR, an IP address will do as well.",
      examples: ["example.com"],
    }),
    recordType: Type.Optional(
      Type.Enum([...DNS_TYPES], { default: "A", description: "The type of record." }),
    ),
    server: Type.Optional({
      ...hostField,
      description:
        "The name server to ask. Without one, those of the machine that runs the check are asked; it is required where only public targets may be checked.",
      examples: ["9.9.9.9"],
    }),
    port: usualPort(DNS_PORT),
    expect: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          "What one of the records must be, as `dig +short` writes it, with or without its quotes and final dots, in upper or lower case. Without it, any record will do.",
        examples: ["192.0.2.1", "10 mx.example.com"],
      }),
    ),
    dnssec: Type.Optional(
      Type.Boolean({
        default: false,
        description: "The name server must vouch for the answer by DNSSEC (the AD flag).",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "DNS",
    description: "Asks a name server for a record, and compares it with the expected one.",
  },
);

type DnsConfig = Static<typeof dnsConfigSchema>;

/** A name server's answer, over UDP, and over TCP where that is too long. */
export const checkDns: ProbedKind<DnsConfig, typeof ADDRESS_PHASES> = {
  type: "dns",
  phases: ADDRESS_PHASES,
  configSchema: dnsConfigSchema,
  target: ({ hostname, recordType = "A", server }) =>
    server === undefined ? `${recordType} ${hostname}` : `${recordType} ${hostname} @${server}`,
  run: async (config, environment) => {
    const peer = peerFor(config, environment);
    if ("code" in peer) return unasked(peer);
    const { hostname, recordType = "A", dnssec = false } = config;
    const query = encodeDnsQuery(hostname, recordType, { dnssec: dnssec ? "signed" : "none" });
    return exchange(peer, query, (answer, where) => evaluate(answer, query.name, config, where));
  },
};

/** The name server to query. The machine's own name servers may know names of the network behind it, which are no business of those who may only check public targets. */
function peerFor({ server, port = DNS_PORT }: DnsConfig, environment: CheckEnvironment): DnsPeer | Reason {
  if (server !== undefined) return { host: peerOf({ host: server, port }).host, port, environment };
  return environment.network.policy === "public" ? msg("guard.name_server") : ownNameServers(environment);
}

const unasked = (reason: Reason): CheckOutcome<never> => ({
  ...NOTHING_SEEN,
  verdict: "failed",
  reason,
  certificate: null,
});

function evaluate(
  { rcode, isVerified, records, strayNames }: NameServerAnswer,
  name: string,
  { recordType: type = "A", expect, dnssec = false }: DnsConfig,
  where: string,
): Reason | null {
  if (rcode === "NXDOMAIN") return msg("assertion.dns_missing", { where, name });
  if (rcode !== "NOERROR") return msg("status.dns", { where, code: excerpt(rcode), name });
  if (dnssec && !isVerified) return msg("assertion.dnssec", { where, name });
  const found = records.flatMap((one) => (one.type === type ? [recordText(one)] : []));
  if (found.length === 0 && strayNames.length > 0) {
    return msg("assertion.dns_stray", { where, name, type, found: excerpt(strayNames.join(", ")) });
  }
  if (found.length === 0) return msg("assertion.dns_empty", { where, name, type });
  if (expect === undefined || found.some((one) => isExpected(type, one, expect))) return null;
  return msg("assertion.dns", { where, found: excerpt(found.join(", ")), expected: excerpt(expect) });
}

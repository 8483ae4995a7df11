import { randomInt } from "node:crypto";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import dnsPacket from "dns-packet";
import { type Static, Type } from "typebox";
import { excerpt, fact } from "../texts/fact.ts";
import type { ResolvedAddress } from "./address.ts";
import { ADDRESS_PHASES, type AddressOutcome } from "./address-check.ts";
import { type AskingKind, type CheckEnvironment, type CheckOutcome, NOTHING_SEEN } from "./check.ts";
import { converse } from "./converse.ts";
import { checkByDatagram, type DatagramQuestion } from "./datagrams.ts";
import type { Dialogue } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";
import { DNS_TYPES, type DnsType, isExpected, recordText, reverseName } from "./dns-records.ts";
import { hostField, peerOf, usualPort } from "./peer-config.ts";
import type { Reason } from "./reasons.ts";

const PORT = 53;
/**
 * Names may point at names that point at others, so that reading takes the square of the length: 64 KiB took a sixth of a
 * second, in which the thread did nothing else, and datagrams come as often as the other side likes.
 */
const MAX_DATAGRAM_BYTES = 4_096;
const MAX_ANSWER_BYTES = 16_384;

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
    port: usualPort(PORT),
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

interface Query {
  id: number;
  name: string;
  type: DnsType;
  bytes: Buffer;
}

/** A name server's answer, over UDP, and over TCP where that is too long. */
export const checkDns: AskingKind<DnsConfig, typeof ADDRESS_PHASES> = {
  type: "dns",
  phases: ADDRESS_PHASES,
  configSchema: dnsConfigSchema,
  target: ({ hostname, recordType = "A", server }) =>
    server === undefined ? `${recordType} ${hostname}` : `${recordType} ${hostname} @${server}`,
  run: async (config, environment) => {
    const peer = peerFor(config, environment);
    if ("code" in peer) return unasked(peer);
    const startedMs = performance.now();
    const query = makeQuery(config);
    let isCut = false;
    const question: DatagramQuestion = {
      host: peer.host,
      addresses: peer.addresses,
      port: peer.port,
      payload: query.bytes,
      judge: (bytes, where) => {
        const answer = bytes.length > MAX_DATAGRAM_BYTES ? null : decoded(bytes, query);
        if (answer === null) return undefined;
        isCut = answer.flag_tc;
        return isCut ? null : judge(answer, query, config, where);
      },
      silent: (where, timeoutMs) => fact("timeout.datagram", { where, seconds: timeoutMs / 1000 }),
    };
    const outcome = await checkByDatagram(question, peer.environment);
    if (!isCut) return outcome;
    const timeoutMs = Math.max(1, environment.timeoutMs - (performance.now() - startedMs));
    const host = peer.addresses === undefined ? peer.host : (outcome.address ?? peer.host);
    return overTcp({ ...peer, host, environment: { ...peer.environment, timeoutMs } }, query, config);
  },
};

interface DnsPeer {
  host: string;
  /** Of the machine's own name servers. */
  addresses?: readonly ResolvedAddress[];
  port: number;
  environment: CheckEnvironment;
}

/**
 * Whom to ask. The machine's own name servers may stand where targets may not, on link-local addresses too; but they may
 * know names of the network behind it, which are no business of those who may only check public targets.
 */
function peerFor({ server, port = PORT }: DnsConfig, environment: CheckEnvironment): DnsPeer | Reason {
  if (server !== undefined) return { host: peerOf({ host: server, port }).host, port, environment };
  const { network } = environment;
  if (network.policy === "public") return fact("guard.name_server");
  const own = (network.nameServers?.() ?? []).flatMap((one) => ownServer(one) ?? []);
  const [first] = own;
  if (first === undefined) return fact("internal.no_name_server");
  const addresses = own.filter((one) => one.port === first.port);
  const inside = { ...environment, network: { ...network, isOwn: true as const } };
  return { host: first.address, addresses, port: first.port, environment: inside };
}

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`; null for anything else. */
function ownServer(text: string): (ResolvedAddress & { port: number }) | null {
  const [, bracketed, bare, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d+))?$/.exec(text) ?? [];
  const address = bracketed ?? bare ?? text;
  const family = isIP(address);
  return family === 0 ? null : { address, family: family === 6 ? 6 : 4, port: Number(port ?? PORT) };
}

const unasked = (reason: Reason): CheckOutcome<never> => ({
  ...NOTHING_SEEN,
  verdict: "failed",
  reason,
  certificate: null,
});

/** With room for long answers (EDNS), and a wish to hear whether they are signed. */
function makeQuery({ hostname, recordType = "A", dnssec = false }: DnsConfig): Query {
  const asked = reverseName(recordType, hostname) ?? (domainToASCII(hostname) || hostname);
  const id = randomInt(65_536);
  const bytes = dnsPacket.encode({
    type: "query",
    id,
    flags: dnsPacket.RECURSION_DESIRED | (dnssec ? dnsPacket.AUTHENTIC_DATA : 0),
    questions: [{ type: recordType, name: asked }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: 1232,
        flags: dnssec ? dnsPacket.DNSSEC_OK : 0,
        options: [],
      } as never,
    ],
  });
  return { id, name: asked, type: recordType, bytes };
}

/** An answer to this query; null for anything else. */
function decoded(bytes: Buffer, query: Query): dnsPacket.DecodedPacket | null {
  try {
    if (bytes.readUInt16BE(0) !== query.id) return null;
    const answer = dnsPacket.decode(bytes);
    const [question] = answer.questions ?? [];
    return answer.type === "response" &&
      question?.type === query.type &&
      isSameName(question.name, query.name)
      ? answer
      : null;
  } catch {
    return null;
  }
}

const isSameName = (a: string, b: string) =>
  a.replace(/\.$/, "").toLowerCase() === b.replace(/\.$/, "").toLowerCase();

function judge(
  answer: dnsPacket.DecodedPacket,
  { name, type }: Query,
  { expect, dnssec = false }: DnsConfig,
  where: string,
): Reason | null {
  const { rcode } = answer as unknown as { rcode: string };
  if (rcode === "NXDOMAIN") return fact("assertion.dns_missing", { where, name });
  if (rcode !== "NOERROR") return fact("status.dns", { where, code: excerpt(rcode), name });
  if (dnssec && !answer.flag_ad) return fact("assertion.dnssec", { where, name });
  const found = (answer.answers ?? []).flatMap((one) => (one.type === type ? [recordText(one)] : []));
  if (found.length === 0) return fact("assertion.dns_empty", { where, name, type });
  if (expect === undefined || found.some((one) => isExpected(type, one, expect))) return null;
  return fact("assertion.dns", { where, found: excerpt(found.join(", ")), expected: excerpt(expect) });
}

async function overTcp(
  { host, port, environment }: DnsPeer,
  query: Query,
  config: DnsConfig,
): Promise<AddressOutcome> {
  const peer = { host, port, tls: false, ignoreCertificate: false };
  const { phases, ...outcome } = await converse(peer, environment, async (dialogue) => {
    const answer = await askOverTcp(dialogue, query);
    const reason = judge(answer, query, config, dialogue.where);
    if (reason !== null) throw new DialogueError(reason);
  });
  return { ...outcome, phases: { ...phases, connectUs: null, tlsUs: null, transferUs: null } };
}

async function askOverTcp(dialogue: Dialogue, query: Query): Promise<dnsPacket.DecodedPacket> {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.bytes.length);
  dialogue.send(Buffer.concat([length, query.bytes]));
  const size = (await dialogue.readBytes(2)).readUInt16BE();
  if (size > MAX_ANSWER_BYTES) {
    throw new DialogueError(fact("protocol.size", { where: dialogue.where, size: MAX_ANSWER_BYTES / 1024 }));
  }
  const answer = decoded(await dialogue.readBytes(size), query);
  if (answer === null) throw new DialogueError(fact("protocol.broken", { where: dialogue.where }));
  return answer;
}

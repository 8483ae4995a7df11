import { type Static, Type } from "typebox";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import { excerpt, msg } from "../platform/i18n/message.ts";
import {
  ADDRESS_PHASES,
  type AddressOutcome,
  checkByDatagram,
  type DatagramRequest,
} from "./address-check.ts";
import { type CheckEnvironment, type CheckOutcome, NOTHING_SEEN, type ProbedKind } from "./check.ts";
import type { Dialogue } from "./dialogue.ts";
import {
  DNS_PORT,
  DNS_TYPES,
  type DnsQueryMessage,
  EDNS_REFUSALS,
  encodeDnsQuery,
  hasId,
  isExpected,
  MAX_ANSWER_BYTES,
  MAX_DATAGRAM_BYTES,
  MAX_UNFIT,
  type NameServerAnswer,
  type ReadMessage,
  readMessage,
  recordText,
  serverPlace,
  withLength,
} from "./dns-message.ts";
import { converse, hostField, peerOf, usualPort } from "./peer.ts";
import { DialogueError, type Reason } from "./reasons.ts";

export interface DnsPeer {
  host: string;
  /** Of the machine's own name servers. */
  addresses?: readonly ResolvedAddress[];
  port: number;
  environment: CheckEnvironment;
}

/** Why an answer is not the one hoped for; null when it is. */
type EvaluateAnswer = (answer: NameServerAnswer, where: string) => Reason | null;

/** The machine's own name servers, which may be where targets may not, on link-local addresses too. */
export function ownNameServers(environment: CheckEnvironment): DnsPeer | Reason {
  const { network } = environment;
  const own = (network.nameServers?.() ?? []).flatMap((one) => serverPlace(one) ?? []);
  const [first] = own;
  if (first === undefined) return msg("internal.no_name_server");
  const addresses = own.filter((one) => one.port === first.port);
  const inside = { ...environment, network: { ...network, isOwn: true as const } };
  return { host: first.address, addresses, port: first.port, environment: inside };
}

/** Over UDP, over TCP where the answer is too long, and again without EDNS where the server refuses it. */
export async function exchange(
  peer: DnsPeer,
  query: DnsQueryMessage,
  evaluate: EvaluateAnswer,
  transport: "udp" | "tcp" = "udp",
): Promise<AddressOutcome> {
  const startedMs = performance.now();
  let next = null as { query: DnsQueryMessage; transport: "udp" | "tcp" } | null;
  const answered: EvaluateAnswer = (answer, where) => {
    if (query.plain === null || !EDNS_REFUSALS.has(answer.rcode)) return evaluate(answer, where);
    next = { query: query.plain, transport };
    return null;
  };
  const cut = () => {
    next = { query, transport: "tcp" };
  };
  const outcome = await (transport === "udp"
    ? overUdp(peer, query, answered, cut)
    : overTcp(peer, query, answered));
  if (next === null) return outcome;
  // In whole milliseconds: a reason may say how long it was.
  const timeoutMs = Math.max(1, Math.ceil(peer.environment.timeoutMs - (performance.now() - startedMs)));
  const then = { ...answeringPeer(peer, outcome.address), environment: { ...peer.environment, timeoutMs } };
  return afterwards(outcome, await exchange(then, next.query, evaluate, next.transport));
}

/** Of the machine's own name servers, the one that has answered. */
function answeringPeer(peer: DnsPeer, address: string | null): DnsPeer {
  if (peer.addresses === undefined || address === null) return peer;
  return { ...peer, host: address, addresses: peer.addresses.filter((one) => one.address === address) };
}

/** The second of two exchanges, which took as long as both. */
function afterwards(first: AddressOutcome, { phases, ...second }: AddressOutcome): AddressOutcome {
  const { dnsUs, totalUs } = first.phases;
  const both = (a: number | null, b: number | null) => (a === null ? b : a + (b ?? 0));
  if (phases.totalUs === null) return { ...second, phases };
  return {
    ...second,
    phases: { ...phases, dnsUs: both(dnsUs, phases.dnsUs), totalUs: both(totalUs, phases.totalUs) },
  };
}

async function overUdp(
  peer: DnsPeer,
  query: DnsQueryMessage,
  evaluate: EvaluateAnswer,
  cut: () => void,
): Promise<AddressOutcome> {
  let unfit = 0;
  let isOtherAnswered = false;
  const received = (bytes: Buffer, where: string): Reason | null | undefined => {
    const isReadable = bytes.length <= MAX_DATAGRAM_BYTES && unfit < MAX_UNFIT;
    const message: ReadMessage = isReadable ? readMessage(bytes, query) : { kind: "foreign" };
    if (message.kind === "answer") return evaluate(message.answer, where);
    if (message.kind === "broken") return message.reason(where);
    if (message.kind === "cut") {
      cut();
      return null;
    }
    if (hasId(bytes, query)) unfit += 1;
    isOtherAnswered ||= message.kind === "other_query";
    return undefined;
  };
  const silent = (where: string, timeoutMs: number): Reason =>
    isOtherAnswered
      ? msg("protocol.dns_other", { where, name: query.name })
      : msg("timeout.datagram", { where, seconds: timeoutMs / 1000 });
  const { host, addresses, port, environment } = peer;
  const datagram: DatagramRequest = {
    host,
    addresses,
    port,
    payload: query.bytes,
    evaluate: received,
    silent,
  };
  return checkByDatagram(datagram, environment);
}

async function overTcp(
  { host, port, environment }: DnsPeer,
  query: DnsQueryMessage,
  evaluate: EvaluateAnswer,
): Promise<AddressOutcome> {
  const peer = { host, port, tls: false, ignoreCertificate: false };
  const { phases, ...outcome } = await converse(peer, environment, async (dialogue) => {
    const reason = evaluate(await requestOverTcp(dialogue, query), dialogue.where);
    if (reason !== null) throw new DialogueError(reason);
  });
  return { ...outcome, phases: { ...phases, connectUs: null, tlsUs: null, transferUs: null } };
}

async function requestOverTcp(dialogue: Dialogue, query: DnsQueryMessage): Promise<NameServerAnswer> {
  const { where } = dialogue;
  dialogue.send(withLength(query));
  const size = (await dialogue.readBytes(2)).readUInt16BE();
  if (size > MAX_ANSWER_BYTES) {
    throw new DialogueError(msg("protocol.size", { where, size: MAX_ANSWER_BYTES / 1024 }));
  }
  const message = readMessage(await dialogue.readBytes(size), query);
  if (message.kind === "answer") return message.answer;
  if (message.kind === "broken") throw new DialogueError(message.reason(where));
  throw new DialogueError(
    message.kind === "other_query"
      ? msg("protocol.dns_other", { where, name: query.name })
      : msg("protocol.dns_message", { where }),
  );
}

const dnsConfigSchema = Type.Object(
  {
    hostname: Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: "^[^\\s\\u0000-\\u001f]+$",
      description: "The name to look up; for PTR, an IP address will do as well.",
      examples: ["example.com"],
    }),
    recordType: Type.Optional(
      Type.Enum([...DNS_TYPES], { default: "A", description: "The type of record." }),
    ),
    server: Type.Optional({
      ...hostField,
      description:
        "The name server to query. Without one, those of the machine that runs the check are queried; it is required where only public targets may be checked.",
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
    description: "Queries a name server for a record, and compares it with the expected one.",
  },
);

type DnsConfig = Static<typeof dnsConfigSchema>;

export const checkDns: ProbedKind<DnsConfig, typeof ADDRESS_PHASES> = {
  type: "dns",
  phases: ADDRESS_PHASES,
  configSchema: dnsConfigSchema,
  target: ({ hostname, recordType = "A", server }) =>
    server === undefined ? `${recordType} ${hostname}` : `${recordType} ${hostname} @${server}`,
  run: async (config, environment) => {
    const peer = peerFor(config, environment);
    if ("code" in peer) return failedUnqueried(peer);
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

const failedUnqueried = (reason: Reason): CheckOutcome<never> => ({
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

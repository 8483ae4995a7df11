import { randomInt } from "node:crypto";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import dnsPacket from "dns-packet";
import { fact } from "../texts/fact.ts";
import type { ResolvedAddress } from "./address.ts";
import type { AddressOutcome } from "./address-check.ts";
import type { CheckEnvironment } from "./check.ts";
import { converse } from "./converse.ts";
import { checkByDatagram, type DatagramQuestion } from "./datagrams.ts";
import type { Dialogue } from "./dialogue.ts";
import { DialogueError } from "./dialogue-error.ts";
import { reverseName } from "./dns-records.ts";
import type { Reason } from "./reasons.ts";

export const DNS_PORT = 53;
/**
 * Names may point at names that point at others, so that reading takes the square of the length: 64 KiB took a sixth of a
 * second, in which the thread did nothing else, and datagrams come as often as the other side likes.
 */
const MAX_DATAGRAM_BYTES = 4_096;
const MAX_ANSWER_BYTES = 16_384;
/** After so many datagrams that are no answer to a question no more are read: each may take a millisecond of the thread. */
const MAX_UNFIT = 30;

/** What is asked, as the bytes of a query. */
export interface DnsQuestion {
  id: number;
  name: string;
  /** As dns-packet calls it. */
  type: string;
  bytes: Buffer;
}

/** A name server. */
export interface DnsPeer {
  host: string;
  /** Of the machine's own name servers. */
  addresses?: readonly ResolvedAddress[];
  port: number;
  environment: CheckEnvironment;
}

/** An answer as dns-packet decodes it; its types lack the response code. */
export type DnsMessage = dnsPacket.DecodedPacket & { rcode: string };

/** Why an answer is not the one hoped for; null when it is. */
type JudgeAnswer = (answer: DnsMessage, where: string) => Reason | null;

/** What else a question may say. */
interface QuestionOptions {
  /** Which of RFC 4035's bits are set: AD asks whether the server has verified the answer, DO for the signatures as well. */
  dnssec?: "none" | "verified" | "signed";
}

/**
 * A question for this type of record, with room for long answers (EDNS, RFC 6891). `type` is as dns-packet calls it. An
 * address is asked for by its reverse name where the type is PTR.
 */
export function dnsQuestion(
  hostname: string,
  type: string,
  { dnssec = "none" }: QuestionOptions,
): DnsQuestion {
  const name = reverseName(type, hostname) ?? (domainToASCII(hostname) || hostname);
  const id = randomInt(65_536);
  const bytes = dnsPacket.encode({
    type: "query",
    id,
    flags: dnsPacket.RECURSION_DESIRED | (dnssec === "none" ? 0 : dnsPacket.AUTHENTIC_DATA),
    questions: [{ type: type as dnsPacket.RecordType, name }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: 1232,
        flags: dnssec === "signed" ? dnsPacket.DNSSEC_OK : 0,
        options: [],
      } as never,
    ],
  });
  return { id, name, type, bytes };
}

/** The machine's own name servers, which may stand where targets may not, on link-local addresses too. */
export function ownNameServers(environment: CheckEnvironment): DnsPeer | Reason {
  const { network } = environment;
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
  return family === 0 ? null : { address, family: family === 6 ? 6 : 4, port: Number(port ?? DNS_PORT) };
}

/** Asks a name server over UDP, and over TCP where the answer is too long for that, and judges the answer. */
export async function exchange(
  peer: DnsPeer,
  question: DnsQuestion,
  judge: JudgeAnswer,
): Promise<AddressOutcome> {
  const startedMs = performance.now();
  let isCut = false;
  let unfit = 0;
  const datagram: DatagramQuestion = {
    host: peer.host,
    addresses: peer.addresses,
    port: peer.port,
    payload: question.bytes,
    judge: (bytes, where) => {
      const isRead = bytes.length <= MAX_DATAGRAM_BYTES && unfit < MAX_UNFIT;
      const answer = isRead ? decoded(bytes, question) : null;
      if (answer === null) {
        if (hasId(bytes, question)) unfit += 1;
        return undefined;
      }
      isCut = answer.flag_tc;
      return isCut ? null : judge(answer, where);
    },
    silent: (where, timeoutMs) => fact("timeout.datagram", { where, seconds: timeoutMs / 1000 }),
  };
  const outcome = await checkByDatagram(datagram, peer.environment);
  if (!isCut) return outcome;
  const timeoutMs = Math.max(1, peer.environment.timeoutMs - (performance.now() - startedMs));
  const host = peer.addresses === undefined ? peer.host : (outcome.address ?? peer.host);
  return overTcp({ ...peer, host, environment: { ...peer.environment, timeoutMs } }, question, judge);
}

/** An answer to this question; null for anything else. */
function decoded(bytes: Buffer, question: DnsQuestion): DnsMessage | null {
  try {
    if (!hasId(bytes, question)) return null;
    const answer = dnsPacket.decode(bytes);
    const [asked] = answer.questions ?? [];
    return answer.type === "response" &&
      asked?.type === question.type &&
      isSameName(asked.name, question.name)
      ? (answer as DnsMessage)
      : null;
  } catch {
    return null;
  }
}

const hasId = (bytes: Buffer, { id }: DnsQuestion) => bytes.length > 1 && bytes.readUInt16BE(0) === id;

const isSameName = (a: string, b: string) =>
  a.replace(/\.$/, "").toLowerCase() === b.replace(/\.$/, "").toLowerCase();

async function overTcp(
  { host, port, environment }: DnsPeer,
  question: DnsQuestion,
  judge: JudgeAnswer,
): Promise<AddressOutcome> {
  const peer = { host, port, tls: false, ignoreCertificate: false };
  const { phases, ...outcome } = await converse(peer, environment, async (dialogue) => {
    const reason = judge(await askOverTcp(dialogue, question), dialogue.where);
    if (reason !== null) throw new DialogueError(reason);
  });
  return { ...outcome, phases: { ...phases, connectUs: null, tlsUs: null, transferUs: null } };
}

async function askOverTcp(dialogue: Dialogue, question: DnsQuestion): Promise<DnsMessage> {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(question.bytes.length);
  dialogue.send(Buffer.concat([length, question.bytes]));
  const size = (await dialogue.readBytes(2)).readUInt16BE();
  if (size > MAX_ANSWER_BYTES) {
    throw new DialogueError(fact("protocol.size", { where: dialogue.where, size: MAX_ANSWER_BYTES / 1024 }));
  }
  const answer = decoded(await dialogue.readBytes(size), question);
  if (answer === null) throw new DialogueError(fact("protocol.broken", { where: dialogue.where }));
  return answer;
}

import { randomInt } from "node:crypto";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import dnsPacket from "dns-packet";
import ipaddr from "ipaddr.js";
import type { ResolvedAddress } from "./address.ts";

/** The types that can be asked for. */
export const DNS_TYPES = ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"] as const;
export type DnsType = (typeof DNS_TYPES)[number];

/** The name under which an address has its PTR record; null for what is no address, or asks for another type. */
export function reverseName(type: string, name: string): string | null {
  if (type !== "PTR") return null;
  if (isIPv4(name)) return `${name.split(".").reverse().join(".")}.in-addr.arpa`;
  if (!isIPv6(name)) return null;
  const nibbles = Buffer.from(ipaddr.parse(name).toByteArray()).toString("hex");
  return `${[...nibbles].reverse().join(".")}.ip6.arpa`;
}

/** A record as `dig +short` writes it, but for quotes and the final dot of names. */
export function recordText(record: dnsPacket.Answer): string {
  const { type, data } = record as SupportedAnswer;
  if (typeof data === "string") return data;
  if (type === "MX") return `${data.preference ?? 0} ${data.exchange}`;
  if (type === "SRV") return `${data.priority ?? 0} ${data.weight ?? 0} ${data.port} ${data.target}`;
  if (type === "CAA") return `${data.flags ?? 0} ${data.tag} ${data.value}`;
  if (type === "TXT") return [data].flat().map(String).join("");
  const { mname, rname, serial, refresh, retry, expire, minimum } = data;
  return [mname, rname, serial, refresh, retry, expire, minimum].join(" ");
}

/** Whether this is the expected record, in any case, as `recordText` or as `dig +short` writes it. */
export function isExpected(type: DnsType, found: string, expected: string): boolean {
  const record = comparable(found);
  return record === comparable(expected) || record === comparable(unprinted(type, expected));
}

const comparable = (text: string): string => text.replace(/\.$/, "").toLowerCase();

/** What `dig +short` prints, without its quotes, escapes and final dots; an IPv6 address in its shortest form. */
function unprinted(type: DnsType, printed: string): string {
  const text = printed.trim();
  if (type === "CAA") return text.replace(QUOTED, (_, inner: string) => unescaped(inner));
  if (type === "AAAA") return isIPv6(text) ? ipaddr.parse(text).toString() : text;
  if (type !== "TXT") return text.replace(/\.(?=\s|$)/g, "").replace(/\s+/g, " ");
  return ALL_QUOTED.test(text)
    ? Array.from(text.matchAll(QUOTED), ([, inner = ""]) => unescaped(inner)).join("")
    : text;
}

const QUOTED = /"((?:[^"\\]|\\.)*)"/gs;
const ALL_QUOTED = /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/s;

/** `\"` is the character itself, `\195` a byte of its UTF-8. */
function unescaped(text: string): string {
  const parts = Array.from(text.matchAll(/\\(\d{3})|\\?(.)/gsu), ([, code, own = ""]) =>
    code === undefined ? Buffer.from(own) : Buffer.of(Number(code)),
  );
  return Buffer.concat(parts).toString();
}

/** Of the types that can be asked for. */
type SupportedAnswer = Extract<dnsPacket.Answer, { type: DnsType }>;

export const DNS_PORT = 53;
/**
 * Names may point at names that point at others, so that reading takes the square of the length: 64 KiB took a sixth of a
 * second, in which the thread did nothing else, and datagrams come as often as the other side likes.
 */
export const MAX_DATAGRAM_BYTES = 4_096;
export const MAX_ANSWER_BYTES = 16_384;
/** After so many datagrams that are no answer to a question no more are read: each may take a millisecond of the thread. */
export const MAX_UNFIT = 30;

/** How a server refuses EDNS (RFC 6891 §7); the question is then sent again without it. */
export const EDNS_REFUSALS: ReadonlySet<string> = new Set(["FORMERR", "NOTIMP", "BADVERS"]);

/** What is sent to a name server, as bytes. */
export interface DnsQueryMessage {
  id: number;
  name: string;
  /** As dns-packet calls it. */
  type: string;
  bytes: Buffer;
  /** The same without EDNS, for servers that refuse that; null: this is it. */
  plain: DnsQueryMessage | null;
}

/** What else a query may say. */
interface EncodingOptions {
  /** Which of RFC 4035's bits are set: AD asks whether the server has verified the answer, DO for the signatures as well. */
  dnssec?: "none" | "verified" | "signed";
}

/**
 * A query for this type of record, with room for long answers (EDNS, RFC 6891). `type` is as dns-packet calls it. An
 * address is requested by its reverse name where the type is PTR.
 */
export function encodeDnsQuery(
  hostname: string,
  type: string,
  { dnssec = "none" }: EncodingOptions = {},
): DnsQueryMessage {
  const name = reverseName(type, hostname) ?? (domainToASCII(hostname) || hostname);
  const query = (additionals: dnsPacket.Answer[], plain: DnsQueryMessage | null): DnsQueryMessage => {
    const id = randomInt(65_536);
    const bytes = dnsPacket.encode({
      type: "query",
      id,
      flags: dnsPacket.RECURSION_DESIRED | (dnssec === "none" ? 0 : dnsPacket.AUTHENTIC_DATA),
      questions: [{ type: type as dnsPacket.RecordType, name }],
      additionals,
    });
    return { id, name, type, bytes, plain };
  };
  const edns = {
    type: "OPT",
    name: ".",
    udpPayloadSize: 1232,
    flags: dnssec === "signed" ? dnsPacket.DNSSEC_OK : 0,
    options: [],
  };
  return query([edns as never], query([], null));
}

/** Whether a datagram bears the number of this query. */
export const hasId = (bytes: Buffer, { id }: DnsQueryMessage): boolean =>
  bytes.length > 1 && bytes.readUInt16BE(0) === id;

/** A query as it goes over TCP: after its length. */
export function withLength({ bytes }: DnsQueryMessage): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Whether a name can be sent in a question (RFC 1035 §2.3.4): labels of 1 to 63 bytes, 253 in all. */
export const isDnsName = (name: string): boolean => {
  const ascii = domainToASCII(name) || name;
  return Buffer.byteLength(ascii) <= 253 && ascii.split(".").every((label) => /^.{1,63}$/su.test(label));
};

/** Where a name server is. */
export interface ServerPlace extends ResolvedAddress {
  port: number;
}

/** `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1` or `[2001:db8::1]:53`; null for anything else. */
export function serverPlace(text: string): ServerPlace | null {
  const [, bracketed, bare, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d+))?$/.exec(text) ?? [];
  const address = bracketed ?? bare ?? text;
  const family = isIP(address);
  return family === 0 ? null : { address, family: family === 6 ? 6 : 4, port: Number(port ?? DNS_PORT) };
}

import { randomInt } from "node:crypto";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import dnsPacket from "dns-packet";
import ipaddr from "ipaddr.js";
import type { ResolvedAddress } from "../platform/formats/host.ts";
import { msg } from "../platform/i18n/message.ts";
import type { ReasonAt } from "./reasons.ts";

export const DNS_TYPES = ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"] as const;
export type DnsType = (typeof DNS_TYPES)[number];

/** The name under which an address has its PTR record; null for what is no address, or for another type. */
export function reverseName(type: string, name: string): string | null {
  if (type !== "PTR") return null;
  if (isIPv4(name)) return `${name.split(".").reverse().join(".")}.in-addr.arpa`;
  if (!isIPv6(name)) return null;
  const nibbles = Buffer.from(ipaddr.parse(name).toByteArray()).toString("hex");
  return `${[...nibbles].reverse().join(".")}.ip6.arpa`;
}

/** A record as `dig +short` writes it, but for quotes and the final dot of names. */
export function recordText(record: dnsPacket.Answer): string {
  if (record.type === "AAAA") return ipaddr.parse(record.data).toString();
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

type SupportedAnswer = Extract<dnsPacket.Answer, { type: DnsType }>;

export const DNS_PORT = 53;
/**
 * Reading compressed names takes the square of the length: 64 KiB blocked the thread for a sixth of a second,
 * and datagrams come as often as the other side likes.
 */
export const MAX_DATAGRAM_BYTES = 4_096;
export const MAX_ANSWER_BYTES = 16_384;
/** After so many datagrams that do not answer the query no more are read: each may take a millisecond of the thread. */
export const MAX_UNFIT = 30;

/** How a server refuses EDNS (RFC 6891 §7); the query is then sent again without it. */
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

interface EncodingOptions {
  /** Which of RFC 4035's bits are set: AD requests whether the server has verified the answer, DO for the signatures as well. */
  dnssec?: "none" | "verified" | "signed";
}

/**
 * With room for long answers (EDNS, RFC 6891). `type` is dns-packet's. For PTR, an address becomes its
 * reverse name.
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

/** Whether a name can be queried (RFC 1035 §2.3.4): labels of 1 to 63 bytes, 253 in all. */
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

/** What a name server says of a name. */
export interface NameServerAnswer {
  /** `NOERROR`, `NXDOMAIN` …; those that only EDNS has too. */
  rcode: string;
  /** The server vouches for it by DNSSEC (the AD flag). */
  isVerified: boolean;
  /** From the name that was requested along its aliases: these aliases, then the records of the type. */
  records: readonly dnsPacket.Answer[];
  /** Names of records of the type to which no alias leads. */
  strayNames: readonly string[];
}

/** A message as the answer to a query: the answer, that it was cut, what is wrong with it, or whose it is not. */
export type ReadMessage =
  | { kind: "answer"; answer: NameServerAnswer }
  | { kind: "cut" }
  | { kind: "broken"; reason: ReasonAt }
  | { kind: "other_query" }
  | { kind: "foreign" };

const HEADER_BYTES = 12;
const IN = 1;
const CNAME = 5;
const DNAME = 39;
const OPT = 41;
/** Response codes that do not fit the header (RFC 6895 §2.3). */
const EXTENDED_RCODES: Readonly<Record<number, string>> = { 16: "BADVERS", 23: "BADCOOKIE" };

/** What dns-packet offers besides its types; a decoder says in `bytes` how many it has read. */
interface Decoder<T> {
  decode: ((bytes: Buffer, offset: number) => T) & { bytes: number };
}
const decoders = dnsPacket as unknown as { name: Decoder<string>; answer: Decoder<dnsPacket.Answer> };

interface RecordPlace {
  start: number;
  end: number;
  type: number;
  class: number;
  /** The upper byte of what is the TTL elsewhere: in OPT, of the response code. */
  upperByte: number;
}

/** Records must lie within the message, and those that answer the query be whole; the rest is not read. */
export function readMessage(bytes: Buffer, query: DnsQueryMessage): ReadMessage {
  if (!hasId(bytes, query) || bytes.length < HEADER_BYTES) return { kind: "foreign" };
  const flags = bytes.readUInt16BE(2);
  if ((flags & 0x8000) === 0) return { kind: "foreign" };
  try {
    return readResponse(bytes, flags, query);
  } catch {
    return { kind: "broken", reason: (where) => msg("protocol.dns_message", { where }) };
  }
}

function readResponse(bytes: Buffer, flags: number, query: DnsQueryMessage): ReadMessage {
  const isError = (flags & 0xf) !== 0;
  const queryCount = bytes.readUInt16BE(4);
  const { name, type } = query;
  // Servers that cannot read a query answer with a header and nothing else.
  if (queryCount === 0 && !isError) {
    return { kind: "broken", reason: (where) => msg("protocol.dns_question", { where, name }) };
  }
  if (queryCount > 0 && !repeats(bytes, query)) return { kind: "other_query" };
  if ((flags & dnsPacket.TRUNCATED_RESPONSE) !== 0) return { kind: "cut" };
  const { answers, extended } = placesOf(bytes, queryCount);
  const wanted = new Set([typeNumber(query), CNAME, DNAME]);
  const records: dnsPacket.Answer[] = [];
  for (const place of answers) {
    if (place.class !== IN || !wanted.has(place.type)) continue;
    const record = recordAt(bytes, place);
    if (record === null) {
      return { kind: "broken", reason: (where) => msg("protocol.dns_record", { where, name }) };
    }
    records.push(record);
  }
  const rcode = EXTENDED_RCODES[(extended << 4) | (flags & 0xf)] ?? rcodeName(bytes);
  const isVerified = (flags & dnsPacket.AUTHENTIC_DATA) !== 0;
  return { kind: "answer", answer: { rcode, isVerified, ...chainFrom(name, type, records) } };
}

/** Whether the message repeats the query (RFC 1035 §4.1.2), in upper or lower case. */
function repeats(bytes: Buffer, query: DnsQueryMessage): boolean {
  const name = decoders.name.decode(bytes, HEADER_BYTES);
  const end = nameEnd(bytes, HEADER_BYTES);
  const isSameType = bytes.readUInt16BE(end) === typeNumber(query) && bytes.readUInt16BE(end + 2) === IN;
  return isSameType && comparable(name) === comparable(query.name);
}

const typeNumber = ({ bytes }: DnsQueryMessage): number => bytes.readUInt16BE(nameEnd(bytes, HEADER_BYTES));

/** Names of response codes are dns-packet's; it reads them from a header without anything behind it. */
function rcodeName(bytes: Buffer): string {
  const header = Buffer.alloc(HEADER_BYTES);
  bytes.copy(header, 0, 0, 4);
  return (dnsPacket.decode(header) as dnsPacket.DecodedPacket & { rcode: string }).rcode;
}

/** Where the records of the answer section are, and the upper bits of the response code. Throws RangeError. */
function placesOf(bytes: Buffer, queryCount: number): { answers: RecordPlace[]; extended: number } {
  let at = HEADER_BYTES;
  for (let left = queryCount; left > 0; left--) at = nameEnd(bytes, at) + 4;
  const answers: RecordPlace[] = [];
  let extended = 0;
  const count = bytes.readUInt16BE(6);
  const total = count + bytes.readUInt16BE(8) + bytes.readUInt16BE(10);
  for (let index = 0; index < total; index++) {
    const place = placeAt(bytes, at);
    if (index < count) answers.push(place);
    if (place.type === OPT) extended = place.upperByte;
    at = place.end;
  }
  return { answers, extended };
}

function placeAt(bytes: Buffer, start: number): RecordPlace {
  const fields = nameEnd(bytes, start);
  const end = fields + 10 + bytes.readUInt16BE(fields + 8);
  if (end > bytes.length) throw new RangeError("record behind the end");
  return {
    start,
    end,
    type: bytes.readUInt16BE(fields),
    class: bytes.readUInt16BE(fields + 2),
    upperByte: bytes.readUInt8(fields + 4),
  };
}

/** Where a name ends in its place; pointers are not followed. Throws RangeError. */
function nameEnd(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = bytes.readUInt8(at);
    if (length >= 0xc0) return at + 2;
    if (length > 63) throw new RangeError("no label");
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** Types whose content ends in a name, and where that begins; dns-packet does not look where it ends. */
const FINAL_NAME_AT: Readonly<Record<string, number>> = { CNAME: 0, DNAME: 0, MX: 2, NS: 0, PTR: 0, SRV: 6 };

/** Whether the content is flags, the length of a tag, and that tag (RFC 8659 §4.1); dns-packet reads beyond its end. */
const isWholeCaa = (bytes: Buffer, at: number, end: number): boolean => {
  const tagBytes = at + 2 <= end ? bytes.readUInt8(at + 1) : 0;
  return tagBytes > 0 && at + 2 + tagBytes <= end;
};

/** A record whose content is as long as it says; null for any other. */
function recordAt(bytes: Buffer, { start, end }: RecordPlace): dnsPacket.Answer | null {
  try {
    const record = decoders.answer.decode(bytes.subarray(0, end), start);
    if (decoders.answer.decode.bytes !== end - start) return null;
    const content = nameEnd(bytes, start) + 10;
    if (record.type === "CAA") return isWholeCaa(bytes, content, end) ? record : null;
    const nameAt = FINAL_NAME_AT[record.type];
    return nameAt === undefined || nameEnd(bytes, content + nameAt) === end ? record : null;
  } catch {
    return null;
  }
}

/** As many as resolvers follow; each is looked for among the records. */
const MAX_ALIASES = 16;

function chainFrom(
  name: string,
  type: string,
  records: readonly dnsPacket.Answer[],
): Pick<NameServerAnswer, "records" | "strayNames"> {
  const byOwner = Map.groupBy(records, (record) => comparable(record.name));
  const domainAliases = records.filter((record) => record.type === "DNAME");
  const chain = new Set<dnsPacket.Answer>();
  let at: string | null = comparable(name);
  for (let left = MAX_ALIASES; at !== null && left >= 0; left--) {
    const here: string = at;
    const own = byOwner.get(here) ?? [];
    const found = own.filter((record) => record.type === type);
    for (const record of found) chain.add(record);
    if (found.length > 0) break;
    const above = domainAliases.filter((record) => here.endsWith(`.${comparable(record.name)}`));
    for (const record of above) chain.add(record);
    const alias = own.find((record) => record.type === "CNAME") ?? above[0];
    if (alias !== undefined) chain.add(alias);
    at = alias === undefined ? null : aliasTarget(alias, here);
  }
  const strays = records.filter((record) => record.type === type && !chain.has(record));
  return { records: [...chain], strayNames: [...new Set(strays.map((record) => record.name))] };
}

/** Where an alias of a name, or of a domain above it, leads from there. */
function aliasTarget(alias: dnsPacket.Answer, name: string): string {
  const target = comparable(String((alias as { data: unknown }).data));
  return alias.type === "CNAME" ? target : `${name.slice(0, -comparable(alias.name).length)}${target}`;
}

import type dnsPacket from "dns-packet";
import ipaddr from "ipaddr.js";
import { msg } from "../../../platform/i18n/message.ts";
import { type DnsPeer, exchange } from "../../dns.ts";
import { DNS_TYPES, encodeDnsQuery, type NameServerAnswer, recordText } from "../../dns-message.ts";
import { classOf, type Reason } from "../../reasons.ts";
import type { RECORD_TYPES } from "../schemas/dns-lookup.ts";
import { ToolError } from "../tool.ts";

type RecordType = (typeof RECORD_TYPES)[number];

/** What ANY means: name servers refuse that query itself (RFC 8482). */
export const COMMON_TYPES = [
  "A",
  "AAAA",
  "CAA",
  "CNAME",
  "DNSKEY",
  "DS",
  "HTTPS",
  "MX",
  "NS",
  "SOA",
  "TXT",
] as const satisfies readonly RecordType[];

/** Those that dns-packet knows by number only. */
const BY_NUMBER: Readonly<Record<string, string>> = { SVCB: "UNKNOWN_64", HTTPS: "UNKNOWN_65" };
const BY_NAME = new Map(Object.entries(BY_NUMBER).map(([name, number]) => [number, name]));

const packetType = (type: RecordType): string => BY_NUMBER[type] ?? type;

/** A type's own name, of what dns-packet calls it. */
const typeName = (type: string): string => BY_NAME.get(type) ?? type;

/** The names of parameters by number (RFC 9460 §14.3, RFC 9461, RFC 9540). */
const KEYS = [
  ...["mandatory", "alpn", "no-default-alpn", "port", "ipv4hint", "ech", "ipv6hint", "dohpath", "ohttp"],
];
const MAX_LABEL = 63;

/** An SVCB or HTTPS record as `dig` writes it, such as `1 . alpn=h2,h3 port=8443` (RFC 9460 §2). Null for bytes that are none. */
function serviceBindingText(bytes: Buffer): string | null {
  try {
    const priority = bytes.readUInt16BE(0);
    const target = readName(bytes, 2);
    const params = readParams(bytes, target.end);
    return [priority, target.name, ...params].join(" ");
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A name that is not compressed (RFC 9460 §2.2). Throws RangeError. */
function readName(bytes: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  for (;;) {
    const length = bytes.readUInt8(at);
    if (length > MAX_LABEL) throw new RangeError("no label");
    at += 1 + length;
    if (at > bytes.length) throw new RangeError("cut label");
    if (length === 0) return { name: labels.length === 0 ? "." : labels.join("."), end: at };
    labels.push(bytes.toString("latin1", at - length, at));
  }
}

function readParams(bytes: Buffer, from: number): string[] {
  const params: string[] = [];
  let at = from;
  while (at < bytes.length) {
    const key = bytes.readUInt16BE(at);
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) throw new RangeError("cut parameter");
    const name = KEYS[key] ?? `key${key}`;
    const value = valueText(name, bytes.subarray(at + 4, end));
    params.push(value === "" ? name : `${name}=${value}`);
    at = end;
  }
  return params;
}

function valueText(name: string, value: Buffer): string {
  if (name === "port") return String(value.readUInt16BE(0));
  if (name === "alpn") return textsOf(value).join(",");
  if (name === "mandatory") {
    return chunks(value, 2)
      .map((each) => KEYS[each.readUInt16BE(0)] ?? `key${each.readUInt16BE(0)}`)
      .join(",");
  }
  if (name === "ipv4hint" || name === "ipv6hint") {
    return chunks(value, name === "ipv4hint" ? 4 : 16)
      .map((each) => ipaddr.fromByteArray([...each]).toString())
      .join(",");
  }
  return name === "ech" ? value.toString("base64") : value.toString("utf8");
}

/** Texts that each have their length before them. Throws RangeError. */
function textsOf(value: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < value.length; ) {
    const end = at + 1 + value.readUInt8(at);
    if (end > value.length) throw new RangeError("cut text");
    texts.push(value.toString("utf8", at + 1, end));
    at = end;
  }
  return texts;
}

/** Throws RangeError unless it is a whole number of parts. */
function chunks(value: Buffer, size: number): Buffer[] {
  if (value.length === 0 || value.length % size !== 0) throw new RangeError("cut list");
  return Array.from({ length: value.length / size }, (_, at) => value.subarray(at * size, (at + 1) * size));
}

const KNOWN: ReadonlySet<string> = new Set(DNS_TYPES);

type Writers = {
  [Type in "DS" | "DNSKEY" | "NAPTR" | "TLSA"]: (
    data: Extract<dnsPacket.Answer, { type: Type }>["data"],
  ) => string;
};

const hex = (bytes: Buffer) => bytes.toString("hex").toUpperCase();

const WRITERS: Writers = {
  DS: ({ keyTag, algorithm, digestType, digest }) => `${keyTag} ${algorithm} ${digestType} ${hex(digest)}`,
  DNSKEY: ({ flags, algorithm, key }) => `${flags} 3 ${algorithm} ${key.toString("base64")}`,
  NAPTR: ({ order, preference, flags, services, regexp, replacement }) =>
    `${order} ${preference} "${flags}" "${services}" "${regexp}" ${replacement}`,
  TLSA: ({ usage, selector, matchingType, certificate }) =>
    `${usage} ${selector} ${matchingType} ${hex(certificate)}`,
};

/** A record as `dig +short` writes it, but for the final dot of names and the quotes of texts; null where it is malformed. */
function lookedUpText(record: dnsPacket.Answer): string | null {
  const { type, data } = record as { type: string; data: unknown };
  if (type === "UNKNOWN_64" || type === "UNKNOWN_65") return serviceBindingText(data as Buffer);
  if (type === "DNAME") return String(data as string);
  if (type in WRITERS) return WRITERS[type as keyof Writers](data as never);
  return KNOWN.has(type) ? recordText(record) : null;
}

export interface FoundRecord {
  type: string;
  name: string;
  value: string;
  /** Seconds, as the name server says it. */
  ttl: number;
}

/** What a name server says of one type of record. */
export interface RecordAnswer {
  /** Those of the type, and the aliases that lead to them. */
  records: FoundRecord[];
  exists: boolean;
  /** Whether the name server has verified it by DNSSEC. */
  isVerified: boolean;
  /** The address that answered. */
  server: string;
}

const FOLLOWED: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);
const KNOWN_CODES = ["SERVFAIL", "REFUSED", "NOTIMP", "FORMERR"] as const;

/** Queries the records of a name. Throws ToolError when the name server does not answer, or says that it cannot. */
export async function queryRecords(peer: DnsPeer, name: string, type: RecordType): Promise<RecordAnswer> {
  let answer: NameServerAnswer | undefined;
  const query = encodeDnsQuery(name, packetType(type), { dnssec: "verified" });
  const outcome = await exchange(peer, query, (message) => {
    answer = message;
    return null;
  });
  if (answer === undefined) throw unanswered(outcome.reason);
  const { rcode, isVerified } = answer;
  const server = outcome.address ?? peer.host;
  if (rcode !== "NOERROR" && rcode !== "NXDOMAIN") {
    const knownCode = KNOWN_CODES.find((code) => code === rcode) ?? "other";
    throw new ToolError(msg("tool.dns_failed", { server, name, rcode: knownCode }));
  }
  const records = answer.records.flatMap((each) => foundRecord(each, type, server));
  return { records, exists: rcode === "NOERROR", isVerified, server };
}

/** Throws ToolError where the record has a content that its type cannot have. */
function foundRecord(answer: dnsPacket.Answer, wanted: RecordType, where: string): FoundRecord[] {
  const type = typeName(answer.type);
  if (type !== wanted && !FOLLOWED.has(type)) return [];
  const value = lookedUpText(answer);
  const { ttl = 0 } = answer as { ttl?: number };
  if (value === null) throw new ToolError(msg("protocol.dns_record", { where, name: answer.name }));
  return [{ type, name: answer.name, value, ttl }];
}

/** A name server that must not be queried, or that does not exist, is the caller's mistake; silence is not. */
function unanswered(reason: Reason | null): ToolError {
  if (reason === null) return new ToolError(msg("tool.given_up"));
  const isUnfit = classOf(reason) === "guard" || ["dns.missing", "dns.not_public"].includes(reason.code);
  return new ToolError(reason, isUnfit ? "server" : undefined);
}

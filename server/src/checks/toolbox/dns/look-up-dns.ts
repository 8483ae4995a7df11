import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type dnsPacket from "dns-packet";
import ipaddr from "ipaddr.js";
import { parse } from "tldts";
import { normaliseHost } from "../../../platform/formats/host.ts";
import { msg } from "../../../platform/i18n/message.ts";
import type { CheckEnvironment } from "../../check.ts";
import { type DnsPeer, exchange, ownNameServers } from "../../dns.ts";
import {
  DNS_PORT,
  DNS_TYPES,
  encodeDnsQuery,
  type NameServerAnswer,
  recordText,
  reverseName,
} from "../../dns-message.ts";
import { hostProblem, isPublicAddress, type TargetPolicy } from "../../guard.ts";
import { classOf, type Reason } from "../../reasons.ts";
import { textTable } from "../finding.ts";
import {
  type DnsLookup,
  type DnsLookupInput,
  Input,
  Output,
  type RECORD_TYPES,
} from "../schemas/dns-lookup.ts";
import { checkEnvironment, type ToolEnvironment, ToolError, tool } from "../tool.ts";

type RecordType = (typeof RECORD_TYPES)[number];

/** What ANY means: name servers refuse that query itself (RFC 8482). */
const COMMON_TYPES = [
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
async function queryRecords(peer: DnsPeer, name: string, type: RecordType): Promise<RecordAnswer> {
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

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const MAX_NAME = 253;

/**
 * In ASCII, without a final dot; for an address, its reverse name. Throws ToolError for what is no name and,
 * for public targets only, for names that only the operator's own name servers may know.
 */
function nameToQuery(typed: string, policy: TargetPolicy, isOwnServer: boolean): string {
  const given = typed.trim().replace(/\.$/, "");
  // What follows is no part of an address, only where it is (RFC 4007 §11).
  const text = isIP(given) === 0 ? given : (given.split("%", 1)[0] as string);
  const isPrivate = policy === "public" && isOwnServer;
  if (isIP(text) !== 0) {
    if (isPrivate && !isPublicAddress(text)) throw insideName();
    return reverseName("PTR", text) as string;
  }
  const name = domainToASCII(text);
  const labels = name.split(".");
  if (name === "" || name.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) {
    throw new ToolError(msg("tool.name"), "domain");
  }
  if (isPrivate && (!parse(name).isIcann || name.endsWith(".arpa"))) throw insideName();
  return name;
}

const insideName = () => new ToolError(msg("tool.inside"), "domain");

/** The name server to query: `9.9.9.9`, `[2620:fe::fe]:53`, `dns.example.com:5353`; without one, the machine's own. Throws ToolError. */
function nameServer(typed: string | undefined, environment: CheckEnvironment): DnsPeer {
  if (typed === undefined) {
    const own = ownNameServers(environment);
    if ("code" in own) throw new ToolError(own);
    return own;
  }
  const text = typed.trim();
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = normaliseHost(bracketed ?? plain ?? text.replace(/^\[(.*)\]$/, "$1"));
  const number = port === undefined ? DNS_PORT : Number(port);
  if (host === null || number < 1 || number > 65_535) throw new ToolError(msg("tool.name_server"), "server");
  const problem = hostProblem(host, environment.network.policy);
  if (problem !== null) throw new ToolError(problem, "server");
  return { host, port: number, environment };
}

const HINT = /^(ipv[46]hint)=(.+)$/;

/**
 * A service binding as `serviceBindingText` writes it, without non-public addresses in its hints (RFC 9460
 * §7.3), and their number.
 */
export function withoutInsideHints(binding: string): { value: string; withheld: number } {
  let withheld = 0;
  const parts = binding.split(" ").flatMap((part) => {
    const [, name, list = ""] = HINT.exec(part) ?? [];
    if (name === undefined) return [part];
    const addresses = list.split(",");
    const visible = addresses.filter(isPublicAddress);
    withheld += addresses.length - visible.length;
    return visible.length === 0 ? [] : [`${name}=${visible.join(",")}`];
  });
  return { value: parts.join(" "), withheld };
}

/** Of one query; three tries and what is cut over TCP. */
const TIMEOUT_MS = 5_000;

/** Looks records up: an error where a name server does not answer, never an empty list. */
export const lookUpDns = tool({
  name: "dns-lookup",
  title: "DNS lookup",
  description: "Looks up the DNS records of a name, with their real TTLs.",
  input: Input,
  subject: "domain",
  output: Output,
  run: lookUp,
  message: (found) => describeProblem(found) ?? "OK",
  print: (found) => {
    const { records, total } = found;
    const rows = records.map(({ name, ttl, type, value }) => [name, ttl, type, value]);
    const table = total === 0 ? "" : textTable(["Name", "TTL", "Type", "Value"], rows);
    const said = describeProblem(found);
    return said === null ? table : `${table}${said}\n`;
  },
});

function describeProblem({ status, domain, total, unanswered }: DnsLookup): string | null {
  if (status === "NXDOMAIN") return `There is no name ${domain} (NXDOMAIN).`;
  if (unanswered.length > 0) return `The name server gave no answer for ${unanswered.join(", ")}.`;
  return total === 0 ? `${domain} has no such record.` : null;
}

async function lookUp(input: DnsLookupInput, environment: ToolEnvironment): Promise<DnsLookup> {
  const startedMs = performance.now();
  const { policy } = environment.network;
  const isOwn = input.server === undefined;
  const domain = nameToQuery(input.domain, policy, isOwn);
  const types = typesOf(input);
  const answers = await Promise.allSettled(
    types.map((type) =>
      queryRecords(nameServer(input.server, checkEnvironment(environment, TIMEOUT_MS)), domain, type),
    ),
  );
  const { given, first } = givenOf(answers);
  const records = withoutDoubles(given.flatMap((answer) => answer.records));
  const { visible, withheld } = policy === "public" ? publicOf(records) : { visible: records, withheld: 0 };
  return {
    domain,
    records: visible,
    total: visible.length,
    status: first.exists ? "NOERROR" : "NXDOMAIN",
    server: first.server,
    verified: given.every(({ isVerified }) => isVerified),
    withheld,
    unanswered: types.filter((_, at) => answers[at]?.status === "rejected"),
    responseTime: Math.round((performance.now() - startedMs) * 1000) / 1000,
  };
}

/** What may be shown where only public targets may be reached, and how many addresses are left out of that. */
function publicOf(records: readonly FoundRecord[]): { visible: FoundRecord[]; withheld: number } {
  let withheld = 0;
  const visible = records.flatMap((record) => {
    const { type, value } = record;
    if ((type === "A" || type === "AAAA") && !isPublicAddress(value)) {
      withheld += 1;
      return [];
    }
    if (type !== "HTTPS" && type !== "SVCB") return [record];
    const shown = withoutInsideHints(value);
    withheld += shown.withheld;
    return [{ ...record, value: shown.value }];
  });
  return { visible, withheld };
}

/** An address is looked up for its name, whatever the default is. */
function typesOf({ domain, record_type: type }: DnsLookupInput) {
  if (isIP(domain.trim().replace(/\.$/, "")) !== 0) return ["PTR"] as const;
  return type === "ANY" ? COMMON_TYPES : ([type ?? "A"] as const);
}

/** Some of several queries may stay without an answer, not all. Throws the first ToolError then. */
function givenOf(answers: readonly PromiseSettledResult<RecordAnswer>[]) {
  const given = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [first] = given;
  if (first !== undefined) return { given, first };
  const [failed] = answers;
  throw failed?.status === "rejected" ? failed.reason : new ToolError(msg("tool.given_up"));
}

/** An alias comes with each type that is queried. */
const withoutDoubles = (records: readonly FoundRecord[]): FoundRecord[] => [
  ...new Map(records.map((record) => [`${record.type} ${record.name} ${record.value}`, record])).values(),
];

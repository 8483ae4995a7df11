import { isIPv4, isIPv6 } from "node:net";
import type dnsPacket from "dns-packet";
import ipaddr from "ipaddr.js";

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
  const { type, data } = record as Asked;
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
type Asked = Extract<dnsPacket.Answer, { type: DnsType }>;

import { isIPv4, isIPv6 } from "node:net";
import type dnsPacket from "dns-packet";
import ipaddr from "ipaddr.js";

/** The types that can be asked for. */
export const DNS_TYPES = ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"] as const;
export type DnsType = (typeof DNS_TYPES)[number];

/** The name under which an address has its PTR record; null for what is no address, or asks for another type. */
export function reverseName(type: DnsType, name: string): string | null {
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

/** Of the types that can be asked for. */
type Asked = Extract<dnsPacket.Answer, { type: DnsType }>;

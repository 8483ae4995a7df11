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
  switch (record.type) {
    case "A":
    case "AAAA":
    case "CNAME":
    case "NS":
    case "PTR":
      return record.data;
    case "MX":
      return `${record.data.preference ?? 0} ${record.data.exchange}`;
    case "TXT":
      return [record.data].flat().map(String).join("");
    case "SRV":
      return `${record.data.priority ?? 0} ${record.data.weight ?? 0} ${record.data.port} ${record.data.target}`;
    case "CAA":
      return `${record.data.flags ?? 0} ${record.data.tag} ${record.data.value}`;
    case "SOA": {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [mname, rname, serial, refresh, retry, expire, minimum].join(" ");
    }
    default:
      return record.type;
  }
}

import type { RECORD_TYPES } from "../../wire/toolbox/dns-lookup.ts";

export type RecordType = (typeof RECORD_TYPES)[number];

/** What ANY asks for: name servers refuse that question itself (RFC 8482). */
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

/** A type as dns-packet calls it. */
export const packetType = (type: RecordType): string => BY_NUMBER[type] ?? type;

/** A type's own name, of what dns-packet calls it. */
export const typeName = (type: string): string => BY_NAME.get(type) ?? type;

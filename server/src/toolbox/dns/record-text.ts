import type dnsPacket from "dns-packet";
import { DNS_TYPES, recordText } from "../../check/dns-records.ts";
import { serviceBindingText } from "./service-binding.ts";

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
export function lookedUpText(record: dnsPacket.Answer): string | null {
  const { type, data } = record as { type: string; data: unknown };
  if (type === "UNKNOWN_64" || type === "UNKNOWN_65") return serviceBindingText(data as Buffer);
  if (type === "DNAME") return String(data as string);
  if (type in WRITERS) return WRITERS[type as keyof Writers](data as never);
  return KNOWN.has(type) ? recordText(record) : null;
}

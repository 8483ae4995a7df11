import { isIP } from "node:net";
import { type MessageDescriptor, msg } from "../i18n/message.ts";

/**
 * By the WHATWG URL standard: lower case, punycode, odd IPv4 forms as four numbers, no brackets or final dot.
 * Null for no host.
 */
export function normaliseHost(typed: string): string | null {
  const text = typed.trim();
  if (/[\s\p{Cc}/\\?#@%]/u.test(text)) return null;
  const isBracketed = text.startsWith("[") && text.endsWith("]");
  if (!isBracketed && /[[\]]/.test(text)) return null;
  const host = URL.parse(`http://${text.includes(":") && !isBracketed ? `[${text}]` : text}`)?.hostname;
  if (host === undefined || host === "") return null;
  const bare = host.startsWith("[") ? host.slice(1, -1) : host.replace(/\.$/, "");
  const labels = bare.split(".");
  const isTooLong = bare.length > 253 || labels.some((label) => label === "" || label.length > 63);
  return isTooLong && !bare.includes(":") ? null : bare;
}

/** RFC 6066 has no addresses there. */
export function serverNameProblem(typed: string): MessageDescriptor | null {
  const name = normaliseHost(typed);
  return name === null || isIP(name) !== 0 ? msg("host.server_name") : null;
}

export const hostProblem = (typed: string): MessageDescriptor | null =>
  normaliseHost(typed) === null ? msg("host.malformed") : null;

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Many checks may share one: read it, never change it. */
export interface Resolution {
  /** Every address known so far, in the order to try them. */
  addresses: readonly ResolvedAddress[];
  /** What the family that has not answered yet will bring, nothing if it fails; null when both have answered. */
  late: Promise<readonly ResolvedAddress[]> | null;
}

/** How a mail client calls itself where it has no name: the address of its own side of the connection (RFC 5321 §4.1.3). */
export function addressLiteral(ownAddress: string | undefined): string {
  const address = (ownAddress ?? "").replace(/%.*$/, "").replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (isIP(address) === 6) return `[IPv6:${address}]`;
  return `[${isIP(address) === 4 ? address : "127.0.0.1"}]`;
}

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
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

type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** An address or a network as typed; null for what is neither. IPv4 within IPv6 is IPv4. */
function parse(text: string): Network | null {
  const whole = text.trim();
  // Of IPv4 the library takes short and octal forms, which people read otherwise.
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]*)(?:\/\d{1,3})?$/i.test(whole)) return null;
  if (/(?:^|\.)0\d/.test(whole.split(":", 1)[0] ?? "")) return null;
  try {
    const [address, bits] = ipaddr.parseCIDR(whole.includes("/") ? whole : `${whole}/${sizeOf(whole)}`);
    if (address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96) {
      return [(address as ipaddr.IPv6).toIPv4Address(), bits - 96];
    }
    return [address, bits];
  } catch {
    return null;
  }
}

const sizeOf = (address: string): number => (address.includes(":") ? 128 : 32);

export const networkProblem = (text: string): MessageDescriptor | null =>
  parse(text) ? null : msg("page.network", { network: text.slice(0, 50) });

/** Networks as they are stored: each once, with its first address. */
export function normalNetworks(texts: readonly string[]): string[] {
  const networks = texts.flatMap((text) => {
    const network = parse(text);
    if (!network) return [];
    const [address, bits] = network;
    const range = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
    return `${range.networkAddressFromCIDR(`${address.toString()}/${bits}`)}/${bits}`;
  });
  return [...new Set(networks)];
}

/** Text that is no address is in none. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const bare = address.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(bare)) return false;
  const parsed = ipaddr.process(bare);
  return networks.some((text) => {
    const network = parse(text);
    if (!network || network[0].kind() !== parsed.kind()) return false;
    return parsed.match(network as never);
  });
}

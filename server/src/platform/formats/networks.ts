import ipaddr from "ipaddr.js";
import { type MessageDescriptor, msg } from "../i18n/message.ts";

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

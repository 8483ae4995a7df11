import ipaddr from "ipaddr.js";

/** What a client of IPv6 is given as a rule (RFC 6177, RFC 7934): all of it is one client. */
const CLIENT_PREFIX_BITS = 64;
/** What a site is given at most (RFC 6177). */
const SITE_PREFIX_BITS = 48;

/**
 * The address by which a stranger is counted: IPv4 as it is, also within IPv6; of IPv6 the /64, since
 * whoever has one address has 2^64. Text that is no address counts as itself.
 */
export const clientNetwork = (address: string): string => networkOf(address, CLIENT_PREFIX_BITS);

/** The /48 of such a network of IPv6, which one site may have all of; of IPv4 the address. */
export const siteOfNetwork = (network: string): string =>
  networkOf(network.replace(/\/\d+$/, ""), SITE_PREFIX_BITS);

function networkOf(address: string, bits: number): string {
  const bare = address.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits}`)}/${bits}`;
}

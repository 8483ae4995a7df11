import { isIP } from "node:net";

/** How a mail client calls itself where it has no name: the address of its own side of the connection (RFC 5321 §4.1.3). */
export function addressLiteral(ownAddress: string | undefined): string {
  const address = (ownAddress ?? "").replace(/%.*$/, "").replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (isIP(address) === 6) return `[IPv6:${address}]`;
  return `[${isIP(address) === 4 ? address : "127.0.0.1"}]`;
}

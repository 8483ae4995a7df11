import dgram from "node:dgram";
import type { ResolvedAddress } from "../check/address.ts";

/** Nothing is sent: any port will do. */
const PORT = 9;

/**
 * The first of these that the system knows a way to, or undefined: where a machine has no IPv6, the rest of a host's addresses
 * still can be reached. Sends nothing.
 */
export async function withWay(addresses: readonly ResolvedAddress[]): Promise<ResolvedAddress | undefined> {
  for (const address of addresses) if (await hasWay(address)) return address;
  return undefined;
}

/** To connect a socket for datagrams only looks the way up. */
function hasWay({ address, family }: ResolvedAddress): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = dgram.createSocket({
    type: family === 6 ? "udp6" : "udp4",
    // Asked for the address to bind to as well. There are no names.
    lookup: (asked, _options, found) => found(null, asked, family),
  });
  socket.once("connect", () => resolve(true));
  socket.on("error", () => resolve(false));
  socket.connect(PORT, address);
  return promise.finally(() => socket.close());
}

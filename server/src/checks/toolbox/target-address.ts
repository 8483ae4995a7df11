import dgram from "node:dgram";
import { isIP } from "node:net";
import { normaliseHost, type ResolvedAddress } from "../../platform/formats/host.ts";
import { msg } from "../../platform/i18n/message.ts";
import { findAddresses } from "../network.ts";
import { classOf, type Reason } from "../reasons.ts";
import { type ToolEnvironment, ToolError } from "./tool.ts";

/** A target, and the address of it that the guard approved: that one is contacted, and the name is not resolved again. */
export interface Target extends ResolvedAddress {
  /** As the URL standard writes it, without brackets. */
  host: string;
}

/** Looks a target up. Throws ToolError, which names the field that it was given in. */
export async function targetAddress(
  typed: string,
  field: string,
  environment: ToolEnvironment,
): Promise<Target> {
  const host = normaliseHost(typed);
  if (host === null) throw new ToolError(msg("host.malformed"), field);
  const { network, signal } = environment;
  const { promise, resolve, reject } = Promise.withResolvers<ResolvedAddress>();
  const give = () => reject(signal.reason);
  signal.addEventListener("abort", give, { once: true });
  findAddresses(
    { host, literal: isIP(host) !== 0, network, resolveSinceMs: undefined, fault: reject },
    () => {},
    (approved, late) => void reachable(approved, late).then(resolve, reject),
    (reason) => reject(new ToolError(reason, field)),
  );
  try {
    return { host, ...(await promise) };
  } finally {
    signal.removeEventListener("abort", give);
  }
}

/** The first that there is a way to; where there is none to any, the first. */
async function reachable(
  approved: readonly ResolvedAddress[],
  late: Promise<readonly ResolvedAddress[]> | null,
): Promise<ResolvedAddress> {
  const found = (await withWay(approved)) ?? (await withWay((await late) ?? []));
  return found ?? (approved[0] as ResolvedAddress);
}

/** Nothing is sent: any port will do. */
const PORT = 9;

/** Or undefined. Where a machine has no IPv6, a host's other addresses can still be reached. Sends nothing. */
async function withWay(addresses: readonly ResolvedAddress[]): Promise<ResolvedAddress | undefined> {
  for (const address of addresses) if (await hasWay(address)) return address;
  return undefined;
}

/** To connect a socket for datagrams only looks the way up. */
function hasWay({ address, family }: ResolvedAddress): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = dgram.createSocket({
    type: family === 6 ? "udp6" : "udp4",
    // Also called for the address to bind to. There are no names.
    lookup: (requestedAddress, _options, found) => found(null, requestedAddress, family),
  });
  socket.once("connect", () => resolve(true));
  socket.on("error", () => resolve(false));
  socket.connect(PORT, address);
  return promise.finally(() => socket.close());
}

const NOT_CONNECTED = new Set<string>(["dns", "guard", "refused", "unreachable"]);
const NOT_CONNECTED_IN_TIME = new Set<string>(["timeout.dns", "timeout.connect", "timeout.unanswered"]);

/** Whether a request got nowhere at all, so that there is nothing of it to show. */
export const isNotConnected = (reason: Reason | null): boolean =>
  reason !== null && (NOT_CONNECTED.has(classOf(reason)) || NOT_CONNECTED_IN_TIME.has(reason.code));

const CALLERS_MISTAKES = new Set<string>(["dns.missing", "dns.not_public", "dns.empty"]);

/** Why nothing was found out: a host that must not be contacted, or that does not exist, is the caller's mistake; silence is not. */
export function unreached(reason: Reason | null, field: string): ToolError {
  if (reason === null) return new ToolError(msg("tool.given_up"));
  const isUnfit = classOf(reason) === "guard" || CALLERS_MISTAKES.has(reason.code);
  return new ToolError(reason, isUnfit ? field : undefined);
}

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { type MessageDescriptor, msg, type ParamsOf } from "../platform/i18n/message.ts";
import type { Reason } from "./reasons.ts";

/** `all`: anything but link-local and cloud metadata addresses; `public`: loopback and private ranges are refused too. */
export type TargetPolicy = "all" | "public";

export class GuardError extends Error {
  readonly reason: Reason;

  constructor(address: string, why: Refusal) {
    const reason =
      why.inner === undefined
        ? msg("guard", { ...why, address })
        : msg("guard.embedded", { ...why, inner: why.inner, address });
    super(reason.code);
    this.name = "GuardError";
    this.reason = reason;
  }
}

/** Why an address is refused; `inner`: because of the one embedded in it. */
type Refusal = Pick<ParamsOf<"guard">, "why" | "range"> & { inner?: string };

/** Services of clouds that hand out credentials or configuration to any client inside. */
const METADATA = new Set([
  "169.254.169.254", // AWS, Azure, Google, DigitalOcean, Oracle, …
  "100.100.100.200", // Alibaba
  "168.63.129.16", // Azure
  "192.0.0.192", // Oracle
  "fd00:ec2::254", // AWS
  "fd20:ce::254", // Google
  "fd00:c1::a9fe:a9fe", // Oracle
]);

/** By ipaddr.js' names of ranges. */
const REFUSED_ALWAYS: Record<string, Refusal> = {
  linkLocal: { why: "link_local" },
  unspecified: { why: "unspecified" },
  multicast: { why: "multicast" },
  broadcast: { why: "broadcast" },
};

const RANGES: Record<string, Refusal["range"]> = {
  loopback: "loopback",
  private: "private",
  uniqueLocal: "unique_local",
  carrierGradeNat: "carrier_grade_nat",
};

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const NAT64_LOCAL = ipaddr.IPv6.parseCIDR("64:ff9b:1::/48");
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR("2002::/16");
const TEREDO = ipaddr.IPv6.parseCIDR("2001::/32");
const COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");
const TRANSLATED = ipaddr.IPv6.parseCIDR("::ffff:0:0:0/96");

/** The IPv4 address embedded in an IPv6 one, if there is one (RFC 4291, 3056, 6052, 4380, 8215). */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  const at = (from: number) => new ipaddr.IPv4(bytes.slice(from, from + 4));
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(SIX_TO_FOUR)) return at(2);
  if (address.match(NAT64) || address.match(NAT64_LOCAL) || address.match(TRANSLATED)) return at(12);
  if (address.match(TEREDO)) return new ipaddr.IPv4(bytes.slice(12, 16).map((byte) => byte ^ 0xff));
  // `::` and `::1` are addresses of their own, not 0.0.0.0 and 0.0.0.1.
  if (
    address.match(COMPATIBLE) &&
    at(12)
      .toByteArray()
      .some((byte, index) => byte > 0 && index < 3)
  )
    return at(12);
  return null;
}

function whyNotPublic(address: ipaddr.IPv4 | ipaddr.IPv6, inner: ipaddr.IPv4 | null): Refusal | null {
  const range = address.range();
  const refusal: Refusal = { why: "not_public", range: RANGES[range] ?? "reserved" };
  if (address.kind() === "ipv4") return range === "unicast" ? null : refusal;
  const v6 = address as ipaddr.IPv6;
  const isPublic =
    inner === null
      ? range === "unicast" && v6.match(GLOBAL_UNICAST)
      : v6.isIPv4MappedAddress() || v6.match(NAT64) || v6.match(SIX_TO_FOUR);
  return isPublic ? null : refusal;
}

function whyRefused(address: ipaddr.IPv4 | ipaddr.IPv6, policy: TargetPolicy): Refusal | null {
  if (METADATA.has(address.toString())) return { why: "metadata" };
  const always = REFUSED_ALWAYS[address.range()];
  if (always !== undefined) return always;
  const inner = address.kind() === "ipv6" ? embedded(address as ipaddr.IPv6) : null;
  if (inner !== null) {
    const why = whyRefused(inner, policy);
    if (why !== null) return { ...why, inner: inner.toString() };
  }
  return policy === "public" ? whyNotPublic(address, inner) : null;
}

function decide(address: string, policy: TargetPolicy): Refusal | null {
  const bare = address.split("%", 1)[0] ?? "";
  return ipaddr.isValid(bare) ? whyRefused(ipaddr.parse(bare), policy) : { why: "no_address" };
}

/** Decisions already taken: the same few addresses come up at every check. */
const decisions = { all: new Map<string, Refusal | null>(), public: new Map<string, Refusal | null>() };
const MAX_CACHED_DECISIONS = 20_000;

/**
 * Throws GuardError unless the address may be contacted. To be called with the very
 * address that is then connected to, never with a name. IPv4 inside IPv6 is treated as IPv4.
 */
export function assertAllowed(address: string, policy: TargetPolicy): void {
  const known = decisions[policy];
  let why = known.get(address);
  if (why === undefined) {
    why = decide(address, policy);
    if (known.size >= MAX_CACHED_DECISIONS) known.clear();
    known.set(address, why);
  }
  if (why !== null) throw new GuardError(address, why);
}

/** Whether anybody may contact this address, whatever the policy here. */
export function isPublicAddress(address: string): boolean {
  try {
    assertAllowed(address, "public");
    return true;
  } catch {
    return false;
  }
}

/**
 * Throws GuardError when a URL's host must not be contacted and that is plain without resolving it: an address
 * literal, or a name that always means this machine (RFC 6761 §6.3). `host` is as the URL standard writes it, so that
 * all spellings of an address are the same. Other names are checked by their addresses, once these are known.
 */
function assertHostAllowed(host: string, policy: TargetPolicy): void {
  const bare = host.startsWith("[") ? host.slice(1, -1) : host.replace(/\.$/, "").toLowerCase();
  if (isIP(bare) !== 0) return assertAllowed(bare, policy);
  if (bare !== "localhost" && !bare.endsWith(".localhost")) return;
  const why = decide("127.0.0.1", policy);
  if (why !== null) throw new GuardError(bare, why);
}

/** Why a host must not be checked; null when it may be, or when its addresses will decide at each check. */
export function hostProblem(host: string, policy: TargetPolicy): MessageDescriptor | null {
  try {
    assertHostAllowed(host, policy);
    return null;
  } catch (error) {
    if (error instanceof GuardError) return error.reason;
    throw error;
  }
}

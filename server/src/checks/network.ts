import type { Resolution, ResolvedAddress } from "../platform/formats/host.ts";
import { msg } from "../platform/i18n/message.ts";
import { type Fault, guarded } from "./deadline.ts";
import { assertAllowed, type GuardError, type TargetPolicy } from "./guard.ts";
import { noPublicAddress, type Reason, shownHost } from "./reasons.ts";
import { ResolveError, type Resolver } from "./resolve.ts";

/** What a check may use of the network: name resolution and the rule about targets (VEDETTE_TARGETS). */
export interface Network {
  resolver: Resolver;
  policy: TargetPolicy;
  /** Only what this machine's own configuration names is contacted, which needs no approval. */
  isOwn?: true;
  /** The machine's name servers at this moment, `address` or `address:port`. */
  nameServers?: () => readonly string[];
  /** How checks call themselves to mail servers (EHLO); absent: by the address of their side of the connection. */
  ehloName?: string | undefined;
  /** Certificates (PEM) trusted beside the runtime's own and NODE_EXTRA_CA_CERTS. */
  ca?: readonly string[];
}

export interface HostLookup {
  /** Name or IP literal, without brackets. */
  host: string;
  /** Whether `host` is a literal: then there is nothing to resolve. */
  literal: boolean;
  network: Network;
  /** Names are resolved again unless that was done since; `performance.now`. */
  resolveSinceMs: number | undefined;
  fault: Fault;
}

/** What may be connected to. Called once, never synchronously, unless the search fails. */
type AddressesFound = (
  addresses: readonly ResolvedAddress[],
  late: Promise<readonly ResolvedAddress[]> | null,
) => void;

/**
 * Resolves a name and guards its addresses, late ones too: only those given to `found` may be contacted.
 * Calls `found` or `failed`; `resolved` before that, when a name has been looked up.
 */
export function findAddresses(
  lookup: HostLookup,
  resolved: () => void,
  found: AddressesFound,
  failed: (reason: Reason) => void,
): void {
  const { host, literal, network, resolveSinceMs, fault } = lookup;
  if (literal) {
    const address: ResolvedAddress = { address: host, family: host.includes(":") ? 6 : 4 };
    const resolution: Resolution = { addresses: [address], late: null };
    queueMicrotask(guarded(fault, () => approve(lookup, resolution, found, failed)));
    return;
  }
  const answered = (resolution: Resolution) => {
    resolved();
    approve(lookup, resolution, found, failed);
  };
  const unanswered = (error: unknown) => {
    resolved();
    failed(unresolved(lookup, error));
  };
  network.resolver.resolve(host, resolveSinceMs).then(guarded(fault, answered), guarded(fault, unanswered));
}

function unresolved({ host, network }: HostLookup, error: unknown): Reason {
  const name = shownHost(host);
  if (!(error instanceof ResolveError)) return msg("dns.unresolved", { host: name });
  if (error.code === "nxdomain" && network.policy === "public") return noPublicAddress(name);
  return msg(UNRESOLVED[error.code], { host: name });
}

const UNRESOLVED = {
  nxdomain: "dns.missing",
  timeout: "dns.silent",
  servfail: "dns.servfail",
  refused: "dns.refused",
} as const;

function approve(
  { host, literal, network, fault }: HostLookup,
  { addresses, late }: Resolution,
  found: AddressesFound,
  failed: (reason: Reason) => void,
): void {
  let refusal = null as GuardError | null;
  const approvedOf = (all: readonly ResolvedAddress[]) =>
    all.filter(({ address }) => {
      try {
        if (!network.isOwn) assertAllowed(address, network.policy);
        return true;
      } catch (error) {
        refusal ??= error as GuardError;
        return false;
      }
    });
  const begin = (approved: ResolvedAddress[], more: Promise<ResolvedAddress[]> | null) => {
    if (approved.length > 0) return found(approved, more);
    const goOn = guarded(fault, (those: ResolvedAddress[]) => begin(those, null));
    if (more !== null) return void more.then(goOn, fault);
    if (!literal && network.policy === "public") return failed(noPublicAddress(shownHost(host)));
    failed(refusal === null ? msg("dns.empty", { host: shownHost(host) }) : refusal.reason);
  };
  begin(approvedOf(addresses), late?.then(approvedOf) ?? null);
}

declare module "../platform/context.ts" {
  interface Context {
    network: Network;
  }
}

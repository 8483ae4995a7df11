import type { TargetPolicy } from "./guard.ts";
import type { Resolver } from "./resolve.ts";

/** What a check may use of the network: name resolution and the rule about targets (VEDETTE_TARGETS). */
export interface Network {
  resolver: Resolver;
  policy: TargetPolicy;
}

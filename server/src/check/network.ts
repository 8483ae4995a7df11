import type { TargetPolicy } from "./guard.ts";
import type { Resolver } from "./resolve.ts";

/** What a check may use of the network: name resolution and the rule about targets (VEDETTE_TARGETS). */
export interface Network {
  resolver: Resolver;
  policy: TargetPolicy;
  /** Only what this machine's own configuration names is contacted, and that needs nobody's approval. */
  isOwn?: true;
  /** The machine's name servers at this moment, `address` or `address:port`. */
  nameServers?: () => readonly string[];
  /** How checks call themselves to mail servers (EHLO); absent: by the address of their side of the connection. */
  ehloName?: string | undefined;
  /** Certificates (PEM) trusted beside the runtime's own and NODE_EXTRA_CA_CERTS. */
  ca?: readonly string[];
}

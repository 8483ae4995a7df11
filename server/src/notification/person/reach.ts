import type { Network } from "../../check/network.ts";

/** What an address that somebody gives may lead to: visitors, and people who may only look on, reach nothing inside the network. */
export const reachOf = (network: Network, { isMember }: { isMember: boolean }): Network =>
  isMember ? network : { ...network, policy: "public" };

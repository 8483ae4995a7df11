import type { Network } from "../../check/network.ts";

/** What an address of a person's own may lead to: who may only look on reaches nothing inside the network. */
export const reachOf = (network: Network, { isMember }: { isMember: boolean }): Network =>
  isMember ? network : { ...network, policy: "public" };

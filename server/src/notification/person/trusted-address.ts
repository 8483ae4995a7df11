import type { Network } from "../../check/network.ts";
import type { Config } from "../../config.ts";

/** Where anybody may sign up, they may do so with anybody's address; elsewhere, whoever runs the installation let them in. */
export const requiresConfirmedAddress = ({ signup }: Pick<Config, "signup">): boolean => signup === "open";

/** Whether who is written to by a channel has to say first that they want it. */
export const isWaiting = (
  config: Pick<Config, "signup">,
  { confirmedAt, userId }: { confirmedAt: number | null; userId: number | null },
): boolean => confirmedAt === null && (userId === null || requiresConfirmedAddress(config));

/** What an address that somebody gives may lead to: visitors, and people who may only look on, reach nothing inside the network. */
export const reachOf = (network: Network, { isMember }: { isMember: boolean }): Network =>
  isMember ? network : { ...network, policy: "public" };

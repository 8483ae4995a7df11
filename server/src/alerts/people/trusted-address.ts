import type { Network } from "../../checks/network.ts";
import type { Config } from "../../platform/config.ts";

/** With open sign-up an account may have any address; elsewhere, the operator has let its owner in. */
export const requiresConfirmedAddress = ({ signup }: Pick<Config, "signup">): boolean => signup === "open";

/** Whether who is written to by a channel has to say first that they want it. */
export const isWaiting = (
  config: Pick<Config, "signup">,
  { confirmedAt, userId }: { confirmedAt: number | null; userId: number | null },
): boolean => confirmedAt === null && (userId === null || requiresConfirmedAddress(config));

/** What an address from a user may lead to: visitors and viewers reach nothing inside the network. */
export const reachOf = (network: Network, { isMember }: { isMember: boolean }): Network =>
  isMember ? network : { ...network, policy: "public" };

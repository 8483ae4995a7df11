import type { Config } from "../../config.ts";

/** Where anybody may sign up, they may do so with anybody's address; elsewhere, whoever runs the installation let them in. */
export const requiresConfirmedAddress = ({ signup }: Pick<Config, "signup">): boolean => signup === "open";

/** Whether who is written to by a channel has to say first that they want it. */
export const isWaiting = (
  config: Pick<Config, "signup">,
  { confirmedAt, userId }: { confirmedAt: number | null; userId: number | null },
): boolean => confirmedAt === null && (userId === null || requiresConfirmedAddress(config));

import type { Config } from "../../config.ts";

/** Which mailboxes are told at all. */
export interface Mailing {
  /** The installation sends mail. */
  mails: boolean;
  /** People's own ones wait until they are known to be theirs. */
  asksPeople: boolean;
}

/** Where anybody may sign up, they may do so with anybody's address; elsewhere, whoever runs the installation let them in. */
export const asksPeople = ({ signup }: Pick<Config, "signup">): boolean => signup === "open";

export const mailingOf = (config: Pick<Config, "smtp" | "signup">): Mailing => ({
  mails: config.smtp !== null,
  asksPeople: asksPeople(config),
});

/** Whether who is written to by a channel has to say first that they want it. */
export const isWaiting = (
  config: Pick<Config, "signup">,
  { confirmedAt, userId }: { confirmedAt: number | null; userId: number | null },
): boolean => confirmedAt === null && (userId === null || asksPeople(config));

import type { Channel } from "../../store/queries/channels.ts";

/** Whose mailbox a channel of the organization writes to gets no mail of their own beside it. */
export function withoutSecondMails<T extends { channel: Channel }>(wanting: readonly T[]): T[] {
  const mailboxes = wanting.filter(({ channel }) => channel.type === "email" && channel.userId === null);
  const shared = new Set(mailboxes.map(({ channel }) => channel.target.toLowerCase()));
  return wanting.filter(
    ({ channel: { userId, type, target } }) =>
      userId === null || type !== "email" || !shared.has(target.toLowerCase()),
  );
}

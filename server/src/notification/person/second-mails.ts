import type { Severity } from "../../incident/states.ts";
import type { Channel } from "../../store/queries/channels.ts";
import { areSentAt } from "../channel/hours.ts";

/** A channel that wants to be told of a monitor. */
interface Wanting {
  channel: Channel;
  monitor: { severity: Severity };
  /** It was told, or is to be, what this goes on with. */
  goesOn: boolean;
}

/**
 * Whose mailbox a channel of the organization writes to gets no mail of their own beside it, unless that channel has to wait
 * for its hours; what their own channel has begun to tell, it tells to its end.
 */
export function withoutSecondMails<T extends Wanting>(wanting: readonly T[], now: number): T[] {
  const mailboxes = wanting.filter(
    (one) => one.channel.type === "email" && one.channel.userId === null && isSentNow(one, now),
  );
  const shared = new Set(mailboxes.map(({ channel }) => channel.target.toLowerCase()));
  return wanting.filter(
    ({ channel: { userId, type, target }, goesOn }) =>
      userId === null || type !== "email" || goesOn || !shared.has(target.toLowerCase()),
  );
}

const isSentNow = ({ channel: { hours, timeZone }, monitor }: Wanting, now: number): boolean =>
  hours === null || monitor.severity === "critical" || areSentAt(hours, now, timeZone);

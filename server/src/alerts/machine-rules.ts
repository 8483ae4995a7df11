import {
  type Alert,
  type AlertInput,
  type Condition,
  concerning,
  isEndFor,
  type Member,
  type Notification,
  type Policy,
  type Post,
  passesQuietHours,
  remindedOf,
  type Said,
  type Stepped,
  unsentOf,
  wasRefused,
} from "./alert.ts";

/* Rules of machine channels: they are sent each event by itself, in order. */

/** One event of one monitor, as it happens. */
export function enqueueEvent(
  alert: Alert,
  { monitorId, condition, isWanted }: Extract<AlertInput, { type: "happened" }>,
  policy: Policy,
  now: number,
): Stepped {
  const member = alert.members.find((one) => one.monitorId === monitorId);
  if (policy.reader !== "machine" || policy.delivery !== "on" || !member) return { alert, notifications: [] };
  const queued = member.queued ?? "ok";
  const isEnd = condition === "ok";
  const isSent = isEnd ? queued !== "ok" : isWanted && condition !== queued;
  // It wants no ends: what it was sent is over without one, and the next outage is another.
  if (isEnd && !isEndFor(member, member))
    return { alert: withMember(alert, { ...member, queued: null }), notifications: [] };
  const isHeld = !isEnd && member.severity !== "critical" && policy.quietUntil(now) !== null;
  if (!isSent || isHeld) return { alert, notifications: [] };
  return {
    alert: withMember(alert, withQueued(member, condition)),
    notifications: [machineEvent({ ...member, condition })],
  };
}

const withMember = (alert: Alert, changed: Member): Alert => ({
  ...alert,
  members: alert.members.map((one) => (one.monitorId === changed.monitorId ? changed : one)),
});

const withQueued = (member: Member, condition: Condition): Member => ({
  ...member,
  queued: condition,
  notifiedSince: (member.queued ?? "ok") === "ok" ? member.since : member.notifiedSince,
});

/** Whether the outbox has not been given what is so. */
export const isUnqueued = (member: Member): boolean => {
  const now = concerning(member);
  const isHeld = now !== "ok" && (member.heldBy !== null || member.isUnknown === true);
  return now !== (member.queued ?? "ok") && !isHeld;
};

/**
 * An event that was given up is in the outbox once more: the alert with that; null where it is not what the machine lacks any more.
 * `at`: when it happened.
 */
export function requeueEvent(
  alert: Alert,
  { says, postId, at }: { says: readonly Said[]; postId: number | undefined; at: number },
  policy: Policy,
): Alert | null {
  const [said] = says;
  if (postId !== undefined) {
    const isIt = ({ eventId, isQueued }: Post) => eventId === postId && !isQueued;
    const posts = alert.posts.map((post) => (isIt(post) ? { ...post, isQueued: true } : post));
    return alert.posts.some(isIt) ? { ...alert, posts } : null;
  }
  if (!said) return remindedOf(alert, policy).length > 0 ? alert : null;
  const isIt = (one: Member) =>
    one.monitorId === said.monitorId &&
    isUnqueued(one) &&
    concerning(one) === said.condition &&
    (said.condition === "ok" || one.since <= at);
  const member = alert.members.find(isIt);
  return member ? withMember(alert, withQueued(member, said.condition)) : null;
}

/** What was given up, or came while the channel was off: as it is now. What people wrote, and reminders. */
export function sendQueue(alert: Alert, policy: Policy, now: number): Stepped {
  const isQuiet = policy.quietUntil(now) !== null;
  const due = alert.members.filter((one) => isUnqueued(one) && (!isQuiet || passesQuietHours(one)));
  const open = unsentOf(alert.posts).filter(({ isUrgent }) => isUrgent || !isQuiet);
  const fresh = open.filter((post) => !wasRefused(post));
  const unsent = due.length + fresh.length > 0 ? fresh : open.slice(0, 1);
  const isReminder = due.length === 0 && unsent.length === 0;
  const said = isReminder ? remindedOf(alert, policy) : due;
  const members = alert.members.map((one) => (due.includes(one) ? withQueued(one, concerning(one)) : one));
  const notifications = said.map((member) => ({ ...machineEvent(member), isReminder }));
  const posted = unsent.map((post) => ({ ...machineEvent(null), posts: [post] }));
  const posts = alert.posts.map((post) => (unsent.includes(post) ? { ...post, isQueued: true } : post));
  const sent = { ...alert, members, posts, lastSentAt: isReminder ? now : alert.lastSentAt };
  return { alert: sent, notifications: [...notifications, ...posted] };
}

const machineEvent = (member: Member | null): Notification => {
  const isOver = member !== null && concerning(member) === "ok";
  return {
    isReminder: false,
    current: member && !isOver ? [member] : [],
    recovered: member && isOver ? [member] : [],
    missed: [],
    held: [],
    posts: [],
  };
};

import {
  type Alert,
  type AlertEvent,
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
} from "./alert.ts";

/* Rules of machine channels: they are sent each event by itself, in order. */

/** One event of one monitor, as it happens. */
export function enqueueEvent(
  alert: Alert,
  { eventId, monitorId, condition, isWanted }: Extract<AlertEvent, { type: "happened" }>,
  policy: Policy,
  now: number,
): Stepped {
  const member = alert.members.find((one) => one.monitorId === monitorId);
  if (policy.reader !== "machine" || !policy.isActive || !member) return { alert, notifications: [] };
  const queued = member.queued ?? "ok";
  const isEnd = condition === "ok";
  const isSent = isEnd ? queued !== "ok" : isWanted && condition !== queued;
  // It wants no ends: what it was sent is over without one, and the next outage is another.
  if (isEnd && !isEndFor(member, member)) {
    const members = alert.members.map((one) => (one === member ? { ...one, queued: null } : one));
    return { alert: { ...alert, members }, notifications: [] };
  }
  const isHeld = !isEnd && member.severity !== "critical" && policy.quietUntil(now) !== null;
  if (!isSent || isHeld) return { alert, notifications: [] };
  const began = queued === "ok" ? { notifiedSince: member.since } : {};
  const members = alert.members.map((one) =>
    one === member ? { ...one, ...began, queued: condition } : one,
  );
  const notification = machineEvent(`${eventId}`, { ...member, condition });
  return {
    alert: { ...alert, members },
    notifications: [notification],
  };
}

/** Whether the outbox has not been given what is so. */
export const isUnqueued = (member: Member): boolean => {
  const now = concerning(member);
  return now !== (member.queued ?? "ok") && (now === "ok" || member.heldBy === null);
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
  if (!said) return alert.acknowledgedAt === null && remindedOf(alert, policy).length > 0 ? alert : null;
  const isIt = (one: Member) =>
    one.monitorId === said.monitorId &&
    isUnqueued(one) &&
    concerning(one) === said.condition &&
    (said.condition === "ok" || one.since <= at);
  if (!alert.members.some(isIt)) return null;
  const members = alert.members.map((one) => {
    const began = (one.queued ?? "ok") === "ok" ? { notifiedSince: one.since } : {};
    return isIt(one) ? { ...one, ...began, queued: said.condition } : one;
  });
  return { ...alert, members };
}

/** What was given up, or came while the channel was off: as it is now. What people wrote, and reminders. */
export function sendQueue(alert: Alert, deliveryId: string, policy: Policy, now: number): Stepped {
  const isQuiet = policy.quietUntil(now) !== null;
  const due = alert.members.filter((one) => isUnqueued(one) && (!isQuiet || passesQuietHours(one)));
  const unsent = unsentOf(alert.posts).filter(({ isUrgent }) => isUrgent || !isQuiet);
  const isReminder = due.length === 0 && unsent.length === 0;
  const said = isReminder ? remindedOf(alert, policy) : due;
  const members = alert.members.map((one) => {
    const began = (one.queued ?? "ok") === "ok" ? { notifiedSince: one.since } : {};
    return due.includes(one) ? { ...one, ...began, queued: concerning(one) } : one;
  });
  const notifications = said.map((member) => ({
    ...machineEvent(`${deliveryId}-${member.monitorId}`, member),
    isReminder,
  }));
  const posted = unsent.map((post) => ({ ...machineEvent(`${post.eventId}`, null), posts: [post] }));
  const posts = alert.posts.map((post) => (unsent.includes(post) ? { ...post, isQueued: true } : post));
  const sent = { ...alert, members, posts, lastSentAt: isReminder ? now : alert.lastSentAt };
  return { alert: sent, notifications: [...notifications, ...posted] };
}

const machineEvent = (deliveryId: string, member: Member | null): Notification => {
  const isOver = member !== null && concerning(member) === "ok";
  return {
    ...{ deliveryId, isReminder: false, missed: [], held: [], posts: [] },
    current: member && !isOver ? [member] : [],
    recovered: member && isOver ? [member] : [],
  };
};

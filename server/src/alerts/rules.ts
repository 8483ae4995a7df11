import type { Severity } from "../incident/states.ts";
import type {
  Alert,
  AlertEvent,
  AlertReason,
  Condition,
  Member,
  Notification,
  Observed,
  Policy,
  Sending,
  Stepped,
} from "./alert.ts";

/*
 * Who is notified of what, and when. An alert is what one channel knows of one incident: `step` takes what happened and
 * returns the alert as it is then, with what is to be sent. Nothing else decides about notifications. A notification says
 * what is so when it is sent, and counts as received only once the other side has acknowledged it; whatever the channel
 * was told and is no longer so, or is so and it was not told, makes the next one. Times are in milliseconds.
 */

const SEVERITY_RANK: Readonly<Record<Severity, number>> = { critical: 3, high: 2, medium: 1, low: 0 };

/** The alert after an event, and what is to be sent. Pure: the same arguments give the same answer. */
export function step(alert: Alert, event: AlertEvent, policy: Policy, now: number): Stepped {
  switch (event.type) {
    case "observed":
      return quietly(observe(alert, event, policy, now), policy, now);
    case "happened":
      return enqueueEvent(alert, event, policy, now);
    case "posted":
      return quietly({ ...alert, posts: [...alert.posts, event.post] }, policy, now);
    case "delivered":
      return quietly(applyDelivered(alert, event, policy, now), policy, now);
    case "failed":
      return quietly(applyFailed(alert, event, policy), policy, now);
    case "policy":
      return quietly(alert, policy, now);
    case "time":
      return send(alert, event.deliveryId, policy, now);
  }
}

const quietly = (alert: Alert, policy: Policy, now: number): Stepped => ({
  alert: schedule(alert, policy, now),
  notifications: [],
});

// What is so, and what of it the channel does not know.

function observe(
  alert: Alert,
  { members, acknowledgedAt }: Extract<AlertEvent, { type: "observed" }>,
  policy: Policy,
  now: number,
): Alert {
  const before = new Map(alert.members.map((member) => [member.monitorId, member]));
  const isQuiet = policy.quietUntil(now) !== null;
  const next = members.map((one): Member => {
    const known = before.get(one.monitorId);
    const { notifiedAt = null, queued = null } = known ?? {};
    const isForgotten = one.isUnwatched && policy.reader === "people";
    const notified = isForgotten ? null : (known?.notified ?? null);
    const missed = known && !isForgotten ? missedOf(known, one, { now, isQuiet }) : null;
    return { ...one, notified, notifiedAt, queued, missed };
  });
  return { ...alert, members: next, acknowledgedAt };
}

/** What goes by in quiet hours without a notification is mentioned when they end. */
function missedOf(
  known: Member,
  one: Observed,
  { now, isQuiet }: { now: number; isQuiet: boolean },
): Member["missed"] {
  const wasWrong = isDue(known) && known.notified === null && known.condition !== "ok";
  const isOver = one.condition === "ok" && isQuiet && wasWrong;
  return isOver ? { condition: known.condition, since: known.since, until: now } : known.missed;
}

/** The condition as far as it concerns the channel. */
const concerning = ({ condition, isWanted, isFollowed, isUnwatched, notified }: Member): Condition => {
  if (isUnwatched) return "ok";
  if (isWanted) return condition;
  return isFollowed && notified !== null && notified !== "ok" ? condition : "ok";
};

const believes = ({ notified }: Member): Condition => notified ?? "ok";

/** Whether the channel believes something about it that is not so. What is held back is not announced, but its end is. */
function isDue(member: Member): boolean {
  const now = concerning(member);
  if (now === believes(member)) return false;
  return now === "ok" || member.heldBy === null;
}

const isRecovery = (member: Member): boolean => concerning(member) === "ok" && believes(member) !== "ok";

// When it is to be sent.

function schedule(alert: Alert, policy: Policy, now: number): Alert {
  const due = policy.reader === "machine" ? alert.members.filter(isUnqueued) : alert.members.filter(isDue);
  const state = stateOf(alert.members);
  const hasMissed = alert.members.some(({ missed }) => missed !== null);
  const isAnything = due.length > 0 || alert.posts.length > 0 || hasMissed;
  const dueSince = isAnything ? (alert.dueSince ?? now) : null;
  const next = { ...alert, state, dueSince };
  if (!policy.isActive) return { ...next, nextAt: null, reason: "inactive" };
  if (alert.sending) return { ...next, nextAt: null, reason: "sending" };
  if (!isAnything) return { ...next, ...remindAt(next, policy) };
  const wanted = dueAt(next, due, policy, now);
  const at = Math.max(wanted.at, alert.retryAt ?? 0);
  return { ...next, nextAt: at, reason: at > wanted.at ? "failing" : wanted.reason };
}

/** When something is to be sent, and what it waits for. */
function dueAt(
  alert: Alert,
  due: readonly Member[],
  policy: Policy,
  now: number,
): { at: number; reason: AlertReason | null } {
  const { at, reason } = groupedAt(alert, due, policy, now);
  const passes = due.some(passesQuietHours) || alert.posts.some(({ isUrgent }) => isUrgent);
  const quietUntil = passes ? null : policy.quietUntil(Math.max(at, now));
  return quietUntil === null ? { at, reason } : { at: quietUntil, reason: "quiet_hours" };
}

/** Critical problems, and the end of what the channel was notified of. */
const passesQuietHours = (member: Member): boolean => member.severity === "critical" || isRecovery(member);

/** A first alarm, a graver one, what a person wrote and the end of everything do not wait; the rest comes together. */
function groupedAt(
  alert: Alert,
  due: readonly Member[],
  { groupWaitMs, groupIntervalMs, reader }: Policy,
  now: number,
): { at: number; reason: AlertReason | null } {
  const since = alert.dueSince ?? now;
  const known = alert.members.filter((member) => believes(member) !== "ok");
  if (reader === "machine" || alert.posts.length > 0) return { at: since, reason: null };
  if (known.length === 0 || alert.lastSentAt === null) return { at: since + groupWaitMs, reason: null };
  const isGraver = due.some((one) => !isRecovery(one) && rankOf(one) > Math.max(...known.map(rankOf)));
  const isOver = known.every(isRecovery);
  if (isGraver || isOver) return { at: since, reason: null };
  return { at: Math.max(since, alert.lastSentAt + groupIntervalMs), reason: "group_interval" };
}

const rankOf = ({ severity }: Observed): number => SEVERITY_RANK[severity];

function stateOf(members: readonly Member[]): Alert["state"] {
  if (members.some((member) => believes(member) !== "ok")) return "firing";
  return members.some((member) => concerning(member) !== "ok") ? "pending" : "resolved";
}

/** Reminders, while something is wrong that the channel knows of and nobody has acknowledged. */
function remindAt(alert: Alert, policy: Policy): Pick<Alert, "nextAt" | "reason"> {
  const reason = idleReason(alert);
  const open = remindedOf(alert);
  const intervals = open.map(({ severity }) => policy.repeatMs(severity)).filter((ms) => ms > 0);
  const { acknowledgedAt, lastSentAt, retryAt } = alert;
  const isReminded = intervals.length > 0 && acknowledgedAt === null && lastSentAt !== null;
  if (!isReminded || policy.reader === "machine") return { nextAt: null, reason };
  const at = Math.max(lastSentAt + Math.min(...intervals), retryAt ?? 0);
  const quietUntil = open.some(({ severity }) => severity === "critical") ? null : policy.quietUntil(at);
  return { nextAt: quietUntil ?? at, reason };
}

const remindedOf = ({ members }: Alert): Member[] =>
  members.filter((member) => believes(member) !== "ok" && member.heldBy === null);

function idleReason({ members, state }: Alert): AlertReason | null {
  if (state === "firing") return "delivered";
  const held = members.find((member) => concerning(member) !== "ok")?.heldBy;
  if (held) return held;
  if (members.some(({ notified }) => notified !== null)) return "delivered";
  if (members.some(({ condition, isWanted }) => condition !== "ok" && !isWanted)) return "filtered";
  return members.some(({ isWanted }) => isWanted) ? "recovered_unnotified" : "filtered";
}

// What is sent.

function send(alert: Alert, deliveryId: string, policy: Policy, now: number): Stepped {
  const planned = schedule(alert, policy, now);
  if (planned.nextAt === null || planned.nextAt > now) return { alert: planned, notifications: [] };
  if (policy.reader === "machine") return sendQueue(planned, deliveryId, policy, now);
  const { members, posts } = planned;
  const due = members.filter(isDue);
  const missed = members.filter((member) => member.missed !== null && policy.quietUntil(now) === null);
  const current = members.filter((member) => concerning(member) !== "ok" && isTellable(member));
  const recovered = members.filter(isRecovery);
  const isReminder = due.length === 0 && posts.length === 0 && missed.length === 0;
  const added = current.filter((member) => believes(member) === "ok").map(({ monitorId }) => monitorId);
  const kind = isReminder ? "reminder" : kindOf(members, current, recovered);
  const notification: Notification = {
    ...{ deliveryId, kind, added },
    current: current.toSorted(bySeverity),
    recovered: recovered.toSorted(bySeverity),
    missed,
    posts: posts.map(({ eventId }) => eventId),
  };
  const says = [...current, ...recovered].map((member) => ({
    monitorId: member.monitorId,
    condition: concerning(member),
  }));
  const sending: Sending = {
    ...{ deliveryId, says, posts: notification.posts, isReminder },
    missed: missed.map(({ monitorId }) => monitorId),
  };
  return {
    alert: { ...planned, sending, nextAt: null, reason: "sending" },
    notifications: [notification],
  };
}

/** What is held back is said to be wrong only to who knows that already. */
const isTellable = (member: Member): boolean => member.heldBy === null || believes(member) !== "ok";

function kindOf(
  members: readonly Member[],
  current: readonly Member[],
  recovered: readonly Member[],
): Notification["kind"] {
  if (current.length === 0 && recovered.length > 0) return "resolved";
  const isKnown = members.some((member) => believes(member) !== "ok");
  return isKnown || current.length === 0 ? "updated" : "opened";
}

const bySeverity = (a: Member, b: Member): number =>
  rankOf(b) - rankOf(a) || a.since - b.since || a.monitorId - b.monitorId;

// What became of it.

function applyDelivered(
  alert: Alert,
  { deliveryId, says }: Extract<AlertEvent, { type: "delivered" }>,
  policy: Policy,
  now: number,
): Alert {
  const { sending } = alert;
  const isOwn = sending?.deliveryId === deliveryId;
  // A machine's events are on their way side by side; of people's channels one at a time is.
  const said = new Map(((isOwn ? sending.says : says) ?? []).map((one) => [one.monitorId, one.condition]));
  if (!isOwn && (policy.reader !== "machine" || !says)) return alert;
  const members = alert.members.map((member): Member => {
    const condition = said.get(member.monitorId);
    const missed = isOwn && sending.missed.includes(member.monitorId) ? null : member.missed;
    return condition === undefined
      ? { ...member, missed }
      : { ...member, missed, notified: condition, notifiedAt: now };
  });
  const posts = isOwn ? alert.posts.filter(({ eventId }) => !sending.posts.includes(eventId)) : alert.posts;
  const dueSince = null;
  return {
    ...{ ...alert, members, posts, dueSince, lastSentAt: now, failures: 0, retryAt: null },
    sending: isOwn ? null : sending,
  };
}

function applyFailed(
  alert: Alert,
  { deliveryId, retryAt, says = [] }: Extract<AlertEvent, { type: "failed" }>,
  policy: Policy,
): Alert {
  const failed = { ...alert, failures: alert.failures + 1, retryAt };
  if (alert.sending?.deliveryId === deliveryId) return { ...failed, sending: null };
  if (policy.reader !== "machine") return alert;
  // What was given up is queued anew, as things are then.
  const ids = new Set(says.map(({ monitorId }) => monitorId));
  const members = alert.members.map((member) =>
    ids.has(member.monitorId) ? { ...member, queued: member.notified } : member,
  );
  return { ...failed, members };
}

// Machine channels: each event by itself, in order.

function enqueueEvent(
  alert: Alert,
  { eventId, monitorId, condition, isWanted }: Extract<AlertEvent, { type: "happened" }>,
  policy: Policy,
  now: number,
): Stepped {
  if (policy.reader !== "machine" || !policy.isActive) return quietly(alert, policy, now);
  const member = alert.members.find((one) => one.monitorId === monitorId);
  const isFollowed = (member?.queued ?? "ok") !== "ok";
  if (!member || (!isWanted && !(condition === "ok" && isFollowed))) return quietly(alert, policy, now);
  const members = alert.members.map((one) => (one === member ? { ...one, queued: condition } : one));
  const notification = machineEvent(`${eventId}`, { ...member, condition });
  return {
    alert: schedule({ ...alert, members }, policy, now),
    notifications: [{ ...notification, posts: [eventId] }],
  };
}

const isUnqueued = (member: Member): boolean => {
  const now = concerning(member);
  return now !== (member.queued ?? "ok") && (now === "ok" || member.heldBy === null);
};

/** What was given up, or came while the channel was off: as it is now. */
function sendQueue(alert: Alert, deliveryId: string, policy: Policy, now: number): Stepped {
  const due = alert.members.filter(isUnqueued);
  const members = alert.members.map((one) => (due.includes(one) ? { ...one, queued: concerning(one) } : one));
  const posts = alert.posts.map(({ eventId }) => eventId);
  const notifications = due.map((member) => machineEvent(`${deliveryId}-${member.monitorId}`, member));
  const posted = posts.map((eventId) => ({ ...machineEvent(`${eventId}`, null), posts: [eventId] }));
  return {
    alert: schedule({ ...alert, members, posts: [] }, policy, now),
    notifications: [...notifications, ...posted],
  };
}

const machineEvent = (deliveryId: string, member: Member | null): Notification => {
  const isOver = member !== null && concerning(member) === "ok";
  return {
    ...{ deliveryId, kind: "event" as const, missed: [], posts: [] },
    current: member && !isOver ? [member] : [],
    added: member && !isOver && believes(member) === "ok" ? [member.monitorId] : [],
    recovered: member && isOver ? [member] : [],
  };
};

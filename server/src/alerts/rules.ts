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
  Post,
  Sending,
  Stepped,
} from "./alert.ts";

/*
 * Who is notified of what, and when. An alert is what one channel knows of one incident: `step` takes what happened and
 * returns the alert as it is then, with what is to be sent. Nothing else decides about notifications. A notification says
 * what is so when it is sent, and counts as received only once the other side has acknowledged it; whatever the channel
 * was notified of and is no longer so, or is so and it was not notified of, makes the next one. Times are in milliseconds.
 */

const CONDITIONS: readonly Condition[] = ["ok", "degraded", "stopped", "flapping", "critical", "down"];
const SEVERITIES: readonly Severity[] = ["low", "medium", "high", "critical"];

/** Machine channels are sent each event as it comes; what they lack after that is sent as it is then. */
const MACHINE_GRACE_MS = 5_000;

/** The alert after an event, and what is to be sent. Pure: the same arguments give the same answer. */
export function step(alert: Alert, event: AlertEvent, policy: Policy, now: number): Stepped {
  switch (event.type) {
    case "observed":
      return quietly(observe(alert, event, policy, now), policy, now, event.at);
    case "happened":
      return enqueueEvent(alert, event, policy, now);
    case "posted":
      return quietly(addPost(alert, event.post), policy, now, event.post.at);
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

const quietly = (alert: Alert, policy: Policy, now: number, at: number = now): Stepped => ({
  alert: schedule(alert, policy, now, at),
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
    const { notifiedAt = null, notifiedSince = null, queued = null } = known ?? {};
    const isOver = one.condition === "ok" || one.isUnwatched;
    const isForgotten = isOver && (one.isUnwatched ? policy.reader === "people" : !isEndFor(one, known));
    const notified = isForgotten ? null : (known?.notified ?? null);
    const missed = known && !isForgotten ? missedOf(known, one, { now, isQuiet }) : null;
    const left = isForgotten ? null : queued;
    return { ...one, notified, notifiedAt, notifiedSince, queued: left, missed };
  });
  // What is new is tried at once, though the last attempt failed: it does not wait out the retry delay.
  const isNew = next.some((one) => isDue(one) && !isSameProblem(one, before.get(one.monitorId)));
  return { ...alert, members: next, acknowledgedAt, retryAt: isNew ? null : alert.retryAt };
}

/** A channel that was notified that it flaps receives how that ends. */
const isEndFor = (one: Observed, { notified, queued }: Partial<Member> = {}): boolean =>
  one.isEndWanted || (queued ?? notified) === "flapping";

/** Whether it was due before, for the same reason. */
const isSameProblem = (one: Member, known: Member | undefined): boolean =>
  known !== undefined && isDue(known) && concerning(known) === concerning(one) && known.since === one.since;

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

/** The condition as far as it concerns the channel: one that was notified of a problem follows it to its end. */
function concerning(member: Member): Condition {
  const { condition, isWanted, isFollowed, isUnwatched, queued, notified } = member;
  if (isUnwatched) return "ok";
  if (isWanted || condition === "ok") return condition;
  const known = queued ?? notified ?? "ok";
  if (known === "flapping" && !isFollowed) return condition === "down" ? "down" : "ok";
  return known !== "ok" && isFollowed ? condition : known;
}

/** Whether the channel is still to be notified of something of it that is over, when it is. */
export const isBelieved = ({ notified, queued, missed }: Member): boolean =>
  (notified ?? "ok") !== "ok" || (queued ?? "ok") !== "ok" || missed !== null;

const believes = ({ notified }: Member): Condition => notified ?? "ok";

/** Whether the channel believes something about it that is not so. What is held back is not announced, but its end is. */
function isDue(member: Member): boolean {
  const now = concerning(member);
  if (now === believes(member)) return false;
  return now === "ok" || member.heldBy === null;
}

const isRecovery = (member: Member): boolean => concerning(member) === "ok" && believes(member) !== "ok";

// What people wrote, and what else is sent once.

function addPost(alert: Alert, post: Post): Alert {
  const kept = alert.posts.filter(
    ({ slot, eventId }) => slot === null || slot !== post.slot || isBeingSent(alert, eventId),
  );
  const isNew = kept.length === alert.posts.length;
  const posts = withoutUnknownEnds({ ...alert, posts: [...kept, post] });
  return { ...alert, posts, retryAt: isNew ? null : alert.retryAt };
}

const isBeingSent = ({ sending }: Alert, eventId: number): boolean =>
  sending?.posts.includes(eventId) === true;

/** The end of what nobody was notified of is not sent, nor what it ends. */
function withoutUnknownEnds(alert: Alert): readonly Post[] {
  const { posts, isOpen, sending } = alert;
  const end = posts.findLastIndex(({ isForNotified }) => isForNotified);
  if (end < 0 || isOpen || sending) return posts;
  return posts.filter(({ slot }, at) => at > end || (at < end && slot === null));
}

// When it is to be sent.

function schedule(alert: Alert, policy: Policy, now: number, since: number = now): Alert {
  const due = policy.reader === "machine" ? alert.members.filter(isUnqueued) : alert.members.filter(isDue);
  const posts = withoutUnknownEnds(alert);
  const isAnything = due.length > 0 || posts.length > 0;
  // A clock that was ahead must not put it off.
  const dueSince = isAnything ? Math.min(alert.dueSince ?? since, now) : null;
  const lastSentAt = alert.lastSentAt === null ? null : Math.min(alert.lastSentAt, now);
  const next = { ...alert, posts, dueSince, lastSentAt, state: stateOf({ ...alert, posts }) };
  if (!policy.isActive && !policy.isTried) return { ...next, nextAt: null, reason: "inactive" };
  if (alert.sending) return { ...next, nextAt: null, reason: "sending" };
  if (!isAnything) return { ...next, wasHeld: false, ...remindAt(next, policy) };
  const wanted = dueAt(next, due, policy, now);
  const at = Math.max(wanted.at, alert.retryAt ?? 0);
  const wasHeld = alert.wasHeld || wanted.reason === "quiet_hours";
  return { ...next, wasHeld, nextAt: at, reason: at > wanted.at ? "failing" : wanted.reason };
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

/** A first alert, an escalation, what a person wrote and the end of everything do not wait; the rest comes together. */
function groupedAt(
  alert: Alert,
  due: readonly Member[],
  { groupWaitMs, groupIntervalMs, reader }: Policy,
  now: number,
): { at: number; reason: AlertReason | null } {
  const since = alert.dueSince ?? now;
  const known = alert.members.filter((member) => believes(member) !== "ok");
  if (alert.posts.length > 0) return { at: since, reason: null };
  if (reader === "machine") return { at: since + MACHINE_GRACE_MS, reason: null };
  if (known.length === 0 || alert.lastSentAt === null) return { at: since + groupWaitMs, reason: null };
  const highest = Math.max(...known.map(rankOf));
  const isWorse = due.some((one) => !isRecovery(one) && (rankOf(one) > highest || hasGrownWorse(one)));
  const isOver = known.every(isRecovery);
  if (isWorse || isOver) return { at: since, reason: null };
  return { at: Math.max(since, alert.lastSentAt + groupIntervalMs), reason: "group_interval" };
}

/** How severe, the higher the more. */
export const rankOf = ({ severity }: Pick<Observed, "severity">): number => SEVERITIES.indexOf(severity);

const hasGrownWorse = (member: Member): boolean =>
  believes(member) !== "ok" && CONDITIONS.indexOf(concerning(member)) > CONDITIONS.indexOf(believes(member));

function stateOf({ members, posts, isOpen }: Alert): Alert["state"] {
  if (isOpen || members.some(({ queued, notified }) => (queued ?? notified ?? "ok") !== "ok"))
    return "firing";
  const isWrong = posts.length > 0 || members.some((member) => concerning(member) !== "ok");
  return isWrong ? "pending" : "resolved";
}

/** Reminders, while something is wrong that the channel knows of and nobody has acknowledged. */
function remindAt(alert: Alert, policy: Policy): Pick<Alert, "nextAt" | "reason"> {
  const reason = idleReason(alert);
  const open = remindedOf(alert);
  const intervals = open.map(({ severity }) => policy.repeatMs(severity)).filter((ms) => ms > 0);
  const { acknowledgedAt, lastSentAt, retryAt } = alert;
  const isReminded = intervals.length > 0 && acknowledgedAt === null && lastSentAt !== null;
  if (!isReminded) return { nextAt: null, reason };
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
  return members.length > 0 ? "recovered_unnotified" : "filtered";
}

// What is sent.

function send(alert: Alert, deliveryId: string, policy: Policy, now: number): Stepped {
  const planned = schedule(alert, policy, now);
  if (planned.nextAt === null || planned.nextAt > now) return { alert: planned, notifications: [] };
  if (policy.reader === "machine") return sendQueue(planned, deliveryId, policy, now);
  const { members } = planned;
  const due = members.filter(isDue);
  const missed = members.filter((member) => member.missed !== null && policy.quietUntil(now) === null);
  const posts = postsOf(planned, policy, due.length + missed.length > 0);
  const current = members.filter((member) => concerning(member) !== "ok" && isTellable(member));
  const recovered = members.filter(isRecovery);
  const isReminder = due.length === 0 && posts.length === 0;
  const added = current.filter((member) => believes(member) === "ok").map(({ monitorId }) => monitorId);
  const kind = isReminder ? "reminder" : kindOf(members, current, recovered);
  const notification: Notification = {
    ...{ deliveryId, kind, added },
    current: current.toSorted(bySeverity),
    recovered: recovered.toSorted(bySeverity),
    ...{ missed, posts },
  };
  const says = [...current, ...recovered].map((member) => ({
    monitorId: member.monitorId,
    condition: concerning(member),
  }));
  const sending: Sending = {
    ...{ deliveryId, says, isReminder },
    posts: posts.map(({ eventId }) => eventId),
    missed: missed.map(({ monitorId }) => monitorId),
  };
  return {
    alert: { ...planned, sending, nextAt: null, reason: "sending" },
    notifications: [notification],
  };
}

/** A pager's alert takes one thing at a time, its monitors first; the next one follows at once. */
const postsOf = ({ posts }: Alert, { reader }: Policy, isOfMembers: boolean): readonly Post[] =>
  reader === "pager" ? posts.slice(0, isOfMembers ? 0 : 1) : posts;

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

/** The most severe first, then the first. */
export const bySeverity = (a: Member, b: Member): number =>
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
    if (condition === undefined) return { ...member, missed };
    const isFirst = (member.notified ?? "ok") === "ok";
    const notifiedSince = isFirst ? member.since : member.notifiedSince;
    return { ...member, missed, notified: condition, notifiedAt: now, notifiedSince };
  });
  const posts = isOwn ? alert.posts.filter(({ eventId }) => !sending.posts.includes(eventId)) : alert.posts;
  const sent = isOwn ? alert.posts.filter(({ eventId }) => sending.posts.includes(eventId)) : [];
  const isOpen = isOpenAfter(sent, alert.isOpen);
  return {
    ...{ ...alert, members, posts, isOpen, dueSince: null, lastSentAt: now, ...NEVER_TRIED },
    sending: isOwn ? null : sending,
  };
}

const NEVER_TRIED = { failures: 0, retryAt: null, wasHeld: false };

const isOpenAfter = (sent: readonly Post[], before: boolean): boolean => {
  const last = sent.findLast(({ says }) => says !== null);
  return last ? last.says === "open" : before;
};

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
  const member = alert.members.find((one) => one.monitorId === monitorId);
  if (policy.reader !== "machine" || !policy.isActive || !member) return quietly(alert, policy, now);
  const queued = member.queued ?? "ok";
  const isEnd = condition === "ok";
  const isSent = isEnd ? queued !== "ok" && isEndFor(member, member) : isWanted && condition !== queued;
  const isHeld = !isEnd && member.severity !== "critical" && policy.quietUntil(now) !== null;
  if (!isSent || isHeld) return quietly(alert, policy, now);
  const members = alert.members.map((one) => (one === member ? { ...one, queued: condition } : one));
  const notification = machineEvent(`${eventId}`, { ...member, condition });
  return {
    alert: schedule({ ...alert, members }, policy, now),
    notifications: [notification],
  };
}

const isUnqueued = (member: Member): boolean => {
  const now = concerning(member);
  return now !== (member.queued ?? "ok") && (now === "ok" || member.heldBy === null);
};

/** What was given up, or came while the channel was off: as it is now. What people wrote, and reminders. */
function sendQueue(alert: Alert, deliveryId: string, policy: Policy, now: number): Stepped {
  const due = alert.members.filter(isUnqueued);
  const isReminder = due.length === 0 && alert.posts.length === 0;
  const said = isReminder ? remindedOf(alert) : due;
  const members = alert.members.map((one) => (due.includes(one) ? { ...one, queued: concerning(one) } : one));
  const notifications = said.map((member) => ({
    ...machineEvent(`${deliveryId}-${member.monitorId}`, member),
    ...(isReminder && { kind: "reminder" as const }),
  }));
  const posted = alert.posts.map((post) => ({ ...machineEvent(`${post.eventId}`, null), posts: [post] }));
  const isOpen = isOpenAfter(alert.posts, alert.isOpen);
  const sent = { ...alert, members, posts: [], isOpen, lastSentAt: isReminder ? now : alert.lastSentAt };
  return { alert: schedule(sent, policy, now), notifications: [...notifications, ...posted] };
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

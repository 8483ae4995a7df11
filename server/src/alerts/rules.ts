import type { AlertReason } from "../platform/database/tables/notifications.ts";
import {
  type Alert,
  type AlertInput,
  afterRefusal,
  asConcerning,
  bySeverity,
  type Condition,
  concerning,
  hasGrownWorse,
  isBeingSent,
  isDue,
  isEndFor,
  isHeldBack,
  isOpenAfter,
  isRecovery,
  isReleased,
  type Member,
  type Notification,
  notifiedCondition,
  type Observed,
  type Policy,
  type Post,
  passesQuietHours,
  postsOf,
  rankOf,
  remindedOf,
  type Sending,
  type Stepped,
  unsentOf,
  wasRefused,
  withoutQueue,
  withoutUnknownEnds,
} from "./alert.ts";
import { enqueueEvent, isUnqueued, sendQueue } from "./machine-rules.ts";
import { DISABLED_RETRY_MS, LAST_RETRY_MS } from "./retry-rules.ts";

/*
 * Who is notified of what, and when. An alert is what one channel knows of one incident: `step` takes what happened and
 * returns the alert as it is then, with what is to be sent. Filters, parents and audiences are in policy.ts and scene.ts. A notification says
 * what is true when it is sent, and counts only once the other side has acknowledged it. Any difference between that and
 * what is true now makes the next one due. Times are in milliseconds.
 */

/** Machine channels are sent each event as it comes; what they lack after that is sent as it is then. */
const MACHINE_GRACE_MS = 5_000;

/** The alert after an event, and what is to be sent. Pure: the same arguments give the same answer. */
export function step(alert: Alert, input: AlertInput, policy: Policy, now: number): Stepped {
  switch (input.type) {
    case "observed":
      return rescheduled(observe(alert, input, policy, now), policy, now, input.at);
    case "happened":
      return planned(enqueueEvent(alert, input, policy, now), policy, now);
    case "posted":
      return rescheduled(addPost(alert, input.post), policy, now, input.post.at);
    case "delivered":
      return rescheduled(applyDelivered(alert, input, policy, now), policy, now);
    case "failed":
      return rescheduled(applyFailed(alert, input, policy, now), policy, now);
    case "lost":
      return rescheduled(applyLost(alert, input, now), policy, now);
    case "policy":
      return rescheduled(alert, policy, now);
    case "time":
      return send(alert, input.deliveryId, policy, now);
  }
}

const planned = ({ alert, notifications }: Stepped, policy: Policy, now: number): Stepped => ({
  alert: schedule(alert, policy, now),
  notifications,
});

const rescheduled = (alert: Alert, policy: Policy, now: number, at: number = now): Stepped => ({
  alert: schedule(alert, policy, now, at),
  notifications: [],
});

// What is so, and what of it the channel does not know.

function observe(
  alert: Alert,
  { members }: Extract<AlertInput, { type: "observed" }>,
  policy: Policy,
  now: number,
): Alert {
  const before = new Map(alert.members.map((member) => [member.monitorId, member]));
  const isQuiet = policy.quietUntil(now) !== null;
  const next = members.map((one): Member => {
    const known = before.get(one.monitorId);
    const { notified = null, notifiedSince = null, queued = null } = known ?? {};
    // Also over a recovery of which the channel was not notified before it was down again.
    const isListed = known?.isListed === true;
    const isAcknowledged = one.isAcknowledged ?? known?.isAcknowledged;
    const member: Member = {
      ...one,
      isAcknowledged,
      notified,
      notifiedSince,
      queued,
      missed: null,
      isListed,
    };
    const isOver = concerning(member) === "ok";
    const isForgotten = isOver && ((one.isUnwatched && policy.reader === "people") || !isEndFor(one, known));
    if (isForgotten) return { ...member, notified: null, queued: null, isListed: false };
    return { ...member, missed: known ? missedOf(known, one, { now, isQuiet }) : null };
  });
  // What is new is tried at once, though the last attempt failed: it does not wait out the retry delay.
  const isNew = next.some((one) => isDue(one) && !isSameProblem(one, before.get(one.monitorId)));
  return { ...alert, members: next, retryAt: isNew ? null : alert.retryAt };
}

/** Whether it was due before, for the same reason. */
const isSameProblem = (one: Member, known: Member | undefined): boolean =>
  known !== undefined && isDue(known) && concerning(known) === concerning(one) && known.since === one.since;

/** What goes by in quiet hours without a notification is mentioned when they end. */
function missedOf(
  known: Member,
  one: Observed,
  { now, isQuiet }: { now: number; isQuiet: boolean },
): Member["missed"] {
  const wasWrong = isDue(known) && notifiedCondition(known) === "ok" && known.condition !== "ok";
  const isOver = one.condition === "ok" && isQuiet && wasWrong;
  return isOver ? { condition: known.condition, since: known.since, until: now } : known.missed;
}

// What people wrote, and what else is sent once.

function addPost(alert: Alert, post: Post): Alert {
  const remaining = alert.posts.filter(
    ({ slot, eventId }) => slot === null || slot !== post.slot || isBeingSent(alert, eventId),
  );
  const isNew = remaining.length === alert.posts.length;
  return { ...alert, posts: [...remaining, post], retryAt: isNew ? null : alert.retryAt };
}

// When it is to be sent.

function schedule(alert: Alert, policy: Policy, now: number, since: number = now): Alert {
  const isPending = policy.reader === "machine" ? isUnqueued : (one: Member) => isUnreported(one, alert);
  const due = alert.members.filter(isPending);
  const posts = withoutUnknownEnds(alert);
  const isAnything = due.length > 0 || unsentOf(posts).length > 0;
  // A clock that was ahead must not put it off.
  const dueSince = isAnything ? Math.min(alert.dueSince ?? since, now) : null;
  const lastSentAt = alert.lastSentAt === null ? null : Math.min(alert.lastSentAt, now);
  // No right clock puts a retry off for longer.
  const latest = now + (policy.delivery === "on" ? LAST_RETRY_MS : DISABLED_RETRY_MS);
  const retryAt = alert.retryAt === null ? null : Math.min(alert.retryAt, latest);
  const state = stateOf({ ...alert, posts });
  const next = { ...alert, posts, dueSince, lastSentAt, retryAt, state };
  if (policy.delivery === "off") return { ...next, nextAt: null, reason: "inactive" };
  if (alert.sending) return { ...next, nextAt: null, reason: "sending" };
  if (!isAnything) return { ...next, wasHeld: false, ...remindAt(next, policy, now) };
  const wanted = dueAt(next, due, policy, now);
  const at = Math.max(wanted.at, retryAt ?? 0);
  const wasHeld = alert.wasHeld || wanted.reason === "quiet_hours";
  const reminder =
    due.length === 0 && unsentOf(posts).every(wasRefused) ? remindAt(next, policy, now).nextAt : null;
  const nextAt = Math.min(at, reminder ?? at);
  return { ...next, wasHeld, nextAt, reason: at > wanted.at ? "failing" : wanted.reason };
}

/** When something is to be sent, and what it waits for. */
function dueAt(
  alert: Alert,
  due: readonly Member[],
  policy: Policy,
  now: number,
): { at: number; reason: AlertReason | null } {
  const { at, reason } = groupedAt(alert, due, policy, now);
  const passes = due.some(passesQuietHours) || unsentOf(alert.posts).some(({ isUrgent }) => isUrgent);
  const quietUntil = passes ? null : policy.quietUntil(Math.max(at, now));
  if (quietUntil === null) return { at, reason };
  // What would wait for others until quiet hours hold it is sent before they begin.
  if (at > now && policy.quietUntil(now) === null) return { at: now, reason: null };
  return { at: quietUntil, reason: "quiet_hours" };
}

/** A first alert, an escalation, what a person wrote and the end of everything do not wait; the rest comes together. */
function groupedAt(
  alert: Alert,
  due: readonly Member[],
  { groupWaitMs, groupIntervalMs, reader }: Policy,
  now: number,
): { at: number; reason: AlertReason | null } {
  const since = alert.dueSince ?? now;
  const known = alert.members.filter((member) => notifiedCondition(member) !== "ok");
  if (unsentOf(alert.posts).length > 0) return { at: since, reason: null };
  if (reader === "machine") return { at: since + MACHINE_GRACE_MS, reason: null };
  if (known.length === 0 || alert.lastSentAt === null) return { at: since + groupWaitMs, reason: null };
  const highest = Math.max(...known.filter((one) => !isReleased(one)).map(rankOf));
  const isWorse = due.some((one) => !isRecovery(one) && (rankOf(one) > highest || hasGrownWorse(one)));
  const isOver = known.every(isRecovery);
  if (isWorse || isOver) return { at: since, reason: null };
  return { at: Math.max(since, alert.lastSentAt + groupIntervalMs), reason: "group_interval" };
}

function stateOf({ members, posts, isOpen }: Alert): Alert["state"] {
  if (isOpen || members.some((member) => notifiedCondition(member) !== "ok")) return "firing";
  const isWrong = posts.length > 0 || members.some((member) => concerning(member) !== "ok");
  return isWrong ? "pending" : "resolved";
}

/** Reminders while an outage goes on that the channel was notified of and that is not acknowledged. */
function remindAt(alert: Alert, policy: Policy, now: number): Pick<Alert, "nextAt" | "reason"> {
  const reason = idleReason(alert);
  const reminded = remindedOf(alert, policy);
  const { lastSentAt, retryAt } = alert;
  if (reminded.length === 0 || lastSentAt === null) return { nextAt: null, reason };
  const repeatMs = Math.min(...reminded.map(({ severity }) => policy.repeatMs(severity)));
  const at = Math.max(lastSentAt + repeatMs, retryAt ?? 0);
  const quietUntil = reminded.some(passesQuietHours) ? null : policy.quietUntil(Math.max(at, now));
  return { nextAt: quietUntil ?? at, reason };
}

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
  const plan = schedule(alert, policy, now);
  if (plan.nextAt === null || plan.nextAt > now) return { alert: plan, notifications: [] };
  if (policy.reader === "machine") return planned(sendQueue(plan, policy, now), policy, now);
  const { members } = plan;
  const { due, recovered, missed, ...toReport } = membersToReport(plan, policy, now);
  // A text that was refused holds no reminder back.
  const isReminder = due.length === 0 && toReport.posts.every(wasRefused) && isReminderDue(plan, policy, now);
  const posts = isReminder ? [] : toReport.posts;
  const current = isReminder ? remindedOf(plan, policy) : toReport.current;
  const held = isReminder ? [] : toReport.held;
  const notification: Notification = {
    isReminder,
    current: current.map(asConcerning).toSorted(bySeverity),
    // What it does not want to know of is over for it.
    recovered: recovered.map((one): Member => ({ ...one, condition: "ok" })).toSorted(bySeverity),
    missed,
    held: held.toSorted(bySeverity),
    posts,
  };
  const says = [...current, ...recovered, ...held].map((member) => ({
    monitorId: member.monitorId,
    condition: concerning(member),
    before: member.queued,
  }));
  const said = new Map(says.map(({ monitorId, condition }) => [monitorId, condition]));
  const sending: Sending = {
    deliveryId,
    says,
    isText: due.length + missed.length === 0 && posts.length > 0,
    posts: posts.map(({ eventId }) => eventId),
    missed: missed.map(({ monitorId }) => monitorId),
    // What goes on behind another, and is named as such, is still to be announced by itself.
    listed: [...held, ...current.filter((one) => one.isListed && !isReleased(one))].map(
      ({ monitorId }) => monitorId,
    ),
  };
  const queued = members.map((one) => asSaid(one, said.get(one.monitorId)));
  return {
    alert: { ...plan, members: queued, sending, nextAt: null, reason: "sending" },
    notifications: [notification],
  };
}

/** While a message that says this of it is on its way. */
function asSaid(member: Member, condition: Condition | undefined): Member {
  if (condition === undefined || condition === "ok") return { ...member, queued: condition ?? member.queued };
  const isNew = notifiedCondition(member) !== condition || isReleased(member);
  return { ...member, queued: condition, notifiedSince: isNew ? member.since : member.notifiedSince };
}

/** Whether a reminder is what is to be sent, where nothing else is, or only what was refused before. */
function isReminderDue(alert: Alert, policy: Policy, now: number): boolean {
  const { nextAt } = remindAt(alert, policy, now);
  return unsentOf(alert.posts).length === 0 || (nextAt !== null && nextAt <= now);
}

/** Whether something of it is to be said. It is listed as down behind another monitor where the channel was notified of that one. */
const isUnreported = (member: Member, { members }: Alert): boolean =>
  isDue(member) ||
  (isHeldBack(member) &&
    members.some((one) => one.monitorId === member.parentId && notifiedCondition(one) !== "ok"));

/** What there is to say now: what changed, what is wrong, what is over, what went by, and what people wrote. */
function membersToReport(alert: Alert, policy: Policy, now: number) {
  const { members, posts } = alert;
  const isQuiet = policy.quietUntil(now) !== null;
  // In quiet hours a recovery takes nothing along that they hold; what is critical does.
  const isCritical = members.some((one) => isDue(one) && !isRecovery(one) && passesQuietHours(one));
  const isSent = (member: Member) =>
    notifiedCondition(member) !== "ok" || !isQuiet || isCritical || isRecovery(member);
  const due = members.filter((member) => isUnreported(member, alert) && isSent(member));
  const missed = isQuiet ? [] : members.filter((member) => member.missed !== null);
  const unheld = posts.filter(({ isUrgent }) => isUrgent || !isQuiet);
  const isWrong = (member: Member) =>
    concerning(member) !== "ok" &&
    isReportable(member) &&
    !member.isUnknown &&
    !isHeldBack(member) &&
    isSent(member);
  return {
    due,
    missed,
    current: members.filter(isWrong),
    recovered: members.filter(isRecovery),
    held: members.filter((one) => isHeldBack(one) && isSent(one)),
    posts: postsOf(unheld, policy, due.length + missed.length > 0),
  };
}

/** What is held back is said to be wrong only to who knows that already. */
const isReportable = (member: Member): boolean =>
  member.heldBy === null || notifiedCondition(member) !== "ok";

// What became of it.

function applyDelivered(
  alert: Alert,
  { deliveryId, says = [], postId }: Extract<AlertInput, { type: "delivered" }>,
  policy: Policy,
  now: number,
): Alert {
  const { sending } = alert;
  const isMachine = policy.reader === "machine";
  // A machine's events are on their way side by side; of people's channels one at a time is.
  if (!isMachine && sending?.deliveryId !== deliveryId) return alert;
  const said = new Map(
    (isMachine ? says : (sending?.says ?? [])).map((one) => [one.monitorId, one.condition]),
  );
  const members = alert.members.map((member): Member => {
    const condition = said.get(member.monitorId);
    const missed = sending?.missed.includes(member.monitorId) ? null : member.missed;
    const isListed = sending?.listed?.includes(member.monitorId) === true;
    // What is not watched any more was forgotten meanwhile.
    if (condition === undefined || (!isMachine && member.queued === null)) return { ...member, missed };
    const queued = isMachine ? member.queued : null;
    return { ...member, missed, notified: condition, queued, isListed };
  });
  const isPosted = ({ eventId }: Post) => eventId === postId || sending?.posts.includes(eventId) === true;
  const isOpen = isOpenAfter(alert.posts.filter(isPosted), alert.isOpen);
  const posts = alert.posts.filter((post) => !isPosted(post));
  return {
    ...alert,
    members,
    posts,
    isOpen,
    lastSaid: isMachine ? null : { deliveryId, says: sending?.says ?? [], isOpen },
    lastSentAt: now,
    dueSince: null,
    wasHeld: false,
    retryAt: null,
    failures: 0,
    sending: null,
  };
}

const NO_TEXTS = { ids: [], isAlone: false };

function applyFailed(
  alert: Alert,
  { deliveryId, retryAt, refused }: Extract<AlertInput, { type: "failed" }>,
  { reader }: Policy,
  now: number,
): Alert {
  const failed = { ...alert, failures: alert.failures + 1, retryAt };
  // With what waited behind it.
  if (reader === "machine")
    return withoutQueue({
      ...failed,
      posts: afterRefusal(alert, { ids: [refused?.postId ?? 0], isAlone: true }, now),
    });
  const { sending } = alert;
  if (sending?.deliveryId !== deliveryId) return alert;
  const before = new Map(sending.says.map((one) => [one.monitorId, one.before]));
  // What is not watched any more was forgotten meanwhile.
  const members = alert.members.map((one) =>
    one.queued === null ? one : { ...one, queued: before.get(one.monitorId) ?? null },
  );
  const texts = refused ? { ids: sending.posts, isAlone: sending.isText === true } : NO_TEXTS;
  return { ...failed, members, posts: afterRefusal(alert, texts, now), sending: null };
}

/** What is still so is said again; who may have received it is notified of its end. */
const applyLost = (alert: Alert, { deliveryId }: { deliveryId: string }, now: number): Alert =>
  alert.sending?.deliveryId === deliveryId
    ? { ...alert, failures: alert.failures + 1, retryAt: now, sending: null }
    : alert;

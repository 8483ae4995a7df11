import type { AlertReason } from "../platform/database/tables/notifications.ts";
import { rankOfSeverity, type Severity } from "../platform/monitor-defaults.ts";

/* What an alert is, and what happens to it; rules.ts says what follows. Times are in milliseconds. */

/** What is wrong with a monitor, `critical` of a device whose health is; `ok`: nothing that this channel is to know of. */
export type Condition = "ok" | "degraded" | "stopped" | "flapping" | "critical" | "down";

/** A monitor of an incident as it is now. */
export interface Observed {
  monitorId: number;
  condition: Condition;
  /** Since when. */
  since: number;
  severity: Severity;
  /** The channel's filter lets it through: event, severity and tags. */
  isWanted: boolean;
  /** The same by the event alone: a channel that was notified of a problem is notified of how it goes on. */
  isFollowed: boolean;
  /** It wants to know when that is over; else it is taken to know. */
  isEndWanted: boolean;
  /**
   * Why its notifications are held back for now; null: nothing holds it back. `parentId`: the monitor behind which it is down;
   * null with `parent`: that it is down by itself is being confirmed.
   */
  heldBy: HeldBy | null;
  parentId: number | null;
  /** It is not checked any more, on purpose: people are not notified; machine channels close their alert. */
  isUnwatched: boolean;
  /** Its outage was acknowledged: no one is reminded of it. Undefined: it has no incident, and is as it was before. */
  isAcknowledged?: boolean | undefined;
  /** Nothing is known of it: the condition is what the channel was notified of before. It is neither repeated nor over. */
  isUnknown?: boolean;
}

/** `maintenance`: a window is running. `parent`: this channel was notified of what it depends on. */
export type HeldBy = "maintenance" | "parent";

/** A monitor of an alert. */
export interface Member extends Observed {
  /** What the channel was last notified of, acknowledged by the other side; null: of nothing. */
  notified: Condition | null;
  /** Since when that was so. */
  notifiedSince: number | null;
  /** It went wrong and recovered while quiet hours held it: the next notification mentions it. */
  missed: { condition: Condition; since: number; until: number } | null;
  /**
   * What a message says that may have been received, but was not acknowledged: it is being sent, or its server died. Of a machine channel:
   * what the newest event in its outbox says.
   */
  queued: Condition | null;
  /** The channel was notified only that it is down behind another monitor: once nothing holds it back, it is announced by itself. */
  isListed?: boolean;
}

/** Something to send once that is no condition of a monitor: what a person wrote, a certificate, an acknowledgement. */
export interface Post<Content = unknown> {
  eventId: number;
  at: number;
  /** Quiet hours do not hold it. */
  isUrgent: boolean;
  /** A newer one of the same name takes its place while it waits; null: nothing does. */
  slot: string | null;
  /** What it says of the subject by itself: that something is wrong, or over; null: neither. */
  says: "open" | "over" | null;
  /** It is for channels that were notified of what it ends. */
  isForNotified: boolean;
  /** The message. */
  content: Content;
  /** Of a machine channel: it is in the outbox. */
  isQueued?: boolean;
  /** When the other side first refused it for what it says. */
  refusedAt?: number;
}

/** What a notification that is on its way says; applied when the other side has it. */
export interface Sending {
  deliveryId: string;
  /** `before`: what a message before it said that may have been received. */
  says: readonly (Said & { before: Condition | null })[];
  missed: readonly number[];
  posts: readonly number[];
  /** Which of these it lists as down behind other monitors. */
  listed?: readonly number[];
  /** Some of what it says belongs to another alert by now. */
  isMoved?: boolean;
  /** It was delivered before, and is sent once more as it was: one attempt (operations/deliveries.ts). */
  isRepeat?: boolean;
  /** It is what people wrote, and says nothing of monitors. */
  isText?: boolean;
}

/** What the last notification that was delivered said, and whether the channel knew of an open post after it. */
export interface LastSaid {
  deliveryId: string;
  says: readonly Said[];
  isOpen: boolean;
}

/** What a message says of a monitor. */
export interface Said {
  monitorId: number;
  condition: Condition;
}

/** What a channel knows of an incident. */
export interface Alert {
  /** `pending`: it was notified of nothing that is wrong now. `firing`: it was. `resolved`: nothing is wrong any more, and it knows. */
  state: "pending" | "firing" | "resolved";
  reason: AlertReason | null;
  members: readonly Member[];
  posts: readonly Post[];
  /** The last post that was delivered said that something is wrong. */
  isOpen: boolean;
  /** When the last notification was acknowledged by the other side. */
  lastSentAt: number | null;
  /** When the next one is to be sent; null: none is. */
  nextAt: number | null;
  /** Since when something has been to say. */
  dueSince: number | null;
  /** Quiet hours held something of what is due: it is sent as one message with the rest of what they held. */
  wasHeld: boolean;
  /** After a failure: not before then. */
  retryAt: number | null;
  /** Attempts that failed in a row. */
  failures: number;
  sending: Sending | null;
  /** Null also of a machine channel. */
  lastSaid: LastSaid | null;
}

/** What kind of reader a channel has. People: one message about all that changed. Pager: the same, as one alert. Machine: every event singly. */
export type Reader = "people" | "pager" | "machine";

/** How a channel wants to be notified. */
export interface Policy {
  reader: Reader;
  /** `daily`: it was disabled by what the other side answered: what is due is tried all the same, once a day. `off`: nothing is. */
  delivery: "on" | "daily" | "off";
  /** When its quiet hours end, if they hold at that time; null: they do not. */
  quietUntil(at: number): number | null;
  groupWaitMs: number;
  groupIntervalMs: number;
  /** How often reminders are sent before an incident is acknowledged, by severity; 0: never. */
  repeatMs(severity: Severity): number;
}

/** What happens to an alert. */
export type AlertInput =
  /** The incident's monitors as they are, and when something of it changed; those that are not named belong to it no more. */
  | { type: "observed"; members: readonly Observed[]; at?: number }
  /** One event of one monitor, for machine channels. */
  | { type: "happened"; monitorId: number; condition: Condition; isWanted: boolean }
  | { type: "posted"; post: Post }
  /** `says`, `postId`: of a machine's event. */
  | { type: "delivered"; deliveryId: string; says?: readonly Said[]; postId?: number | undefined }
  /**
   * Also when it was refused and given up: no notification arrived. `refused`: for what it says, by a channel that is on;
   * `postId` of a machine's event.
   */
  | { type: "failed"; deliveryId: string; retryAt: number; refused?: { postId?: number | undefined } }
  /** The server stopped while sending: whether it was received is unknown. */
  | { type: "lost"; deliveryId: string }
  /** The clock went on, or the policy changed. `deliveryId`: what a notification would be called. */
  | { type: "time"; deliveryId: string }
  | { type: "policy" };

/** What is sent. Lists are in order of severity, then of time. */
export interface Notification {
  isReminder: boolean;
  /** What is wrong now, of what the channel wants. */
  current: readonly Member[];
  /** What it was notified of and is over. */
  recovered: readonly Member[];
  missed: readonly Member[];
  /** What is down behind what the channel is notified of, and it was not notified of yet. */
  held: readonly Member[];
  /** To send word for word. */
  posts: readonly Post[];
}

export interface Stepped {
  alert: Alert;
  notifications: readonly Notification[];
}

/** The subject of an incident's alerts. */
export const incidentSubject = (id: number): string => `incident ${id}`;

/** The subject of a monitor's alerts. */
export const monitorSubject = (id: number): string => `monitor ${id}`;

/** The incident of an alert's subject; null: it has none. */
export const incidentOf = (subject: string): number | null =>
  subject.startsWith("incident ") ? Number(subject.slice("incident ".length)) : null;

/** An alert that nothing has happened to yet. */
export const newAlert = (): Alert => ({
  state: "pending",
  reason: null,
  members: [],
  posts: [],
  isOpen: false,
  lastSentAt: null,
  nextAt: null,
  dueSince: null,
  wasHeld: false,
  retryAt: null,
  failures: 0,
  sending: null,
  lastSaid: null,
});

// What a channel knows of a monitor.

const CONDITIONS: readonly Condition[] = ["ok", "degraded", "stopped", "flapping", "critical", "down"];

/** How bad it is, the higher the worse. */
export const rankOfCondition = (condition: Condition): number => CONDITIONS.indexOf(condition);

/** The condition that the channel was notified of. */
export const notifiedCondition = ({ notified }: Pick<Member, "notified">): Condition => notified ?? "ok";

/** The condition as far as it concerns the channel: one that was notified of a problem follows it to its end. */
export function concerning(member: Member): Condition {
  const { condition, isWanted, isFollowed, isUnwatched, queued, notified } = member;
  if (isUnwatched) return "ok";
  const known = queued ?? notified ?? "ok";
  if (isWanted || condition === "ok" || known === "ok") return isWanted ? condition : "ok";
  if (isFollowed) return condition;
  // It does not want to know of this: what it knows of is over where that is better, and works.
  if (known === "flapping") return condition === "down" || condition === "flapping" ? condition : "ok";
  const isBetter = rankOfCondition(condition) < rankOfCondition(known);
  return isBetter && (condition === "degraded" || condition === "critical") ? "ok" : known;
}

/** Whether the channel was, or may have been, notified of a problem with it. */
export const mayKnow = ({ notified, queued }: Pick<Member, "notified" | "queued">): boolean =>
  (notified ?? "ok") !== "ok" || (queued ?? "ok") !== "ok";

/** Whether the channel is still to be notified of something of it that is over, when it is. */
export const isRecoveryOwed = (member: Member): boolean => mayKnow(member) || member.missed !== null;

/** Whether it was notified of only as down behind another monitor, and nothing holds it back any more: it is announced by itself. */
export const isReleased = (member: Member): boolean =>
  member.isListed === true && member.heldBy === null && member.isWanted && concerning(member) !== "ok";

/** Whether what the channel was, or may have been, notified of no longer holds. What is held back is not announced, but its end is. */
export function isDue(member: Member): boolean {
  if (member.isUnknown) return false;
  if (isReleased(member)) return true;
  const now = concerning(member);
  const { queued } = member;
  if (now === notifiedCondition(member) && (queued === null || queued === now)) return false;
  return now === "ok" || member.heldBy === null;
}

/** Whether it is over, for a channel that may know of it. */
export const isRecovery = (member: Member): boolean => concerning(member) === "ok" && mayKnow(member);

/** Whether something of it is on its way: being sent, or of a machine channel in the outbox. */
export const isInDelivery = ({ notified, queued }: Pick<Member, "notified" | "queued">): boolean =>
  queued !== null && queued !== (notified ?? "ok");

/** A machine's alert whose events were given up, or lost with the outbox: they are queued anew, as things are then. */
export const withoutQueue = (alert: Alert): Alert => ({
  ...alert,
  members: alert.members.map((member) => ({ ...member, queued: member.notified })),
  posts: alert.posts.map((post) => ({ ...post, isQueued: false })),
});

/** What is still to be put into the outbox. */
export const unsentOf = (posts: readonly Post[]): Post[] => posts.filter(({ isQueued }) => !isQueued);

const isOutage = (condition: Condition | null): boolean => condition === "down" || condition === "critical";

/** Outages that the channel was notified of and not of their end, which go on unacknowledged, of severities that it is reminded of. */
export const remindedOf = ({ members }: Alert, { repeatMs }: Policy): Member[] =>
  members.filter((one) => {
    const known = [one.condition, concerning(one), one.notified, one.queued ?? one.notified];
    const isKnown = !one.isAcknowledged && !one.isUnknown;
    return known.every(isOutage) && one.heldBy === null && isKnown && repeatMs(one.severity) > 0;
  });

/** A channel that was notified that it flaps receives how that ends. */
export const isEndFor = (one: Observed, { notified, queued }: Partial<Member> = {}): boolean =>
  one.isEndWanted || (queued ?? notified) === "flapping";

/** Critical problems, and the end of what the channel was notified of, do not wait for the end of quiet hours. */
export const passesQuietHours = (member: Member): boolean =>
  member.severity === "critical" || isRecovery(member);

/** Whether it is down behind another monitor of which the channel is notified, and the channel knows of nothing as bad, or may have its end. */
export const isHeldBack = (member: Member): boolean => {
  const { heldBy, parentId, isWanted, condition } = member;
  const isBehind = heldBy === "parent" && parentId !== null;
  const isWorse = rankOfCondition(condition) > rankOfCondition(notifiedCondition(member));
  return isBehind && isWanted && condition !== "ok" && (isWorse || member.queued === "ok");
};

export const isBeingSent = ({ sending, posts }: Alert, eventId: number): boolean =>
  sending?.posts.includes(eventId) === true ||
  posts.some((post) => post.eventId === eventId && post.isQueued === true);

/** The end of an outage that the channel was not notified of is not sent, nor what it ends. */
export function withoutUnknownEnds(alert: Alert): readonly Post[] {
  const { posts, isOpen, sending } = alert;
  const end = posts.findLastIndex(({ isForNotified }) => isForNotified);
  if (end < 0 || isOpen || sending || posts.some(({ isQueued }) => isQueued)) return posts;
  return posts.filter(({ slot }, at) => at > end || (at < end && slot === null));
}

export const isOpenAfter = (sent: readonly Post[], before: boolean): boolean => {
  const last = sent.findLast(({ says }) => says !== null);
  return last ? last.says === "open" : before;
};

/** The other side refused it for what it says: from then on it is sent by itself, and after what is to be sent otherwise. */
export const wasRefused = ({ refusedAt }: Post): boolean => refusedAt !== undefined;

/**
 * After a message with these posts was refused; `isAlone`: it says nothing else. A post that is refused again by itself, though another
 * message of the alert was accepted meanwhile, or after a day, is in the channel's log and not sent again; what ends something is tried for as long as it takes.
 */
export function afterRefusal(
  { posts, lastSentAt }: Alert,
  { ids, isAlone }: { ids: readonly number[]; isAlone: boolean },
  now: number,
): Post[] {
  const isGivenUp = ({ eventId, refusedAt, says, isForNotified }: Post) =>
    isAlone &&
    ids.length === 1 &&
    ids.includes(eventId) &&
    refusedAt !== undefined &&
    says !== "over" &&
    !isForNotified &&
    ((lastSentAt ?? 0) > refusedAt || now - refusedAt > DAY_MS);
  return posts
    .filter((post) => !isGivenUp(post))
    .map((post) => (ids.includes(post.eventId) ? { ...post, refusedAt: post.refusedAt ?? now } : post));
}

const DAY_MS = 86_400_000;

/** How severe, the higher the more. */
export const rankOf = ({ severity }: Pick<Observed, "severity">): number => rankOfSeverity(severity);

export const hasGrownWorse = (member: Member): boolean =>
  notifiedCondition(member) !== "ok" &&
  rankOfCondition(concerning(member)) > rankOfCondition(notifiedCondition(member));

/** A pager's alert takes one thing at a time, its monitors first; the next one follows at once. What was refused goes last, by itself. */
export function postsOf(posts: readonly Post[], { reader }: Policy, isOfMembers: boolean): readonly Post[] {
  const fresh = posts.filter((post) => !wasRefused(post));
  if (reader === "pager") return isOfMembers ? [] : [...fresh, ...posts].slice(0, 1);
  return isOfMembers || fresh.length > 0 ? fresh : posts.slice(0, 1);
}

/** The most severe first, then the first. */
export const bySeverity = (a: Member, b: Member): number =>
  rankOf(b) - rankOf(a) || a.since - b.since || a.monitorId - b.monitorId;

/** As the channel follows it: what it does not want to know of is what it knows. */
export function asConcerning(member: Member): Member {
  const condition = concerning(member);
  if (isReleased(member)) return { ...member, notified: null };
  // A message that may have been received said something else.
  if (member.queued !== null && member.queued !== condition && member.notified === condition)
    return { ...member, notified: member.queued === "ok" ? null : member.queued };
  if (condition === member.condition) return member;
  return { ...member, condition, since: member.notifiedSince ?? member.since };
}

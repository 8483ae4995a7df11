import type { Severity } from "../incident/states.ts";

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
  /** Why nobody is notified of it for now; null: nothing holds it back. */
  heldBy: HeldBy | null;
  /** It is not checked any more, on purpose: people are not notified; machine channels close their alert. */
  isUnwatched: boolean;
}

/** `maintenance`: a window is running. `parent`: this channel was notified of what it depends on. */
export type HeldBy = "maintenance" | "parent";

/** A monitor of an alert. */
export interface Member extends Observed {
  /** What the channel was last notified of, acknowledged by the other side; null: of nothing. */
  notified: Condition | null;
  notifiedAt: number | null;
  /** Since when that was so. */
  notifiedSince: number | null;
  /** It went wrong and recovered while quiet hours held it: the next notification mentions it. */
  missed: { condition: Condition; since: number; until: number } | null;
  /** Of a machine channel: what the newest event in its outbox says, delivered or not. */
  queued: Condition | null;
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
}

/** Why an alert is as it is, for people who look at it. */
export type AlertReason =
  | "sending"
  | "delivered"
  | "failing"
  | "group_interval"
  | "quiet_hours"
  | "filtered"
  | "maintenance"
  | "parent"
  | "inactive"
  | "recovered_unnotified";

/** What a notification that is on its way says; applied when the other side has it. */
export interface Sending {
  deliveryId: string;
  says: readonly { monitorId: number; condition: Condition }[];
  missed: readonly number[];
  posts: readonly number[];
  isReminder: boolean;
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
  acknowledgedAt: number | null;
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
}

/** What kind of reader a channel has. People: one message about all that changed. Pager: the same, as one alert. Machine: every event singly. */
export type Reader = "people" | "pager" | "machine";

/** How a channel wants to be notified. */
export interface Policy {
  reader: Reader;
  /** It is on, and confirmed. */
  isActive: boolean;
  /** It was disabled by what the other side answered: what is due is tried all the same, once a day. */
  isTried: boolean;
  /** When its quiet hours end, if they hold at that time; null: they do not. */
  quietUntil(at: number): number | null;
  groupWaitMs: number;
  groupIntervalMs: number;
  /** While nobody acknowledges, by severity; 0: never. */
  repeatMs(severity: Severity): number;
}

/** What happens to an alert. */
export type AlertEvent =
  /** The incident's monitors as they are, and when something of it changed; those that are not named belong to it no more. */
  | { type: "observed"; members: readonly Observed[]; acknowledgedAt: number | null; at?: number }
  /** One event of one monitor, for machine channels. */
  | { type: "happened"; eventId: number; monitorId: number; condition: Condition; isWanted: boolean }
  | { type: "posted"; post: Post }
  | { type: "delivered"; deliveryId: string; says?: Sending["says"] }
  /** Refused, too, and given up: nobody was notified. */
  | { type: "failed"; deliveryId: string; retryAt: number; says?: Sending["says"] }
  /** The clock went on, or the policy changed. `deliveryId`: what a notification would be called. */
  | { type: "time"; deliveryId: string }
  | { type: "policy" };

/** What is sent. Lists are in order of severity, then of time. */
export interface Notification {
  deliveryId: string;
  kind: "opened" | "updated" | "resolved" | "reminder" | "event";
  /** What is wrong now, of what the channel wants. */
  current: readonly Member[];
  /** Those of them that it is notified of for the first time. */
  added: readonly number[];
  /** What it was notified of and is over. */
  recovered: readonly Member[];
  missed: readonly Member[];
  /** To send word for word. */
  posts: readonly Post[];
}

export interface Stepped {
  alert: Alert;
  notifications: readonly Notification[];
}

/** An alert that nothing has happened to yet. */
export const newAlert = (): Alert => ({
  state: "pending",
  reason: null,
  members: [],
  posts: [],
  isOpen: false,
  acknowledgedAt: null,
  lastSentAt: null,
  nextAt: null,
  dueSince: null,
  wasHeld: false,
  retryAt: null,
  failures: 0,
  sending: null,
});

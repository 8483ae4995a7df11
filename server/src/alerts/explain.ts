import type { Incident } from "../incidents/queries/incidents.ts";
import type { Db } from "../platform/database/schema.ts";
import type { AlertReason } from "../platform/database/tables/notifications.ts";
import type { Severity } from "../platform/monitor-defaults.ts";
import { type Alert, incidentOf, incidentSubject, isInDelivery, monitorSubject } from "./alert.ts";
import type { ChannelEvent } from "./channels/filter.ts";
import { type DeliveryConfig, inactiveWhy, policyOf, readerOf } from "./policy.ts";
import { listAlertSubjects } from "./queries/alert-events.ts";
import {
  emptyAlert,
  listAlertsOf,
  listFailingChannels,
  listPendingTries,
  type StoredAlert,
} from "./queries/alerts.ts";
import { type Channel, listChannelsFor, listTurnedOff } from "./queries/channels.ts";
import { step } from "./rules.ts";
import { interestsOf, observedBy, subjectIn, withParents } from "./scene.ts";
import { type MonitorTruth, readTruth } from "./truth.ts";

/** What a channel was notified of an incident, and what it waits for. Milliseconds. */
export interface ChannelNotification {
  channel: Pick<Channel, "id" | "name" | "type" | "userId">;
  /** `notified`: it knows what is wrong; `resolved`: and that it is over; `waiting`: a message is to be sent; `none`: it is sent nothing, or nothing more. */
  state: "notified" | "resolved" | "waiting" | "none";
  why: NotificationReason | null;
  /** What its filter wants, where that leaves the incident out. */
  wants: ChannelWants | null;
  /** When it was last sent something, and when the next message is sent or attempted. */
  sentAt: number | null;
  nextAt: number | null;
  /** When the channel was turned off, if that is the reason and the time was stored. */
  since: number | null;
}

/** The parts of a filter that leave something out. */
export interface ChannelWants {
  events?: ChannelEvent[];
  severities?: Severity[];
  tags?: string[];
}

/** Why a channel is sent nothing, or nothing yet. A filter is named by the condition that the incident does not meet. */
export type NotificationReason =
  | Exclude<AlertReason, "filtered" | "inactive" | "delivered">
  | "throttled"
  | "event"
  | "severity"
  | "tags"
  | "shared_mail"
  | "off"
  | "disabled"
  | "unconfirmed"
  | "no_mail"
  | "added_later";

/** A message about an outage that ended before it could be sent is prepared within this time. */
const PREPARED_MS = 60_000;

interface Known {
  config: DeliveryConfig;
  interests: ReturnType<typeof interestsOf>;
  /** The monitors with an outage in it, and those of them that have one now. */
  affected: readonly MonitorTruth[];
  open: readonly MonitorTruth[];
  /** When the last of its outages was over. */
  endedAt: number;
  now: number;
}

/** What of it concerns one channel. */
interface Own {
  alerts: readonly StoredAlert[];
  tries: ReadonlyMap<number, { nextTryAt: number; attempts: number }>;
  /** When what comes before it in the channel, and failed, is tried again; null: nothing did. */
  failingUntil: number | null;
  since: number | null;
}

/** What each channel of the organization, and each of that person's own, was notified of an incident, by the same rules as it is sent. */
export async function explainIncident(
  db: Db,
  config: DeliveryConfig,
  incident: Incident,
  { userId, now }: { userId: number; now: number },
): Promise<ChannelNotification[]> {
  const outages = incident.affectedServices.filter(({ outageStartedAt }) => outageStartedAt !== null);
  // What is down behind them has no outage of its own.
  const behind = await listAlertSubjects(db, { subjects: [incidentSubject(incident.id)] });
  const monitorIds = [...new Set([...outages, ...behind].flatMap(({ monitorId }) => monitorId ?? []))];
  const truth = await withParents(db, await readTruth(db, monitorIds));
  const affected = monitorIds.flatMap((id) => truth.get(id) ?? []);
  const channels = await listChannelsFor(db, incident.organizationId, userId);
  const off = await listTurnedOff(
    db,
    channels.map(({ id }) => id),
  );
  const known: Known = {
    ...{ config, affected, now, interests: interestsOf(channels, truth, { config, now }) },
    open: affected.filter((one) => subjectIn(truth, one.monitorId) === incidentSubject(incident.id)),
    endedAt: Math.max(incident.startedAt, ...outages.map(({ outageEndedAt }) => outageEndedAt ?? 0)),
  };
  const alerts = await listAlertsAbout(db, incident, monitorIds, known);
  const tries = await listPendingTries(
    db,
    alerts.map(({ id }) => id),
  );
  const failing = await listFailingChannels(
    db,
    channels.map(({ id }) => id),
  );
  return channels.map((channel) => {
    const own = {
      alerts: alerts.filter(({ channelId }) => channelId === channel.id),
      ...{ tries, since: off.get(channel.id)?.at ?? null },
      failingUntil: failing.get(channel.id) ?? null,
    };
    return channelNotificationOf(channel, own, known);
  });
}

/** The alerts that speak for an incident: its own, those of a machine for its monitors, and one that a pager keeps its monitors in. */
async function listAlertsAbout(
  db: Db,
  { id, startedAt }: Incident,
  monitorIds: readonly number[],
  { open, endedAt }: Pick<Known, "open" | "endedAt">,
): Promise<StoredAlert[]> {
  const own = incidentSubject(id);
  const alertSubjects = await listAlertSubjects(db, { monitorIds: open.map(({ monitorId }) => monitorId) });
  const subjects = [own, ...monitorIds.map(monitorSubject), ...alertSubjects.map((one) => one.subject)];
  const until = open.length > 0 ? Number.POSITIVE_INFINITY : endedAt + PREPARED_MS;
  const isOpen = new Set(open.map(({ monitorId }) => monitorId));
  return (await listAlertsOf(db, [...new Set(subjects)])).filter(
    ({ subject, createdAt, resolvedAt, alert }) => {
      if (subject === own) return true;
      if (incidentOf(subject) !== null) return alert.members.some((one) => isOpen.has(one.monitorId));
      return createdAt <= until && (resolvedAt === null || resolvedAt >= startedAt);
    },
  );
}

function channelNotificationOf(channel: Channel, own: Own, known: Known): ChannelNotification {
  const { id, name, type, userId } = channel;
  const isOver = known.open.length === 0;
  const inactive = inactiveWhy(known.config, channel);
  const sentAt = Math.max(0, ...own.alerts.map(({ alert }) => alert.lastSentAt ?? 0)) || null;
  const unstored = own.alerts.length > 0 || isOver ? [] : [unstoredAlert(channel, known)];
  const pending = [...own.alerts, ...unstored].find(
    ({ id: alertId, alert }) => isPending(alert) || own.tries.has(alertId),
  );
  const next = pending ? waitingFor(channel, pending, own, known.now) : null;
  const reached = sentAt === null ? "none" : stateOf(own.alerts, inactive);
  const state = pending && !inactive ? "waiting" : reached;
  const silent = () => inactive ?? silentWhy(channel, own.alerts[0] ?? unstored[0], known);
  const why = state === "waiting" ? (next?.why ?? null) : state === "none" ? silent() : null;
  return {
    channel: { id, name, type, userId },
    ...{ state, why, sentAt },
    wants: why === "event" || why === "severity" || why === "tags" ? wantsOf(channel, known) : null,
    nextAt: inactive === null || inactive === "disabled" ? (next?.at ?? reminderOf(own.alerts)) : null,
    since: why === "off" || why === "disabled" ? own.since : null,
  };
}

/** What was notified and is switched off by now is not notified of the end. */
const stateOf = (
  alerts: readonly StoredAlert[],
  inactive: NotificationReason | null,
): ChannelNotification["state"] => {
  if (!alerts.some(({ alert }) => alert.state === "firing")) return "resolved";
  return inactive ? "none" : "notified";
};

/** Whether something is to be sent, or on its way. A machine's events are in the outbox. */
const isPending = ({ dueSince, nextAt, sending, members }: Alert): boolean =>
  sending !== null || (dueSince !== null && nextAt !== null) || members.some(isInDelivery);

/** What a message that is to be sent waits for, and until when. */
function waitingFor(
  { type, heldUntil }: Channel,
  { id, alert }: StoredAlert,
  { tries, failingUntil }: Own,
  now: number,
): { why: NotificationReason; at: number | null } {
  const { nextAt, sending, reason } = alert;
  const queued = tries.get(id);
  if (heldUntil !== null && heldUntil > Math.max(now, nextAt ?? 0)) return { why: "failing", at: heldUntil };
  if (nextAt === null && queued && queued.attempts > 0 && queued.nextTryAt > now)
    return { why: "failing", at: queued.nextTryAt };
  if (nextAt === null && failingUntil !== null) return { why: "failing", at: failingUntil };
  const isNamed = reason !== null && reason !== "delivered" && reason !== "inactive" && reason !== "filtered";
  if (isNamed && !sending) return { why: reason, at: nextAt };
  const isThrottled = nextAt !== null && nextAt > now && readerOf(type) !== "machine";
  return { why: isThrottled ? "throttled" : "sending", at: nextAt };
}

const reminderOf = (alerts: readonly StoredAlert[]): number | null =>
  alerts.find(({ alert }) => alert.nextAt !== null)?.alert.nextAt ?? null;

/** The alert as it would be if it were stored. */
function unstoredAlert(channel: Channel, { config, interests, open, now }: Known): StoredAlert {
  const policy = policyOf(config, channel);
  const members = open.map((truth) => observedBy(interests, channel, truth));
  const empty = emptyAlert(channel, "", now);
  const observed = { type: "observed" as const, members };
  return { ...empty, alert: step(empty.alert, observed, policy, now).alert };
}

/** Why a channel that would be sent something was sent nothing. */
function silentWhy(
  channel: Channel,
  stored: StoredAlert | undefined,
  known: Known,
): NotificationReason | null {
  const reason = stored?.alert.reason ?? null;
  if (reason === "maintenance" || reason === "parent" || reason === "recovered_unnotified") return reason;
  if (known.open.length === 0) {
    if (channel.createdAt > known.endedAt) return "added_later";
    // What its filter is now says nothing of then.
    if (channel.updatedAt > known.endedAt) return null;
  }
  return filteredWhy(channel, known) ?? (known.open.length === 0 ? "recovered_unnotified" : null);
}

/** What of a filter leaves all of it out; of what is over, as if it went on. */
function filteredWhy(channel: Channel, known: Known): NotificationReason | null {
  if (!isLeftOut(channel, known)) return null;
  const { events, severities, tags } = wantsOf(channel, known) ?? {};
  if (events) return "event";
  if (severities) return "severity";
  return tags ? "tags" : "shared_mail";
}

/** The parts of a filter that leave all of it out; where only several do together, those. */
function wantsOf(channel: Channel, known: Known): ChannelWants | null {
  const { events, severities, tags } = channel;
  const nothing = { events: [], severities: [], tags: [] };
  const parts = [{ events }, { severities }, { tags }].filter((part) =>
    Object.values(part).some((wanted) => wanted.length > 0),
  );
  if (isLeftOut({ ...channel, ...nothing }, known)) return null;
  const alone = parts.filter((part) => isLeftOut({ ...channel, ...nothing, ...part }, known));
  return Object.assign({}, ...(alone.length > 0 ? alone : parts));
}

const isLeftOut = (channel: Channel, { open, affected, interests }: Known): boolean => {
  const concerned =
    open.length > 0 ? open : affected.map((truth) => ({ ...truth, condition: "down" as const }));
  return !concerned.some((truth) => interests.wantedBy(channel, truth).isWanted);
};

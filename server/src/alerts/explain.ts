import type { Incident } from "../incidents/queries/incidents.ts";
import type { Db } from "../platform/database/schema.ts";
import type { AlertReason } from "../platform/database/tables/notifications.ts";
import type { Severity } from "../platform/monitor-defaults.ts";
import {
  type Alert,
  incidentOf,
  incidentSubject,
  isInDelivery,
  monitorSubject,
  notifiedCondition,
} from "./alert.ts";
import type { ChannelEvent } from "./channels/filter.ts";
import { type DeliveryConfig, inactiveWhy, policyOf, readerOf } from "./policy.ts";
import { listAlertSubjects } from "./queries/alert-events.ts";
import { emptyAlert, listAlertsOf, type StoredAlert } from "./queries/alerts.ts";
import { listFailingChannels, listPendingTries, type PendingTry } from "./queries/channel-deliveries.ts";
import { type Channel, listChannelsFor, listTurnedOff } from "./queries/channels.ts";
import { listAlertsNaming } from "./queries/incident-deliveries.ts";
import { step } from "./rules.ts";
import { interestsOf, observedBy, subjectIn, withParents } from "./scene.ts";
import { type MonitorTruth, readTruth } from "./truth.ts";

/** What a channel was notified of an incident, and what it waits for. Milliseconds. */
export interface ChannelNotification {
  channel: Pick<Channel, "id" | "name" | "type" | "userId">;
  /** `notified`: it knows what is wrong; `resolved`: and that it is over; `waiting`: a message is to be sent; `none`: it is sent nothing, or nothing more. */
  state: "notified" | "resolved" | "waiting" | "none";
  /** Of `notified`: which part of its filter leaves something out. */
  why: NotificationReason | null;
  /** What its filter wants, where that leaves the incident out, or something of it. */
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
  incident: Incident;
  outages: readonly Outage[];
  /** The monitors with an outage in it, and those of them that have one now. */
  affected: readonly MonitorTruth[];
  open: readonly MonitorTruth[];
  /** When the first of its outages began, and the last one was over. */
  beganAt: number;
  endedAt: number;
  now: number;
}

/** An outage of the incident; `endedAt` null: it goes on. */
interface Outage {
  monitorId: number | null;
  startedAt: number;
  endedAt: number | null;
}

/** What of it concerns one channel. */
interface Own {
  alerts: readonly StoredAlert[];
  tries: ReadonlyMap<number, PendingTry>;
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
  const outages = outagesOf(incident);
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
    ...{ config, incident, outages, affected, now },
    interests: interestsOf(channels, truth, { config, now }),
    open: affected.filter((one) => subjectIn(truth, one.monitorId) === incidentSubject(incident.id)),
    beganAt: Math.min(...outages.map(({ startedAt }) => startedAt)),
    endedAt: Math.max(incident.startedAt, ...outages.map(({ endedAt }) => endedAt ?? 0)),
  };
  const alerts = await listAlertsAbout(db, monitorIds, channels, known);
  const tries = await listPendingTries(
    db,
    alerts.map(({ id }) => id),
    now,
  );
  const failing = await listFailingChannels(
    db,
    channels.map(({ id }) => id),
    now,
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

const outagesOf = ({ affectedServices }: Incident): Outage[] =>
  affectedServices.flatMap(({ monitorId, outageStartedAt: startedAt, outageEndedAt: endedAt }) =>
    startedAt === null ? [] : { monitorId, startedAt, endedAt },
  );

/** The alerts that speak for an incident: its own, those of a machine for its monitors, and one that a pager keeps its monitors in. */
async function listAlertsAbout(
  db: Db,
  monitorIds: readonly number[],
  channels: readonly Channel[],
  { incident, outages, open, endedAt }: Known,
): Promise<StoredAlert[]> {
  const own = incidentSubject(incident.id);
  const { startedAt } = incident;
  const isOver = open.length === 0;
  const until = isOver ? endedAt + PREPARED_MS : Number.MAX_SAFE_INTEGER;
  const pagers = channels.filter(({ type }) => readerOf(type) === "pager");
  // What is over is in no alert any more: a message said it.
  const shared = isOver
    ? await listAlertsNaming(db, { channels: pagers, outages, from: startedAt, until })
    : await listAlertSubjects(db, { monitorIds: open.map(({ monitorId }) => monitorId) });
  const subjects = [own, ...monitorIds.map(monitorSubject), ...shared.map(({ subject }) => subject)];
  const named = new Set(shared.flatMap((one) => ("id" in one ? one.id : [])));
  const isOpen = new Set(open.map(({ monitorId }) => monitorId));
  return (await listAlertsOf(db, [...new Set(subjects)])).filter(
    ({ id, subject, createdAt, resolvedAt, alert }) => {
      if (subject === own || named.has(id)) return true;
      if (incidentOf(subject) !== null) return alert.members.some((one) => isOpen.has(one.monitorId));
      return createdAt <= until && (resolvedAt === null || resolvedAt >= startedAt);
    },
  );
}

function channelNotificationOf(channel: Channel, own: Own, known: Known): ChannelNotification {
  const { id, name, type, userId } = channel;
  const inactive = inactiveWhy(known.config, channel);
  // What was sent before any of it began is about an earlier outage.
  const sent = own.alerts.filter(({ alert }) => (alert.lastSentAt ?? 0) >= known.beganAt);
  const sentAt = Math.max(0, ...sent.map(({ alert }) => alert.lastSentAt ?? 0)) || null;
  const unstored = own.alerts.length > 0 || isOver(known) ? [] : [unstoredAlert(channel, known)];
  const pending = [...own.alerts, ...unstored].find(
    ({ id: alertId, alert }) => isPending(alert) || own.tries.has(alertId),
  );
  const next = pending ? waitingFor(channel, pending, own, known.now) : null;
  const state = pending && !inactive ? "waiting" : stateOf(channel, { sent, sentAt, inactive }, known);
  const left = state === "notified" ? leftOut(channel, known) : null;
  const silent = () => inactive ?? silentWhy(channel, own.alerts[0] ?? unstored[0], known);
  const why = state === "waiting" ? (next?.why ?? null) : state === "none" ? silent() : (left?.why ?? null);
  const isFiltered = why === "event" || why === "severity" || why === "tags";
  return {
    channel: { id, name, type, userId },
    ...{ state, why, sentAt },
    wants: isFiltered ? (left ?? filteredBy(channel, concernedOf(known), known)).wants : null,
    nextAt: inactive === null || inactive === "disabled" ? (next?.at ?? reminderOf(own.alerts)) : null,
    since: why === "off" || why === "disabled" ? own.since : null,
  };
}

const isOver = ({ open }: Known): boolean => open.length === 0;

/** What it was notified of. What was notified and is switched off by now is not notified of the end. */
function stateOf(
  channel: Channel,
  {
    sent,
    sentAt,
    inactive,
  }: { sent: readonly StoredAlert[]; sentAt: number | null; inactive: NotificationReason | null },
  known: Known,
): ChannelNotification["state"] {
  if (sentAt === null) return "none";
  const isFiring = sent.some((one) => isFiringFor(one, known));
  if (isOver(known) && !isFiring && sentAt >= endFor(channel, known)) return "resolved";
  return inactive || (!isFiring && !isOver(known)) ? "none" : "notified";
}

/** Whether the channel knows that something of the incident is wrong, and not that it is over. */
const isFiringFor = ({ subject, alert }: StoredAlert, { incident, affected }: Known): boolean =>
  (alert.isOpen && subject === incidentSubject(incident.id)) ||
  alert.members.some(
    (one) => notifiedCondition(one) !== "ok" && affected.some(({ monitorId }) => monitorId === one.monitorId),
  );

/** When all of it was over that a channel wants: what it was sent from then on says so. */
function endFor(channel: Channel, { affected, outages, interests, endedAt }: Known): number {
  const wanted = new Set(
    affected.flatMap((one) => (interests.wantedBy(channel, asDown(one)).isWanted ? one.monitorId : [])),
  );
  const ends = outages.flatMap((one) => (wanted.has(one.monitorId ?? 0) ? (one.endedAt ?? []) : []));
  return ends.length > 0 ? Math.max(...ends) : endedAt;
}

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
  if (queued?.isRunning) return { why: "sending", at: null };
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
  if (isOver(known)) {
    if (channel.createdAt > known.endedAt) return "added_later";
    // What its filter is now says nothing of then.
    if (channel.updatedAt > known.endedAt) return null;
  }
  const concerned = concernedOf(known);
  if (!concerned.some((one) => known.interests.wantedBy(channel, one).isWanted))
    return filteredBy(channel, concerned, known).why;
  return isOver(known) ? "recovered_unnotified" : null;
}

/** What is down; of what is over, all of it as if it went on. */
const concernedOf = ({ open, affected }: Known): readonly MonitorTruth[] =>
  open.length > 0 ? open : affected.map(asDown);

const asDown = (truth: MonitorTruth): MonitorTruth => ({ ...truth, condition: "down" });

interface Filtered {
  why: "event" | "severity" | "tags" | "shared_mail";
  wants: ChannelWants | null;
}

/** What of a filter leaves a part of it out, or its end, where the channel was notified of the rest. */
function leftOut(channel: Channel, known: Known): Filtered | null {
  if (isOver(known) && channel.updatedAt > known.endedAt) return null;
  const wantedBy = (one: MonitorTruth) => known.interests.wantedBy(channel, one);
  const concerned = concernedOf(known);
  const left = concerned.filter((one) => !wantedBy(one).isWanted);
  if (left.length > 0) return filteredBy(channel, left, known);
  const isEndWanted = !isOver(known) || concerned.some((one) => wantedBy(one).isEndWanted);
  return isEndWanted ? null : { why: "event", wants: { events: channel.events } };
}

/** The parts of a filter that leave out all of these; where only several do together, those. */
function filteredBy(channel: Channel, concerned: readonly MonitorTruth[], { interests }: Known): Filtered {
  const { events, severities, tags } = channel;
  const nothing = { events: [], severities: [], tags: [] };
  const isLeftOut = (filter: Partial<Channel>) =>
    !concerned.some((one) => interests.wantedBy({ ...channel, ...nothing, ...filter }, one).isWanted);
  if (isLeftOut({})) return { why: "shared_mail", wants: null };
  const parts = [{ events }, { severities }, { tags }].filter((part) =>
    Object.values(part).some((wanted) => wanted.length > 0),
  );
  const alone = parts.filter(isLeftOut);
  const wants: ChannelWants = Object.assign({}, ...(alone.length > 0 ? alone : parts));
  return { why: wants.events ? "event" : wants.severities ? "severity" : "tags", wants };
}

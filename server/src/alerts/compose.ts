import type { MonitorNotificationEvent, MonitorState, WatchEnded } from "../engine/status/state.ts";
import { listOutageIncidents, outageKey } from "../incidents/queries/affected-services.ts";
import { listMessageMonitors, type MessageMonitor } from "../monitors/queries/monitor-names.ts";
import type { Db } from "../platform/database/schema.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { partition } from "../platform/lru-cache.ts";
import { mapInTurns } from "../platform/turns.ts";
import {
  bySeverity,
  type Condition,
  incidentOf,
  type Member,
  type Notification,
  type Post,
  rankOf,
  rankOfCondition,
} from "./alert.ts";
import { digestOf } from "./channels/digest.ts";
import { type AlertItem, type Message, newMessage } from "./channels/message.ts";
import { notificationMessage, notificationType } from "./event-rules.ts";
import type { StoredAlert } from "./queries/alerts.ts";
import type { Channel } from "./queries/channels.ts";
import { listOutageMessages } from "./queries/notifications.ts";
import { type MonitorTruth, readTruth } from "./truth.ts";

/** A message to a machine channel, as it comes from its event. */
export interface QueuedMessage {
  channel: Channel;
  /** Of the alert that it is of. */
  subject: string;
  message: Message;
}

/** What is to be sent of an alert. */
export interface Part {
  stored: StoredAlert;
  notification: Notification;
}

/** What messages say of monitors, as these are when they are sent. */
interface Known {
  monitors: ReadonlyMap<number, MessageMonitor>;
  truth: ReadonlyMap<number, MonitorTruth>;
  outageMessages: ReadonlyMap<string, MessageDescriptor>;
  /** The incidents of outages. */
  incidents: ReadonlyMap<string, number>;
  now: number;
}

/** One message for a person or a pager that says what these parts come to; null: nothing is left to say. */
export async function messageOf(
  db: Db,
  parts: readonly Part[],
  { now, isSummary }: { now: number; isSummary: boolean },
): Promise<Message | null> {
  const known = await readKnown(db, parts, now);
  const [only] = parts;
  const whole = parts.length === 1 && only ? messagesOf(only, known) : [];
  const isOne = parts.length === 1 && whole.length <= 1;
  const singly = isOne
    ? []
    : await mapInTurns(withoutEarlier(parts), (part) => ({ part, own: singleMessages(part, known) }));
  // What is only down behind something has no message of its own, unless there is nothing else to say of it.
  const own = singly.flatMap((one) => (one.own.length > 0 ? one.own : heldMessages(one.part, known)));
  const others = singly.flatMap((one) => (one.own.length > 0 ? one.part : []));
  const message =
    own.length > 0 ? digestOf(own.toSorted(mostSevereFirst), isSummary, othersOf(others, known)) : whole[0];
  if (!message) return null;
  const outages = parts.flatMap(({ notification }) => notification.current.flatMap(openOutage));
  return { ...message, ...(outages.length > 0 && { outages }) };
}

/** Without the ends of earlier outages of what is wrong now, in whatever alert that is: a digest says no end of what goes on. */
function withoutEarlier(parts: readonly Part[]): Part[] {
  const wrong = new Set(
    parts.flatMap(({ notification }) => notification.current.map(({ monitorId }) => monitorId)),
  );
  const isOver = ({ monitorId }: Member) => !wrong.has(monitorId);
  return parts.map(({ stored, notification }) => {
    const { recovered, missed } = notification;
    return {
      stored,
      notification: { ...notification, recovered: recovered.filter(isOver), missed: missed.filter(isOver) },
    };
  });
}

/** What goes on beside what a digest says, by name, the most severe first. */
function othersOf(parts: readonly Part[], { monitors }: Known) {
  const namesOf = (some: readonly Member[]) =>
    some.toSorted(bySeverity).flatMap(({ monitorId }) => monitors.get(monitorId)?.name ?? []);
  const going = parts.flatMap(({ notification: { isReminder, current } }) =>
    isReminder ? [] : current.filter(({ notified, condition }) => notified === condition),
  );
  return {
    goingOn: namesOf(going),
    held: namesOf(parts.flatMap(({ notification }) => notification.held)),
  };
}

const openOutage = ({ monitorId, condition, since }: Member) =>
  ["down", "critical", "flapping"].includes(condition) ? [{ monitorId, startedAt: since }] : [];

/** A message for each of these parts, which are events for a machine. */
export async function machineMessages(db: Db, parts: readonly Part[], now: number): Promise<Message[]> {
  const known = await readKnown(db, parts, now);
  return parts.flatMap((part) => {
    const [message] = singleMessages(part, known, true);
    const [post] = part.notification.posts;
    return message ? { ...message, ...(post && { postId: post.eventId }) } : [];
  });
}

async function readKnown(db: Db, parts: readonly Part[], now: number): Promise<Known> {
  const members = parts.flatMap(({ notification }) => {
    const { current, recovered, missed, held } = notification;
    return [...current, ...recovered, ...missed, ...held];
  });
  const ids = [...new Set(members.flatMap(({ monitorId, parentId }) => [monitorId, parentId ?? monitorId]))];
  const began = members.map((one) => ({ monitorId: one.monitorId, startedAt: sinceOf(one) }));
  return {
    monitors: await listMessageMonitors(db, ids),
    truth: await readTruth(db, ids),
    outageMessages: began.length > 0 ? await listOutageMessages(db, began) : new Map(),
    incidents: began.length > 0 ? await listOutageIncidents(db, began) : new Map(),
    now,
  };
}

/** When what it was, or is, notified of began. */
const sinceOf = ({ condition, since, notifiedSince, missed }: Member): number => {
  if (missed) return missed.since;
  return condition === "ok" ? (notifiedSince ?? since) : since;
};

/** What an alert's notification says: in one message, or the several that people wrote. */
function messagesOf(part: Part, known: Known): Message[] {
  const { notification, stored } = part;
  const { current, recovered, missed, held } = notification;
  const posts = postsOf(part);
  const isChanged =
    current.some((one) => one.notified !== one.condition) ||
    recovered.length + missed.length + held.length > 0;
  const whole = isChanged || posts.length === 0 ? alertMessage(part, known) : null;
  const incidentId = incidentOf(stored.subject);
  const written = posts.map(({ descriptor }) => descriptor);
  if (whole) return [{ ...whole, ...(posts.length > 0 && { written }) }];
  return posts.map((post) => ({ ...post, incidentId: post.incidentId ?? incidentId }));
}

/** What people wrote; of what quiet hours held, the newest. */
const postsOf = ({ notification: { posts }, stored }: Part): Message[] =>
  (stored.alert.wasHeld ? posts.slice(-1) : posts).map(({ content }: Post) => content as Message);

/**
 * The same as one message for each monitor, which is how a digest lists them. Details of what is going on are already known.
 */
function singleMessages(part: Part, known: Known, isMachine = false): Message[] {
  const { notification, stored } = part;
  const { current, recovered, missed, isReminder } = notification;
  const incidentId = incidentOf(stored.subject);
  const isSaid = (one: Member) => isMachine || isReminder || one.notified !== one.condition;
  const messages = [
    ...current.filter(isSaid).map((one) => ({ one, said: problemMessage(one, known, isReminder) })),
    ...[...recovered, ...missed].map((one) => ({ one, said: endMessage(one, known) })),
  ];
  const singly = messages.flatMap(({ one, said }) =>
    said ? { ...said, incidentId: incidentId ?? incidentOfOutage(one, known) } : [],
  );
  return [...singly, ...postsOf(part)];
}

const heldMessages = ({ notification }: Part, known: Known): Message[] =>
  notification.held.flatMap((one) => leadMessage(one, notification, known) ?? []);

/** A monitor may flap for longer than, or not as long as, the outage that it has meanwhile. */
function incidentOfOutage(one: Member, { incidents, truth }: Known): number | null {
  const open = one.condition === "ok" ? null : truth.get(one.monitorId)?.incidentId;
  return incidents.get(outageOf(one)) ?? open ?? null;
}

const outageOf = (one: Member): string => outageKey({ monitorId: one.monitorId, startedAt: sinceOf(one) });

const severityOf = (message: Message) => ({
  severity: message.monitor?.severity ?? message.severity ?? "low",
});

const mostSevereFirst = (a: Message, b: Message): number =>
  rankOf(severityOf(b)) - rankOf(severityOf(a)) || a.at - b.at;

/** One message of all that an alert's notification says. */
function alertMessage({ notification, stored }: Part, known: Known): Message | null {
  const { isReminder, current, missed, held } = notification;
  const [unwatched, recovered] = partition(notification.recovered, isGone);
  const changed = current.filter((one) => one.notified !== one.condition);
  const reported = [changed, recovered, missed, held, unwatched].find(({ length }) => length > 0);
  const named = isReminder ? current : reported;
  const lead = named?.toSorted(worstFirst)[0];
  if (!lead || !named) return null;
  const isEnd = named === recovered || named === missed || named === unwatched;
  const message = isEnd ? endMessage(lead, known) : leadMessage(lead, notification, known);
  if (!message) return null;
  const goingOn = current.filter((one) => !named.includes(one));
  const rest = (some: readonly Member[]) => (some === named ? [] : some);
  const others = {
    goingOn,
    recovered: rest(recovered),
    missed: rest(missed),
    held: rest(held),
    unwatched: rest(unwatched),
  };
  const isSingle = named.length === 1 && Object.values(others).every(({ length }) => length === 0);
  const whole: Message = { ...message, incidentId: incidentOf(stored.subject) };
  if (isSingle) return whole;
  const items = (some: readonly Member[]) => some.flatMap((one) => itemOf(one, known) ?? []);
  const names = items(named).map(({ name }) => name);
  return {
    ...whole,
    ...(named.length > 1 && { members: { names, count: named.length } }),
    ...(isEnd && { at: Math.max(...named.map(endOf)) }),
    ...(isEnd && goingOn.length > 0 && { isPartial: true, type: "warning" as const }),
    severity: (current.length > 0 ? current : named).toSorted(bySeverity)[0]?.severity ?? "low",
    alert: {
      named: named.length > 1 ? items(named) : [],
      goingOn: items(goingOn),
      recovered: items(others.recovered),
      missed: items(others.missed),
      held: items(others.held),
      unwatched: items(others.unwatched),
    },
  };
}

const worstFirst = (a: Member, b: Member): number =>
  rankOfCondition(b.condition) - rankOfCondition(a.condition) || bySeverity(a, b);

/** What is said of the one that speaks for all of them. */
function leadMessage(
  lead: Member,
  { isReminder, held }: Pick<Notification, "isReminder" | "held">,
  known: Known,
): Message | null {
  const message = problemMessage(lead, known, isReminder);
  const parent = known.monitors.get(lead.parentId ?? 0);
  if (!message || !parent || !held.includes(lead)) return message;
  const { name, since } = { name: message.monitor?.name ?? "", since: new Date(lead.since).toISOString() };
  const because = message.reason && { because: message.reason };
  const said = msg("notification.behind", { name, since, parent: parent.name });
  return { ...message, descriptor: { ...said, ...because } };
}

function itemOf(member: Member, known: Known): AlertItem | null {
  const monitor = known.monitors.get(member.monitorId);
  if (!monitor) return null;
  const isWrong = member.condition !== "ok";
  return {
    ...{ name: monitor.name, severity: member.severity, condition: member.condition },
    ...(!isWrong && { was: endedOf(member) }),
    ...(monitor.kind === "device" && { isDevice: true }),
    reason: isWrong ? reasonOf(member, known) : null,
    since: sinceOf(member),
    until: member.missed?.until ?? null,
  };
}

/** What is wrong with a monitor. */
function problemMessage(member: Member, known: Known, isReminder: boolean): Message | null {
  const monitor = known.monitors.get(member.monitorId);
  if (!monitor) return null;
  const { condition, since: at } = member;
  const said = (isReminder ? reminderMessage : problemMessageOf)(member, monitor, known);
  const event = eventOfCondition(condition);
  return newMessage({
    event: isReminder ? "reminder" : event,
    type: isReminder ? "error" : notificationType({ event, outageAt: null }),
    ...{ at, descriptor: said, reason: said.because ?? null, monitor },
    locations: failingFrom(known.truth.get(member.monitorId)?.state),
  });
}

function reminderMessage(member: Member, { name, kind }: MessageMonitor, known: Known): MessageDescriptor {
  const because = reasonOf(member, known);
  const code = kind === "device" ? "notification.reminder_device" : "notification.reminder";
  return {
    ...msg(code, { name, lasted: Math.max(0, known.now - member.since) }),
    ...(because && { because }),
  };
}

/** As the rules call what is wrong. */
function eventOfCondition(condition: Condition): MonitorNotificationEvent {
  if (condition === "ok") return "monitor.up";
  return condition === "critical" ? "monitor.down" : `monitor.${condition}`;
}

/** In the words of its notification, where it had one. */
function problemMessageOf(member: Member, monitor: MessageMonitor, known: Known): MessageDescriptor {
  const { condition, since: at, monitorId } = member;
  const noted = known.outageMessages.get(outageKey({ monitorId, startedAt: at }));
  const isCritical = condition === "critical";
  const code = noted?.code;
  const isOf = code !== "notification.down_among" && (code === "notification.critical") === isCritical;
  if (noted && isOf && (isCritical || condition === "down")) return noted;
  const reason = reasonOf(member, known);
  const own = {
    type: "notification",
    event: eventOfCondition(condition),
    at,
    reason,
    outageAt: null,
  } as const;
  return notificationMessage(monitor, { ...own, ...(isCritical && { health: true as const }) }, null);
}

/** Why a monitor fails, by its latest failure; null: unknown. */
function reasonOf(
  { monitorId, since, condition }: Member,
  { truth, outageMessages }: Known,
): MessageDescriptor | null {
  const locations = Object.values(truth.get(monitorId)?.state?.locations ?? {});
  const failing = locations.filter(({ failures, reason }) => failures > 0 && reason !== null);
  const slow = locations.filter(({ reason }) => reason !== null);
  const noted = outageMessages.get(outageKey({ monitorId, startedAt: since }))?.because ?? null;
  return noted ?? failing[0]?.reason ?? (condition === "down" ? null : (slow[0]?.reason ?? null));
}

/** What it was notified of, or went by, and is over. */
const endedOf = ({ missed, notified, queued }: Member): Condition =>
  missed?.condition ?? ([notified, queued].find((one) => one && one !== "ok") || "down");

/** When what it was notified of was over. */
const endOf = (member: Member): number => Math.max(member.missed?.until ?? member.since, sinceOf(member));

/** Not checked any more, so not known to be up. */
const isGone = ({ isUnwatched, missed }: Member): boolean => isUnwatched && missed === null;

/** That what the channel was notified of is over, or went by while nothing was sent to it. */
function endMessage(member: Member, known: Known): Message | null {
  const monitor = known.monitors.get(member.monitorId);
  if (!monitor) return null;
  if (isGone(member))
    return unwatchedMessage(monitor, {
      at: member.since || known.now,
      reason: msg(known.truth.get(member.monitorId)?.isDeleted ? "watch.deleted" : "watch.paused"),
    });
  const begun = sinceOf(member);
  const at = endOf(member);
  const was = endedOf(member);
  const isOutage = was === "down" || was === "critical";
  const event: MonitorNotificationEvent = was === "flapping" ? "monitor.settled" : "monitor.up";
  const monitorNotification = {
    ...{ type: "notification" as const, event, at, reason: null },
    outageAt: isOutage || was === "flapping" ? begun : null,
    ...(was === "flapping" && { flappingSince: begun }),
    ...(was === "critical" && { health: true as const }),
  };
  const outageMs = isOutage ? at - begun : null;
  return newMessage({
    event,
    type: "success",
    ...{ at, descriptor: notificationMessage(monitor, monitorNotification, outageMs), monitor, outageMs },
  });
}

/** Codes of the locations that see a monitor fail. */
export const failingFrom = (state: Pick<MonitorState, "locations"> | null | undefined): string[] =>
  Object.entries(state?.locations ?? {}).flatMap(([code, { failures }]) => (failures > 0 ? code : []));

/** That a monitor is no longer checked, and why. */
export function unwatchedMessage(
  monitor: MessageMonitor,
  { at, reason }: Pick<WatchEnded, "at" | "reason">,
): Message {
  const said = msg("notification.unwatched", { name: monitor.name, since: new Date(at).toISOString() });
  const because = { descriptor: { ...said, because: reason }, reason };
  return newMessage({ event: "monitor.stopped", type: "info", at, monitor, ...because });
}

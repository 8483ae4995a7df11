import type { ChangedMonitor } from "../engine/status/advance-states.ts";
import type { IncidentNotifier, WrittenUpdate } from "../incidents/changed-incident.ts";
import { noteIncidents } from "../incidents/queries/incident-changes.ts";
import { titleMessage } from "../incidents/title-rules.ts";
import { insertNotedChanges, type NewNotedChange } from "../monitors/queries/monitor-changes.ts";
import { listMessageMonitors, type MessageMonitor } from "../monitors/queries/monitor-names.ts";
import type { Db } from "../platform/database/schema.ts";
import { plainText } from "../platform/formats/markdown.ts";
import { type Code, cleanedLines, type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import {
  type Condition,
  incidentOf,
  incidentSubject,
  isBeingSent,
  monitorSubject,
  type Post,
} from "./alert.ts";
import { type ChannelEvent, type IncidentEvent, wants } from "./channels/filter.ts";
import { cut, eventOf, type Message, newMessage, severityOf } from "./channels/message.ts";
import { failingFrom, type QueuedMessage, unwatchedMessage } from "./compose.ts";
import { conditionAfter, isLetThrough, isPostFor, isPostWanted } from "./policy.ts";
import type { AlertEvent, PostEvent } from "./queries/alert-events.ts";
import { emptyAlert, type StoredAlert } from "./queries/alerts.ts";
import type { Channel } from "./queries/channels.ts";
import { moveIncidentDeliveries } from "./queries/incident-deliveries.ts";
import { listKnownNotifications } from "./queries/notifications.ts";
import type { RecordedNotification } from "./record-notifications.ts";
import { step } from "./rules.ts";
import type { ChannelView, Scene } from "./scene.ts";

/* Possible notifications are recorded in the transaction in which the event happens; applyPosts decides who receives them. */

/** Monitors whose status, outage or window has changed, with what machine channels are sent of it, in order. */
export async function noteChanges(
  trx: Db,
  changed: readonly ChangedMonitor[],
  recorded: readonly RecordedNotification[],
  now: number,
): Promise<void> {
  const concerned = changed.filter(({ events }) => events.some(({ type }) => type !== "recheck"));
  if (concerned.length === 0) return;
  // What another process has noted before is not noted again.
  const known = await listKnownNotifications(
    trx,
    recorded.map(({ uuid }) => uuid),
  );
  const byMonitor = Map.groupBy(
    recorded.filter(({ uuid }) => known.has(uuid)),
    ({ monitorId }) => monitorId,
  );
  const said = concerned.filter(
    ({ monitor, events }) =>
      byMonitor.has(monitor.monitorId) || events.some(({ type }) => type === "watch_ended"),
  );
  const monitors = await listMessageMonitors(
    trx,
    said.map(({ monitor }) => monitor.monitorId),
  );
  const events = concerned.flatMap(({ monitor, events: happened }): NewNotedChange[] => {
    const { monitorId, organizationId } = monitor;
    const own = monitors.get(monitorId);
    const posts = (byMonitor.get(monitorId) ?? []).map((notification): PostEvent => {
      const { otherwise } = notification;
      const message = notificationMessage(notification, own, monitor.state);
      const plain = otherwise && { ...message, event: "monitor.up" as const, descriptor: otherwise };
      return { ...machinePost(message, own?.tags ?? [], monitorId), ...(plain && { otherwise: plain }) };
    });
    const ended = happened.find((event) => event.type === "watch_ended");
    if (ended && own) posts.unshift(machinePost(unwatchedMessage(own, ended), own.tags, monitorId));
    const about = { organizationId, monitorId, at: now };
    return posts.length === 0 ? [about] : posts.map((post) => ({ ...about, post }));
  });
  await insertNotedChanges(trx, events);
}

const machinePost = (message: Message, tags: readonly string[], monitorId: number): PostEvent => {
  const condition = conditionAfter(message);
  return {
    subject: monitorSubject(monitorId),
    message,
    tags,
    audience: { is: "machines" },
    ...(condition && { condition }),
  };
};

function notificationMessage(
  { event, type, at, channelMessage, reason, incidentId, outageMs }: RecordedNotification,
  monitor: MessageMonitor | undefined,
  state: ChangedMonitor["monitor"]["state"],
): Message {
  const isOver = conditionAfter({ event, type }) === "ok";
  const locations = isOver ? [] : failingFrom(state);
  return newMessage({
    ...{ event, type, at, descriptor: channelMessage, reason, incidentId, locations, outageMs },
    monitor: monitor ?? null,
  });
}

/** Something to send word for word. */
export const notePosts = (
  trx: Db,
  posts: readonly (PostEvent & { organizationId: number })[],
  at: number,
): Promise<void> =>
  insertNotedChanges(
    trx,
    posts.map(({ organizationId, ...post }) => ({ organizationId, post, at })),
  );

/** Puts what is sent word for word into a channel's alerts, in order. Returns what a machine is sent at once. */
export function applyPosts(
  scene: Scene,
  view: ChannelView,
  alerts: Map<string, StoredAlert>,
  now: number,
): QueuedMessage[] {
  const target = { scene, view, alerts, now };
  const queued: QueuedMessage[] = [];
  for (const event of scene.events) {
    const { post, organizationId } = event;
    if (!post || organizationId !== view.channel.organizationId) continue;
    if (post.audience.is === "machines") queued.push(...enqueue(event, post, target));
    else
      for (const subject of subjectsOf(post, scene, alerts)) applyPost(event, { ...post, subject }, target);
  }
  return queued;
}

/** In which alerts a post belongs: a pager may keep in others what belongs to an incident that was acknowledged. */
function subjectsOf(
  { audience, subject }: PostEvent,
  { truth }: Scene,
  alerts: ReadonlyMap<string, StoredAlert>,
): string[] {
  if (audience.is !== "acknowledged") return [subject];
  const isOfIt = ({ monitorId }: { monitorId: number }) =>
    truth.get(monitorId)?.incidentId === incidentOf(subject);
  const others = [...alerts].flatMap(([own, { alert }]) => (alert.members.some(isOfIt) ? own : []));
  return [...new Set([subject, ...others])].filter((own) => !own.startsWith("monitor "));
}

function applyPost(event: AlertEvent, post: PostEvent, { scene, view, alerts, now }: Target): void {
  const { channel, policy } = view;
  const { subject } = post;
  const found = alerts.get(subject) ?? emptyAlert(channel, subject, now);
  const { alert } = found;
  const isOff = policy.delivery === "off";
  const isNotified = alert.isOpen || (!isOff && alert.posts.some(({ says }) => says === "open"));
  const isOver = post.says === "over";
  if (!isPostFor(post.audience, channel, alert.state === "firing") || (isOff && isOver && !isNotified)) {
    if (isOver) alerts.set(subject, closed(found, post, view, now));
    return;
  }
  if (!isLetThrough(post, channel, isNotified)) return;
  const isFor = (shared: Channel) => isPostWanted(event, shared);
  if (!isNotified && scene.isSharedMail(channel, post.message.severity === "critical", isFor)) return;
  const posted = { type: "posted" as const, post: postOf(event, post) };
  alerts.set(subject, { ...found, alert: step(alert, posted, policy, now).alert });
}

/** A channel whose alerts are changed. */
interface Target {
  scene: Scene;
  view: ChannelView;
  alerts: Map<string, StoredAlert>;
  now: number;
}

/** One event of a monitor, for a machine. */
function enqueue(
  { monitorId }: AlertEvent,
  post: PostEvent,
  { scene, view, alerts, now }: Target,
): QueuedMessage[] {
  const { channel, policy } = view;
  if (policy.reader !== "machine") return [];
  const found = alerts.get(post.subject) ?? emptyAlert(channel, post.subject, now);
  const { message, tags } = post;
  const event = eventOf({ ...message, event: message.event as ChannelEvent });
  const queued = found.alert.members.find((one) => one.monitorId === monitorId)?.queued ?? "ok";
  const isStable = message.event === "monitor.settled";
  // Who was not notified that it flaps and wants to know that it is down is sent that, as anything that is lacking.
  const isWanted = isStable
    ? queued === "flapping"
    : wants(channel, { event, severity: severityOf(message) ?? "high", tags }, false);
  const happened = {
    type: "happened" as const,
    monitorId: monitorId ?? 0,
    isWanted,
    condition: post.condition ?? ("ok" as Condition),
  };
  const { alert, notifications } = step(found.alert, happened, policy, now);
  alerts.set(post.subject, { ...found, alert });
  const isOfHealth = queued === "critical" && post.condition === "ok";
  const isOther = isOfHealth || (isStable && queued !== "flapping");
  const said = isOther ? (post.otherwise ?? message) : message;
  if (notifications.length === 0) return [];
  const truth = scene.truth.get(monitorId ?? 0);
  // People may have separated it, or merged its incident, since it happened.
  const isOfOpen = happened.condition !== "ok" && truth !== undefined && truth.since <= message.at;
  const incidentId = (isOfOpen ? truth.incidentId : null) ?? said.incidentId;
  return [{ channel, subject: post.subject, message: { ...said, incidentId } }];
}

/** The channel receives no end, and has nothing open any more. What people wrote while the incident went on is not sent after it. */
function closed(
  found: StoredAlert,
  { slot, audience }: PostEvent,
  { policy }: ChannelView,
  now: number,
): StoredAlert {
  const isLate = ({ eventId, says }: Post) =>
    audience.is === "without_ends" &&
    policy.reader !== "machine" &&
    says === "open" &&
    !isBeingSent(found.alert, eventId);
  const remains = (one: Post) =>
    policy.delivery !== "off" && (one.slot === null || one.slot !== slot) && !isLate(one);
  const posts = found.alert.posts.filter(remains);
  if (!found.alert.isOpen && posts.length === found.alert.posts.length) return found;
  const over = { ...found.alert, isOpen: false, posts };
  return { ...found, alert: step(over, { type: "policy" }, policy, now).alert };
}

const postOf = ({ id, at }: AlertEvent, post: PostEvent): Post<Message> => ({
  ...{ eventId: id, at, slot: post.slot ?? null, says: post.says ?? null, content: post.message },
  isUrgent: severityOf(post.message) === "critical" || post.isForNotified === true,
  isForNotified: post.isForNotified === true,
});

/** What channels are notified of by the outages themselves. */
const REGROUPED = new Set<Code>(["incident.merged", "incident.split", "incident.split_off"]);

/** Called by incidents, in the transactions that change them. */
export const incidentNotifier: IncidentNotifier = {
  /**
   * Updates that people wrote: for the channels of the organization and of each member but the author. Pagers receive an outage
   * by its own alert alone, as a second one would never end; and nothing that was over when it was reported.
   */
  async noteWrittenUpdates(trx, written, now) {
    const affected = written.flatMap(({ incident }) => incident.affectedServices);
    const monitors = await listMessageMonitors(
      trx,
      affected.flatMap(({ monitorId }) => monitorId ?? []),
    );
    const posts = written.map(({ incident, said, isOpening, authorId }) => {
      const { id, organizationId, automatic, affectedServices } = incident;
      const isOver = incident.status === "resolved";
      const goingOn = isOpening ? "incident.opened" : "incident.updated";
      const message = incidentMessage(isOver ? "incident.resolved" : goingOn, incident, said, now);
      const isRegrouped = automatic && typeof said === "object" && REGROUPED.has(said.code as Code);
      return {
        organizationId,
        subject: incidentSubject(id),
        message,
        tags: affectedServices.flatMap(({ monitorId }) => monitors.get(monitorId ?? 0)?.tags ?? []),
        audience: {
          is: "people" as const,
          authorId,
          isNoAlert: automatic || (isOpening && isOver),
          isRegrouped,
        },
        says: isOver ? ("over" as const) : ("open" as const),
      };
    });
    await notePosts(trx, posts, now);
  },

  /**
   * This incident gets no more updates: it was deleted or merged. Machine channels that were notified of it are sent that, or
   * a pager's alert would stay open.
   */
  noteGone: (trx, incident, why, now) =>
    notePosts(trx, [endOf(incident, why, { audience: { is: "programs" }, now })], now),

  /**
   * What was down in these incidents is up again. The end of outages is sent by itself; who wants no such ends is sent that
   * the incident is over.
   */
  noteResolved: (trx, incidents, now) =>
    notePosts(
      trx,
      incidents.map((incident) =>
        endOf({ ...incident, affectedServices: [] }, msg("incident.status_set", { stage: "resolved" }), {
          audience: { is: "without_ends" },
          now,
        }),
      ),
      now,
    ),

  /** These incidents were acknowledged: channels that support it are notified of that, if they were notified of the incident. */
  async noteAcknowledged(trx, incidents, { by, now }) {
    const ids = incidents.flatMap(({ affectedServices }) =>
      affectedServices.flatMap(({ monitorId }) => monitorId ?? []),
    );
    const monitors = await listMessageMonitors(trx, ids);
    const posts = incidents.map((incident) => {
      const { id: incidentId, organizationId, severity } = incident;
      const { affectedServices, automatic } = incident;
      const who = by ?? "?";
      const [open, ...more] = affectedServices.filter(
        ({ outageStartedAt, outageEndedAt }) => outageStartedAt !== null && outageEndedAt === null,
      );
      const isOfOne = automatic && more.length === 0;
      const monitor = isOfOne ? monitors.get(open?.monitorId ?? incident.monitorId ?? 0) : undefined;
      const title = titleMessage(incident, { isOver: false }) ?? incident.title;
      const code =
        monitor?.kind === "device" ? "notification.acknowledged_device" : "notification.acknowledged";
      const about = monitor
        ? { monitor, descriptor: msg(code, { who, name: monitor.name }) }
        : { title, severity, descriptor: msg("notification.incident_acknowledged", { who }) };
      const message = newMessage({ event: "acknowledged", type: "info", at: now, incidentId, ...about });
      return {
        organizationId,
        subject: incidentSubject(incidentId),
        message,
        tags: [],
        audience: { is: "acknowledged" as const },
      };
    });
    await notePosts(trx, posts, now);
    await noteIncidents(trx, incidents, now);
  },

  moveDeliveries: moveIncidentDeliveries,
};

function endOf(
  incident: WrittenUpdate["incident"],
  why: MessageDescriptor,
  { audience, now }: { audience: PostEvent["audience"]; now: number },
): PostEvent & { organizationId: number } {
  const over = { ...incident, status: "resolved" };
  return {
    organizationId: incident.organizationId,
    subject: incidentSubject(incident.id),
    message: incidentMessage("incident.resolved", over, why, now),
    tags: [],
    audience,
    says: "over",
    isForNotified: true,
  };
}

/** More than fits on a screen is read in the incident. */
const MAX_SAID = 3_000;

/** What a person wrote, Markdown, as plain text with its lines: most channels know no Markdown, or another one. */
const messageOfWords = (written: string): MessageDescriptor => ({
  code: "notification.incident_said" satisfies Code,
  params: { said: cut(cleanedLines(plainText(written)), MAX_SAID) },
});

const TYPES = {
  "incident.opened": "warning",
  "incident.updated": "info",
  "incident.resolved": "success",
} as const;

function incidentMessage(
  event: IncidentEvent,
  incident: WrittenUpdate["incident"],
  said: string | MessageDescriptor,
  now: number,
): Message & { event: IncidentEvent } {
  const { id, severity } = incident;
  const notified: MessageDescriptor =
    typeof said === "string" ? messageOfWords(said) : { ...msg("notification.incident_log"), because: said };
  const message = newMessage({
    ...{ event, type: TYPES[event], at: now, descriptor: notified, incidentId: id, severity },
    title: titleMessage(incident, { isOver: incident.status === "resolved" }) ?? incident.title,
  });
  return { ...message, event };
}

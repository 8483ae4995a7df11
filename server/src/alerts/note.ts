import { type Titled, titleFact } from "../incident/title-rules.ts";
import { cut } from "../notification/channel/cut.ts";
import type { IncidentEvent } from "../notification/channel/filter.ts";
import { type Message, type MessageMonitor, newMessage } from "../notification/channel/message.ts";
import type { RecordedNotice } from "../notification/record-notices.ts";
import { plainText } from "../page/render/plain-text.ts";
import type { ChangedMonitor } from "../status/changed-monitor.ts";
import type { WatchEnded } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { type AlertEvent, insertAlertEvents, type PostEvent } from "../store/queries/alert-events.ts";
import type { Incident } from "../store/queries/incidents.ts";
import { listMessageMonitors } from "../store/queries/message-monitors.ts";
import { listKnownNotices } from "../store/queries/notifications.ts";
import { type Code, cleanedLines, type Fact, fact } from "../texts/fact.ts";
import { failingFrom } from "./compose.ts";
import { conditionAfter } from "./policy.ts";

/*
 * What may concern somebody is noted in the transaction in which it happens; inbox.ts finds out whom.
 */

const nothing = { monitorId: null, incidentId: null, channelId: null, post: null };

/** Monitors whose status, outage or window has changed, with what machine channels are sent of it, in order. */
export async function noteChanges(
  trx: Db,
  changed: readonly ChangedMonitor[],
  notices: readonly RecordedNotice[],
  now: number,
): Promise<void> {
  const concerned = changed.filter(({ events }) => events.some(({ type }) => type !== "recheck"));
  if (concerned.length === 0) return;
  // What another process has noted before is not noted again.
  const known = await listKnownNotices(
    trx,
    notices.map(({ uuid }) => uuid),
  );
  const byMonitor = Map.groupBy(
    notices.filter(({ uuid }) => known.has(uuid)),
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
  const events = concerned.flatMap(({ monitor, events: happened }): Omit<AlertEvent, "id">[] => {
    const { monitorId, organizationId } = monitor;
    const own = monitors.get(monitorId);
    const posts = (byMonitor.get(monitorId) ?? []).map((notice): PostEvent => {
      const message = noticeMessage(notice, own, monitor.state);
      // A channel that was notified of a device's health receives that it is healthy, and not that it is online.
      const isOfDevice =
        notice.event === "monitor.up" && notice.kind === "device" && notice.incidentId !== null;
      const healthy = isOfDevice ? healthyFact(notice) : null;
      const otherwise = notice.otherwise ?? healthy;
      const plain = otherwise && { ...message, event: "monitor.up" as const, fact: otherwise };
      return { ...machinePost(message, own?.tags ?? [], monitorId), ...(plain && { otherwise: plain }) };
    });
    const ended = happened.find((event) => event.type === "watch_ended");
    if (ended && own) posts.unshift(machinePost(unwatchedMessage(own, ended), own.tags, monitorId));
    const about = { ...nothing, organizationId, monitorId, at: now };
    return posts.length === 0 ? [about] : posts.map((post) => ({ ...about, post }));
  });
  await insertAlertEvents(trx, events);
}

const healthyFact = ({ monitorName: name, at, outageMs }: RecordedNotice): Fact =>
  fact("notice.healthy", { name, since: new Date(at).toISOString(), lasted: outageMs ?? 0 });

const machinePost = (message: Message, tags: readonly string[], monitorId: number): PostEvent => {
  const condition = conditionAfter(message);
  return {
    ...{ subject: `monitor ${monitorId}`, message, tags, audience: { is: "machines" } },
    ...(condition && { condition }),
  };
};

function noticeMessage(
  { event, type, at, channelFact, reason, incidentId, outageMs }: RecordedNotice,
  monitor: MessageMonitor | undefined,
  state: ChangedMonitor["monitor"]["state"],
): Message {
  const isOver = conditionAfter({ event, type }) === "ok";
  const locations = isOver ? [] : failingFrom(state);
  return newMessage({
    event,
    type,
    at,
    fact: channelFact,
    reason,
    monitor: monitor ?? null,
    incidentId,
    locations,
    outageMs,
  });
}

function unwatchedMessage(monitor: MessageMonitor, { at, reason }: WatchEnded): Message {
  const said = fact("notice.unwatched", { name: monitor.name, since: new Date(at).toISOString() });
  const because = { fact: { ...said, because: reason }, reason };
  return newMessage({ event: "monitor.stopped", type: "info", at, monitor, ...because });
}

/** Monitors that people changed: how severe it is when they fail, their tags, or what they depend on. */
export const noteMonitors = (
  trx: Db,
  monitors: readonly { organizationId: number; monitorId: number }[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    monitors.map((one) => ({ ...nothing, ...one, at })),
  );

/** Incidents that people changed: who acknowledged them, what belongs to them. */
export const noteIncidents = (
  trx: Db,
  incidents: readonly { organizationId: number; id: number }[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    incidents.map(({ organizationId, id }) => ({ ...nothing, organizationId, incidentId: id, at })),
  );

/** Channels that were added, or of which something else is wanted now. */
export const noteChannels = (
  trx: Db,
  channels: readonly { organizationId: number; id: number }[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    channels.map(({ organizationId, id }) => ({ ...nothing, organizationId, channelId: id, at })),
  );

/** Something to send word for word. */
export const notePosts = (
  trx: Db,
  posts: readonly (PostEvent & { organizationId: number })[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    posts.map(({ organizationId, ...post }) => ({ ...nothing, organizationId, post, at })),
  );

/** What a person wrote about an incident, or did to it. */
export interface IncidentNews {
  incident: Titled &
    Pick<Incident, "id" | "organizationId" | "status" | "severity" | "automatic"> & {
      affectedServices: readonly { monitorId: number | null }[];
    };
  said: string | Fact;
  /** It is what opens the incident. */
  isOpening: boolean;
  /** Knows already. */
  authorId: number | null;
}

/** What channels are notified of by the outages themselves. */
const REGROUPED = new Set<Code>(["incident.merged", "incident.split", "incident.split_off"]);

/**
 * What somebody wrote of incidents: for the channels of the organization and of each member but the author. Pagers hear of an
 * outage by its own alert alone: nobody would end a second one; nor of what was over when it was reported.
 */
export async function noteIncidentNews(
  trx: Db,
  written: readonly IncidentNews[],
  now: number,
): Promise<void> {
  const affected = new Set(written.map(({ incident }) => incident.affectedServices));
  const monitors = await listMessageMonitors(
    trx,
    [...affected].flatMap((services) => services.flatMap(({ monitorId }) => monitorId ?? [])),
  );
  const posts = written.map(({ incident, said, isOpening, authorId }) => {
    const { id, organizationId, automatic, affectedServices } = incident;
    const isOver = incident.status === "resolved";
    const goingOn = isOpening ? "incident.opened" : "incident.updated";
    const message = incidentMessage(isOver ? "incident.resolved" : goingOn, incident, said, now);
    const isRegrouped = automatic && typeof said === "object" && REGROUPED.has(said.code as Code);
    return {
      ...{ organizationId, subject: `incident ${id}`, message },
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
}

/**
 * Nobody writes about this incident any more, since it was deleted, or is part of another one. Programs that were notified of it
 * hear that, since an alert that a pager has open would stay so.
 */
export const noteIncidentGone = (
  trx: Db,
  incident: IncidentNews["incident"],
  why: Fact,
  now: number,
): Promise<void> => notePosts(trx, [endOf(incident, why, { audience: { is: "programs" }, now })], now);

/**
 * What was down in these incidents is up again. The end of outages is sent by itself; who wants no such ends is sent that the
 * incident is over.
 */
export const noteResolved = (
  trx: Db,
  incidents: readonly Omit<IncidentNews["incident"], "affectedServices">[],
  now: number,
): Promise<void> =>
  notePosts(
    trx,
    incidents.map((incident) =>
      endOf({ ...incident, affectedServices: [] }, fact("incident.status_set", { stage: "resolved" }), {
        ...{ audience: { is: "without_ends" }, now },
      }),
    ),
    now,
  );

function endOf(
  incident: IncidentNews["incident"],
  why: Fact,
  { audience, now }: { audience: PostEvent["audience"]; now: number },
): PostEvent & { organizationId: number } {
  const over = { ...incident, status: "resolved" };
  return {
    ...{ organizationId: incident.organizationId, subject: `incident ${incident.id}`, tags: [], audience },
    ...{ message: incidentMessage("incident.resolved", over, why, now), says: "over", isForNotified: true },
  };
}

/** Somebody has acknowledged these incidents: channels that can make something of it are sent that, where they were notified. */
export async function noteAcknowledged(trx: Db, incidents: readonly Incident[], now: number): Promise<void> {
  const ids = incidents.flatMap(({ affectedServices }) =>
    affectedServices.flatMap(({ monitorId }) => monitorId ?? []),
  );
  const monitors = await listMessageMonitors(trx, ids);
  const posts = incidents.map((incident) => {
    const {
      id: incidentId,
      organizationId,
      acknowledgedByName,
      severity,
      affectedServices,
      automatic,
    } = incident;
    const who = acknowledgedByName ?? "?";
    const open = affectedServices.findLast(
      ({ outageStartedAt, outageEndedAt }) => outageStartedAt !== null && outageEndedAt === null,
    );
    const monitor = automatic ? monitors.get(open?.monitorId ?? incident.monitorId ?? 0) : undefined;
    const title = titleFact(incident, { isOver: false }) ?? incident.title;
    const code = monitor?.kind === "device" ? "notice.acknowledged_device" : "notice.acknowledged";
    const about = monitor
      ? { monitor, fact: fact(code, { who, name: monitor.name }) }
      : { title, severity, fact: fact("notice.incident_acknowledged", { who }) };
    const message = newMessage({ event: "acknowledged", type: "info", at: now, incidentId, ...about });
    return {
      organizationId,
      subject: `incident ${incidentId}`,
      message,
      tags: [],
      audience: { is: "acknowledged" as const },
    };
  });
  await notePosts(trx, posts, now);
  await noteIncidents(trx, incidents, now);
}

/** More than fits on a screen is read in the incident. */
const MAX_SAID = 3_000;

/** What a person wrote, Markdown, as plain text with its lines: most channels know no Markdown, or another one. */
const factOfWords = (written: string): Fact => ({
  code: "notice.incident_said" satisfies Code,
  params: { said: cut(cleanedLines(plainText(written)), MAX_SAID) },
});

const TYPES = {
  "incident.opened": "warning",
  "incident.updated": "info",
  "incident.resolved": "success",
} as const;

function incidentMessage(
  event: IncidentEvent,
  incident: IncidentNews["incident"],
  said: string | Fact,
  now: number,
): Message & { event: IncidentEvent } {
  const { id, severity } = incident;
  const notified: Fact =
    typeof said === "string" ? factOfWords(said) : { ...fact("notice.incident_fact"), because: said };
  const message = newMessage({
    ...{ event, type: TYPES[event], at: now, fact: notified, incidentId: id, severity },
    title: titleFact(incident, { isOver: incident.status === "resolved" }) ?? incident.title,
  });
  return { ...message, event };
}

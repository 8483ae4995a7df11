import { randomUUIDv7 } from "node:crypto";
import type { OutageIncident, Together } from "../incident/live-incident.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { ChangedMonitor } from "../status/changed-monitor.ts";
import type { Notice, NoticeEvent } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { insertNotifications, type NewNotification } from "../store/queries/notifications.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { type NoticeType, noticeFact, noticeType } from "./rules.ts";

/** What people are told, in words and in the facts behind them: who has the facts can say it in another language. */
export interface RecordedNotice
  extends Omit<NewNotification, "event">,
    Pick<Notice, "event" | "at" | "reason"> {
  kind: MonitorKind;
  monitorName: string;
  /** Of the outage that has just ended, for `monitor.up`. */
  outageMs: number | null;
  /** What channels say of it. */
  channels: ChannelNews[];
  /** Another one speaks for it. */
  isQuiet: boolean;
}

/** What a channel says of a notice, and in the thread of which monitor. */
export interface ChannelNews {
  /** Whom it is for; null: people and programs. */
  audience: "people" | "programs" | null;
  monitorId: number;
  event: NoticeEvent;
  type: NoticeType;
  fact: Fact;
  /** To who was not told that it flaps: that the outage is over. Null: nothing. */
  otherwise: Fact | null;
  /** The monitor (it may be itself) whose thread says it already, where a channel has that; null: none. */
  spokenForBy: number | null;
  /** Where another one's thread says it already, it is told there all the same. */
  isNews: boolean;
}

/**
 * Writes what people are to be told, once a cause: the key names the incident, or else the monitor
 * and the moment. Channels deliver from these rows. `incidents`: those of the same changes.
 */
export async function recordNotices(
  trx: Db,
  changed: readonly ChangedMonitor[],
  incidents: readonly OutageIncident[],
  now: number,
): Promise<RecordedNotice[]> {
  const byOutage = new Map(
    incidents.map((one) => [keyOf(one.monitorId, one.outageAt, one.outageMs !== null), one]),
  );
  const notifications = changed.flatMap(({ monitor, events }) =>
    events.flatMap((event): RecordedNotice[] => {
      if (event.type !== "notice") return [];
      const incident =
        event.outageAt === null
          ? undefined
          : byOutage.get(keyOf(monitor.monitorId, event.outageAt, isEnd(event)));
      return [noticeOf(monitor, event, incident, now)];
    }),
  );
  await insertNotifications(trx, notifications);
  return notifications;
}

const keyOf = (monitorId: number, outageAt: number, isOver: boolean) => `${monitorId} ${outageAt} ${isOver}`;

/** Of an outage. */
const isEnd = ({ event, outageAt }: Notice): boolean =>
  event === "monitor.up" || (event === "monitor.settled" && outageAt !== null);

type OwnNews = Pick<ChannelNews, "monitorId" | "event" | "type" | "fact">;

/** Programs are told of each monitor by itself, people of those that share an incident together. */
function newsOf(
  own: OwnNews,
  notice: Notice,
  { incident, name }: { incident: OutageIncident | undefined; name: string },
): ChannelNews[] {
  const { together = null, outageMs = null } = incident ?? {};
  const hasRecovered = own.event === "monitor.settled" && isEnd(notice);
  const otherwise = hasRecovered ? noticeFact(name, { ...notice, event: "monitor.up" }, outageMs) : null;
  const alone = { ...own, otherwise, spokenForBy: null, isNews: false };
  if (!together) return [{ ...alone, audience: null }];
  return [{ ...alone, audience: "programs" }, ...newsTogether({ ...own, otherwise }, notice, together)];
}

/**
 * What people are told of monitors that share an incident: once, when the first goes down, and once when all are up; who hears
 * nothing of the first, of each by itself. That one flaps was told of it by itself, so that it has settled is, too.
 */
function newsTogether(
  { otherwise, ...own }: OwnNews & Pick<ChannelNews, "otherwise">,
  notice: Notice,
  { leadId, leadName, others, isQuiet, toldAfter }: Together,
): ChannelNews[] {
  const audience = "people";
  const isSettled = own.event === "monitor.settled";
  const leads = leadId === own.monitorId;
  const since = new Date(notice.at).toISOString();
  const ofItself: ChannelNews = {
    ...{ ...own, audience, otherwise: leads ? null : otherwise },
    ...{ spokenForBy: isSettled ? null : leadId, isNews: toldAfter !== null },
    ...(toldAfter !== null && { fact: factAmong(own.fact, others + 1, toldAfter) }),
  };
  const isOfItself = isSettled || !leads || toldAfter !== null;
  if (isQuiet) return isOfItself ? [ofItself] : [];
  const all = fact("notice.recovered_together", { name: leadName, others, since });
  const ofAll: ChannelNews = {
    ...{ audience, monitorId: leadId, event: "monitor.up", type: "success", fact: all },
    ...{ otherwise: null, spokenForBy: null, isNews: false },
  };
  return leads ? [ofAll] : [ofItself, ofAll];
}

/** That a monitor is down, and that others are. */
function factAmong({ params = {}, because }: Fact, count: number, lead: string): Fact {
  const { name = "", since = "" } = params;
  return { ...fact("notice.down_among", { name, since, count, lead }), ...(because && { because }) };
}

/** Of what people are told: no thread of another monitor says it already, or it is told there all the same. */
const isHeard = ({ audience, monitorId, spokenForBy, isNews }: ChannelNews): boolean =>
  audience !== "programs" && (spokenForBy === null || spokenForBy === monitorId || isNews);

function noticeOf(
  monitor: WatchedMonitor,
  notice: Notice,
  incident: OutageIncident | undefined,
  now: number,
): RecordedNotice {
  const { event, at, reason } = notice;
  const { monitorId, organizationId, kind, name: monitorName } = monitor;
  const outageMs = incident?.outageMs ?? null;
  const said = noticeFact(monitorName, notice, outageMs);
  const type = noticeType(notice);
  const own = { monitorId, event, type, fact: said };
  const channels = newsOf(own, notice, { incident, name: monitorName });
  const told = channels.find(isHeard);
  return {
    uuid: randomUUIDv7(),
    organizationId,
    monitorId,
    kind,
    monitorName,
    incidentId: incident?.id ?? null,
    event,
    at,
    reason,
    outageMs,
    channels,
    isQuiet: told === undefined,
    togetherFact: told && told.fact !== said ? told.fact : null,
    type,
    fact: said,
    message: inEnglish(said),
    outageStartedAt: incident?.outageAt ?? null,
    idempotencyKey: `${event}:${incident ? `${incident.uuid}:` : ""}${monitor.uuid}:${incident?.outageAt ?? `${at}:${now}`}`,
    createdAt: now,
  };
}

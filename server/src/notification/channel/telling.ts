import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { MonitorState } from "../../status/state.ts";
import type { OpenThread } from "../../store/queries/channel-threads.ts";
import type { Channel } from "../../store/queries/channels.ts";
import type { ChannelNews } from "../news-rules.ts";
import type { RecordedNotice } from "../record-notices.ts";
import { type ChannelEvent, wants } from "./filter.ts";
import { endsTrouble, type Message, type MessageMonitor } from "./message.ts";
import { isProgram } from "./registry.ts";

/** What is asked of a notice to tell it. */
export type ToldNotice = Pick<
  RecordedNotice,
  "uuid" | "organizationId" | "incidentId" | "at" | "reason" | "outageMs" | "channels"
>;

/** What is to be told of a monitor, to whoever it is for. */
export interface Telling {
  notice: ToldNotice;
  news: ChannelNews;
  message: Message;
  /** To who was not told that it flaps. */
  otherwise: Message | null;
  monitor: MessageMonitor;
  /** Of a member or graver one: the monitor that leads. */
  lead: MessageMonitor | null;
}

/** The number of that one. */
export const leadOf = ({ standing }: ChannelNews): number | null =>
  standing.as === "itself" ? null : standing.leadId;

/** Whether it is for channels of that kind. */
export const isFor = ({ type }: Channel, { audience }: ChannelNews): boolean =>
  audience === null || (audience === "programs") === isProgram(type);

/** Open threads by what `threadKey` gives. */
export type Threads = ReadonlyMap<string, OpenThread>;

export const threadKey = (channelId: number, monitorId: number) => `${channelId} ${monitorId}`;

/** What a channel is told of it; null: nothing. */
export function messageFor(
  channel: Channel,
  { message, otherwise, monitor: { severity, tags } }: Telling,
  thread: OpenThread | undefined,
  flapping: ReadonlySet<number>,
): Message | null {
  const isSettled = message.event === "monitor.settled";
  if (isSettled && thread && flapping.has(thread.id)) return message;
  const plain = isSettled ? otherwise : message;
  if (!plain) return null;
  const { event } = plain;
  return wants(channel, { event: event as ChannelEvent, severity, tags }, thread !== undefined)
    ? plain
    : null;
}

/**
 * In the thread of which monitor a channel is told of it; null: it knows already. What it was told by itself ends by itself,
 * and what is critical does not wait with the one that leads for the channel's hours.
 */
export function threadFor(
  { id, hours }: Channel,
  { message, monitor, lead, news }: Telling,
  threads: Threads,
): number | null {
  if (!lead || endsTrouble(message) || !threads.has(threadKey(id, lead.id))) return monitor.id;
  const waits = hours !== null && lead.severity !== "critical";
  if (waits && monitor.severity === "critical") return monitor.id;
  return news.standing.as === "graver" ? lead.id : null;
}

/** Codes of the locations that see a monitor fail. */
export const failingFrom = (state: Pick<MonitorState, "locations"> | null | undefined): string[] =>
  Object.entries(state?.locations ?? {}).flatMap(([code, { failures }]) => (failures > 0 ? code : []));

/** The messages of a telling. */
export function messagesOf(
  { at, reason, incidentId, outageMs }: ToldNotice,
  { event, type, fact, otherwise }: ChannelNews,
  monitor: MessageMonitor,
  changed: readonly ChangedMonitor[],
): Pick<Telling, "message" | "otherwise"> {
  const state = changed.find((one) => one.monitor.monitorId === monitor.id)?.monitor.state;
  const locations = endsTrouble({ event, type }) ? [] : failingFrom(state);
  const message: Message = { event, type, at, fact, reason, monitor, incidentId, locations, outageMs };
  return {
    message,
    otherwise: otherwise && { ...message, event: "monitor.up", fact: otherwise },
  };
}

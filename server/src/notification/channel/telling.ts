import type { MonitorState } from "../../status/state.ts";
import type { RecordedNotice } from "../record-notices.ts";
import { endsTrouble, type Message, type MessageMonitor } from "./message.ts";

/** What is asked of a notice to tell it. */
export type ToldNotice = Pick<
  RecordedNotice,
  | "uuid"
  | "organizationId"
  | "monitorId"
  | "incidentId"
  | "event"
  | "type"
  | "at"
  | "fact"
  | "reason"
  | "outageMs"
  | "outageStartedAt"
  | "graverFact"
  | "otherwise"
  | "isJoining"
>;

export const threadKey = (channelId: number, monitorId: number) => `${channelId} ${monitorId}`;

/** Codes of the locations that see a monitor fail. */
export const failingFrom = (state: Pick<MonitorState, "locations"> | null | undefined): string[] =>
  Object.entries(state?.locations ?? {}).flatMap(([code, { failures }]) => (failures > 0 ? code : []));

/** What a channel is told of a notice. */
export function messageOf(
  { event, type, at, fact, reason, incidentId, outageMs }: ToldNotice,
  monitor: MessageMonitor,
  state: Pick<MonitorState, "locations"> | undefined,
): Message {
  const locations = endsTrouble({ event, type }) ? [] : failingFrom(state);
  return { event, type, at, fact, reason, monitor, incidentId, locations, outageMs };
}

import type { MonitorState } from "../../status/state.ts";
import type { Db } from "../../store/db.ts";
import { listOpenThreads, type OpenThread, openThreads } from "../../store/queries/channel-threads.ts";
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
  | "channelFact"
  | "reason"
  | "outageMs"
  | "outageStartedAt"
  | "graverFact"
  | "otherwise"
  | "isJoining"
>;

export const threadKey = (channelId: number, monitorId: number) => `${channelId} ${monitorId}`;

/** Opens the threads of these that are not open. Returns the numbers of all of them, by `threadKey`. */
export async function openThreadsOf(
  trx: Db,
  wanted: readonly { organizationId: number; channelId: number; monitorId: number }[],
  now: number,
): Promise<Map<string, number>> {
  await openThreads(trx, wanted, now);
  const open = await listOpenThreads(
    trx,
    wanted.map(({ channelId }) => channelId),
    wanted.map(({ monitorId }) => monitorId),
  );
  return byThreadKey(open);
}

/** The numbers of threads, by `threadKey`. */
export const byThreadKey = (threads: readonly OpenThread[]): Map<string, number> =>
  new Map(threads.map(({ id, channelId, monitorId }) => [threadKey(channelId, monitorId), id]));

/** Codes of the locations that see a monitor fail. */
export const failingFrom = (state: Pick<MonitorState, "locations"> | null | undefined): string[] =>
  Object.entries(state?.locations ?? {}).flatMap(([code, { failures }]) => (failures > 0 ? code : []));

/** What a channel is told of a notice. */
export function messageOf(
  { event, type, at, channelFact: fact, reason, incidentId, outageMs }: ToldNotice,
  monitor: MessageMonitor,
  state: Pick<MonitorState, "locations"> | undefined,
): Message {
  const locations = endsTrouble({ event, type }) ? [] : failingFrom(state);
  return { event, type, at, fact, reason, monitor, incidentId, locations, outageMs };
}

import type { Db } from "../../store/db.ts";
import { listThreadOutages, listToldOutages } from "../../store/queries/thread-outages.ts";
import { listUnsentBeginnings, type UnsentBeginning } from "../../store/queries/unsent-beginnings.ts";
import { type UntoldDelivery } from "../../store/queries/untold.ts";
import { listSpokenFor } from "./members.ts";
import { endsTrouble, type Message } from "./message.ts";

/** A message that is still to be decided on, read. */
export type ReadDelivery = Omit<UntoldDelivery, "message"> & { message: Message };

/** What has become of what messages tell of while these, or others, waited for the channel's hours. Ids of messages. */
export interface Waited {
  /** Nothing is down any more of which they would say so. */
  over: ReadonlySet<number>;
  /** Of ends: the messages, not sent yet, that alone said of what is over that it had begun. None: others did. */
  saidBy: ReadonlyMap<number, readonly number[]>;
  /** They speak for others besides their monitor. */
  shared: ReadonlySet<number>;
}

/** Looks what has become of the outages that these messages tell of. */
export async function readWaited(trx: Db, due: readonly ReadDelivery[]): Promise<Waited> {
  const held = due.filter(({ heldUntil, closedAt }) => heldUntil !== null && closedAt === null);
  const beginnings = held.filter(({ message }) => message.event === "monitor.down");
  const spokenFor = await listSpokenFor(trx, beginnings);
  const sizes = new Map(beginnings.map(({ id }, at) => [id, spokenFor[at]?.length ?? 0]));
  const idsOf = (is: (size: number) => boolean) => [...sizes].flatMap(([id, size]) => (is(size) ? id : []));
  const over = [...idsOf((size) => size === 0), ...(await overReminders(trx, held))];
  return {
    over: new Set(over),
    saidBy: await beginningsOf(trx, due),
    shared: new Set(idsOf((size) => size > 1)),
  };
}

/** Those that remind of what is up again, while others of their thread are down. */
async function overReminders(trx: Db, held: readonly ReadDelivery[]): Promise<number[]> {
  const reminders = held.filter(({ message }) => message.event === "reminder");
  const outages = await listThreadOutages(trx, { threadIds: reminders.map(({ threadId }) => threadId) });
  const open = new Set(
    outages.flatMap(({ threadId, monitorId, endedAt }) =>
      endedAt === null ? `${threadId} ${monitorId}` : [],
    ),
  );
  return reminders.flatMap(({ id, threadId, message: { monitor } }) =>
    open.has(`${threadId} ${monitor?.id}`) ? [] : id,
  );
}

/** By which messages it was said, and by no other, that what these tell the end of has begun. */
async function beginningsOf(trx: Db, due: readonly ReadDelivery[]): Promise<Map<number, number[]>> {
  const ends = due.filter(({ message }) => endsTrouble(message) && message.outages);
  const unsent = await listUnsentBeginnings(
    trx,
    ends.map(({ threadId }) => threadId),
  );
  if (unsent.length === 0) return new Map();
  const ids = ends.flatMap(({ message }) => message.outages ?? []);
  const told = new Map((await listToldOutages(trx, ids)).map((one) => [one.id, one]));
  return new Map(
    ends.map(({ id, message }) => {
      const outages = message.outages?.flatMap((each) => told.get(each) ?? []) ?? [];
      const own = outages
        .filter(({ toldAt }) => toldAt !== null)
        .map((outage) => unsent.filter((one) => isSaidBy(one, outage)).map((one) => one.id));
      return [id, own.some(({ length }) => length === 0) ? [] : own.flat()];
    }),
  );
}

/** Whether that alone says that the outage has begun: no other message of its thread was on its way when it was written. */
const isSaidBy = (
  { threadId, monitorId, createdAt, sentAt }: UnsentBeginning,
  outage: { threadId: number; monitorId: number; toldAt: number | null },
): boolean =>
  threadId === outage.threadId &&
  monitorId === outage.monitorId &&
  createdAt === outage.toldAt &&
  (sentAt ?? 0) < createdAt;

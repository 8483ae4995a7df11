import { sql } from "kysely";
import type { Db } from "../db.ts";
import { lastTriedAt } from "./delivery-attempts.ts";
import type { ListPart } from "./list-part.ts";
import { DELIVERY_COLUMNS, type Delivery } from "./outbox.ts";
import { isRef, type Ref } from "./ref.ts";

/** The log of what was sent to a channel, newest first. */
export interface LoggedDelivery {
  id: number;
  uuid: string;
  event: string | null;
  message: string | null;
  state: "waiting" | "sent" | "failed";
  attempts: number;
  failure: string | null;
  nextTryAt: number;
  /** Whether an earlier one about the same, which goes first, is still on its way. SQLite: 0 or 1. */
  isBehind: boolean | number;
  /** When it, or the message that says it among other things, was tried last. */
  triedAt: number | null;
  createdAt: number;
}

const logged = [
  "id",
  "uuid",
  "event",
  "message",
  "state",
  "attempts",
  "failure",
  "next_try_at as nextTryAt",
  "created_at as createdAt",
] as const;

/** Whether an earlier message about the same is still on its way and goes first. */
export const isBehind = sql<boolean | number>`exists (select 1 from outbox as earlier
  where earlier.channel_id = outbox.channel_id and earlier.subject = outbox.subject and earlier.state = 'waiting'
    and earlier.id < outbox.id)`.as("isBehind");

export const listChannelDeliveries = (
  db: Db,
  channelId: number,
  { limit, offset, way }: ListPart,
): Promise<LoggedDelivery[]> =>
  db
    .selectFrom("outbox")
    .select(logged)
    .select([lastTriedAt.as("triedAt"), isBehind])
    .where("channel_id", "=", channelId)
    .orderBy("id", way)
    .limit(limit)
    .offset(offset)
    .execute();

/** How many there are in it. */
export async function countChannelDeliveries(db: Db, channelId: number): Promise<number> {
  const { count } = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("channel_id", "=", channelId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One of a channel; undefined when it has none such. */
export const findChannelDelivery = (
  db: Db,
  channelId: number,
  ref: Ref,
): Promise<(Delivery & LoggedDelivery) | undefined> =>
  db
    .selectFrom("outbox")
    .select([...DELIVERY_COLUMNS, "state", "next_try_at as nextTryAt"])
    .select([lastTriedAt.as("triedAt"), isBehind])
    .where("channel_id", "=", channelId)
    .where(isRef("outbox", ref))
    .executeTakeFirst();

/** Sends something once more, now. False while it waits to be sent anyway. */
export async function sendAgain(
  db: Db,
  id: number,
  { now, givesUpAt }: { now: number; givesUpAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("outbox")
    .set({
      state: "waiting",
      attempts: 0,
      next_try_at: now,
      gives_up_at: givesUpAt,
      failure: null,
      released_at: now,
    })
    .where("id", "=", id)
    .where("state", "!=", "waiting")
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

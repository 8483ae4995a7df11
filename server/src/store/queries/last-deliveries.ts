import { sql } from "kysely";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { lastTriedAt } from "./delivery-attempts.ts";

/** A message to a channel. */
export interface LastDelivery {
  event: string | null;
  state: "waiting" | "sent" | "failed";
  failure: Fact | null;
  /** When it, or the message that says it among other things, was tried last. */
  triedAt: number | null;
  createdAt: number;
}

/** The newest message to each of these channels that was tried, or where none was, the newest: what waits says nothing of it. */
export async function listLastDeliveries(
  db: Db,
  channelIds: readonly number[],
): Promise<Map<number, LastDelivery>> {
  const tried = sql`(select max(id) from outbox where channel_id = channels.id and (attempts > 0 or state <> 'waiting'))`;
  const newest = sql<number>`coalesce(${tried}, (select max(id) from outbox where channel_id = channels.id))`;
  const rows = await db
    .selectFrom("channels")
    .innerJoin("outbox", (join) => join.on("outbox.id", "=", newest))
    .select([
      "channels.id as channelId",
      "outbox.event",
      "outbox.state",
      "outbox.failure",
      lastTriedAt.as("triedAt"),
      "outbox.created_at as createdAt",
    ])
    .where(among(db, "channels.id", channelIds))
    .execute();
  return new Map(
    rows.map(({ channelId, failure, ...same }) => [channelId, { ...same, failure: parseFact(failure) }]),
  );
}

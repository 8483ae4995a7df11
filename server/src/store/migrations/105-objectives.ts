import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";
import type { AnyDb } from "../dialect.ts";

/**
 * Monitors have an objective, how much of the time they should be up, and what is told of its budget once. Channels have
 * threads of that, too; people's own channels that hear when a monitor is down hear of it.
 */
export const objectives: Migration = {
  async up(db) {
    await sql`alter table monitors add column objective double precision not null default 0`.execute(db);
    await sql`alter table monitors add column objective_days integer not null default 30`.execute(db);
    await createIndex(db, "index monitors_objective on monitors (id) where objective > 0");
    await createTable(db, "objective_alerts", { monitor_id: "bigint", state: "text", since: "bigint" }, [
      "primary key (monitor_id)",
      references("monitor_id", "monitors"),
      "without rowid",
    ]);
    await sql`alter table channel_threads add column objective_of bigint`.execute(db);
    await createIndex(
      db,
      `unique index channel_threads_objective_of on channel_threads (objective_of, channel_id)
        where closed_at is null and objective_of is not null`,
    );
    await widenOwnChannels(db);
  },
};

/** As notification/person/own-channels.ts has it from now on. */
async function widenOwnChannels(db: AnyDb): Promise<void> {
  const { rows } = await sql<{ id: number; events: string }>`
    select id, events from channels where user_id is not null and events like '%"monitor.down"%'`.execute(db);
  for (const { id, events } of rows) {
    const all = JSON.stringify([...new Set([...(JSON.parse(events) as string[]), "objective.burning"])]);
    await sql`update channels set events = ${all} where id = ${id}`.execute(db);
  }
}

import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";
import { type AnyDb, isPostgres } from "../dialect.ts";

const INCIDENT_EVENTS = ["incident.opened", "incident.updated", "incident.resolved"];
const CERTIFICATE_EVENTS = ["certificate.expiring", "certificate.invalid"];

interface OwnChannel {
  id: number;
  type: string;
  events: string;
}

/**
 * Channels have threads of what people write about an incident, and of a monitor's certificate, too; and which of these
 * was told of which certificate. People's own channels hear of both.
 */
export const threadsOfMore: Migration = {
  async up(db) {
    if (isPostgres(db))
      await sql`alter table channel_threads alter column monitor_id drop not null`.execute(db);
    else await rebuildThreads(db);
    for (const column of ["incident_id", "certificate_of"]) {
      await sql`alter table channel_threads add column ${sql.ref(column)} bigint`.execute(db);
      await createIndex(
        db,
        `unique index channel_threads_${column} on channel_threads (${column}, channel_id)
          where closed_at is null and ${column} is not null`,
      );
    }
    await createTable(
      db,
      "certificate_notices",
      { monitor_id: "bigint", fingerprint: "text", level: "text", told_at: "bigint" },
      ["primary key (monitor_id, fingerprint, level)", references("monitor_id", "monitors"), "without rowid"],
    );
    await widenOwnChannels(db);
  },
};

/** SQLite cannot let a column be null that could not. */
async function rebuildThreads(db: AnyDb): Promise<void> {
  const columns = {
    id: "id",
    organization_id: "bigint",
    channel_id: "bigint",
    monitor_id: "bigint?",
    opened_at: "bigint",
    closed_at: "bigint?",
    told_at: "bigint?",
    reference: "text?",
    remind_at: "bigint?",
  } as const;
  const names = sql.join([...Object.keys(columns), "told_outages"].map((name) => sql.ref(name)));
  await createTable(db, "threads_of_more", columns, [references("channel_id", "channels")]);
  await sql`alter table threads_of_more add column told_outages text not null default '[]'`.execute(db);
  await sql`insert into threads_of_more (${names}) select ${names} from channel_threads`.execute(db);
  // No number is given twice.
  await sql`delete from sqlite_sequence where name = 'threads_of_more'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq)
    select 'threads_of_more', seq from sqlite_sequence where name = 'channel_threads'`.execute(db);
  await sql`drop table channel_threads`.execute(db);
  await sql`alter table threads_of_more rename to channel_threads`.execute(db);
  const indexes = [
    "unique index channel_threads_open on channel_threads (channel_id, monitor_id) where closed_at is null",
    "index channel_threads_remind on channel_threads (remind_at) where remind_at is not null and closed_at is null",
    "index channel_threads_closed on channel_threads (closed_at) where closed_at is not null",
  ];
  for (const index of indexes) await createIndex(db, index);
}

/** As notification/person/own-channels.ts has it from now on. */
async function widenOwnChannels(db: AnyDb): Promise<void> {
  const { rows } = await sql<OwnChannel>`
    select id, type, events from channels where user_id is not null and events like '%"monitor.down"%'`.execute(
    db,
  );
  for (const { id, type, events } of rows) {
    const more = type === "email" ? CERTIFICATE_EVENTS : [...CERTIFICATE_EVENTS, ...INCIDENT_EVENTS];
    const all = JSON.stringify([...new Set([...(JSON.parse(events) as string[]), ...more])]);
    await sql`update channels set events = ${all} where id = ${id}`.execute(db);
  }
}

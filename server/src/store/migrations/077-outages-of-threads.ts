import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Kinds of channels to whose programs each outage was a trouble of its own. */
const PROGRAMS = sql`('webhook', 'pagerduty', 'opsgenie')`;

const INDEXES = [
  "index thread_outages_monitor on thread_outages (monitor_id, started_at)",
  "index thread_outages_untold on thread_outages (monitor_id, thread_id) where end_told_at is null",
  "index notifications_outages on notifications (monitor_id, outage_started_at) where event = 'monitor.down'",
];

/**
 * Threads tell of outages, not of monitors that speak for others. An open thread has those of its monitor, and where that led an
 * incident those of the others that had no thread of their own in its channel.
 */
export const outagesOfThreads: Migration = {
  async up(db) {
    await createTable(
      db,
      "thread_outages",
      {
        id: "id",
        organization_id: "bigint",
        thread_id: "bigint",
        monitor_id: "bigint",
        started_at: "bigint",
        told_at: "bigint?",
        ended_at: "bigint?",
        end_told_at: "bigint?",
      },
      [references("thread_id", "channel_threads"), "unique (thread_id, monitor_id, started_at)"],
    );
    for (const index of INDEXES) await createIndex(db, index);
    // An array of numbers, in the words of both engines.
    const known = sql`replace(replace(thread.told_outages, '[', ','), ']', ',') like '%,' || own.id || ',%'`;
    await sql`insert into thread_outages (organization_id, thread_id, monitor_id, started_at, told_at, ended_at)
      select thread.organization_id, thread.id, own.monitor_id, own.outage_started_at,
        case when own.monitor_id = thread.monitor_id then coalesce(thread.told_at, thread.opened_at)
          when ${known} then thread.told_at end,
        own.outage_ended_at
      from channel_threads as thread
        join channels on channels.id = thread.channel_id
        join incidents as shared on exists (
          select 1 from affected_services as first where first.incident_id = shared.id
            and first.monitor_id = thread.monitor_id and first.outage_started_at is not null)
        join affected_services as own on own.incident_id = shared.id and own.outage_started_at is not null
      where thread.closed_at is null and thread.monitor_id is not null
        and exists (
          select 1 from affected_services as going where going.incident_id = shared.id
            and going.outage_started_at is not null and going.outage_ended_at is null
            and (going.monitor_id = thread.monitor_id or shared.monitor_id = thread.monitor_id))
        and (own.monitor_id = thread.monitor_id or (
          shared.monitor_id = thread.monitor_id and channels.type not in ${PROGRAMS} and not exists (
            select 1 from channel_threads as other where other.channel_id = thread.channel_id
              and other.monitor_id = own.monitor_id and other.closed_at is null)))
      order by thread.id, own.id`.execute(db);
    await sql`alter table channel_threads drop column told_outages`.execute(db);
  },
};

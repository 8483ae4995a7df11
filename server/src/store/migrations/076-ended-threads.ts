import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { AnyDb } from "../dialect.ts";

/** It was not sent in time (texts/refusals). */
const LATE = JSON.stringify({ code: "delivery.late" });

/**
 * Ends what builds since 069 left open: threads about incidents that are over, merged or gone, and about monitors that are up
 * while nothing is down in any incident of theirs. What people wrote of incidents before these had threads is not sent any more.
 */
export const endedThreads: Migration = {
  async up(db) {
    await sql`update outbox set state = 'failed', failure = ${LATE}
      where state = 'waiting' and thread_id is null and digest_id is null and event like 'incident.%'`.execute(
      db,
    );
    await endThreadsOfIncidents(db);
    await endThreadsOfMonitors(db);
  },
};

const endedAt = sql`coalesce(told_at, opened_at)`;

const endThreadsOfIncidents = (db: AnyDb) =>
  sql`update channel_threads set closed_at = ${endedAt}
    where closed_at is null and incident_id is not null and not exists (
      select 1 from incidents where incidents.id = channel_threads.incident_id
        and incidents.resolved_at is null and incidents.merged_into is null)`.execute(db);

/** One that is up may speak for others that are down; one that flaps, or is in maintenance, has more to tell. */
const endThreadsOfMonitors = (db: AnyDb) =>
  sql`update channel_threads set closed_at = ${endedAt}
    where closed_at is null and monitor_id is not null
      and exists (
        select 1 from monitor_states where monitor_states.monitor_id = channel_threads.monitor_id
          and monitor_states.status = 'up' and monitor_states.flapping = 0
          and monitor_states.maintenance_until is null)
      and not exists (
        select 1 from affected_services as own
          inner join affected_services as other on other.incident_id = own.incident_id
        where own.monitor_id = channel_threads.monitor_id and own.outage_started_at is not null
          and other.outage_started_at is not null and other.outage_ended_at is null)`.execute(db);

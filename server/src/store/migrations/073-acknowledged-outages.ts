import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which outages of an incident somebody has said that they know of; of before, those that had begun by then, or that people merged into it. */
export const acknowledgedOutages: Migration = {
  async up(db) {
    await sql`alter table affected_services add column acknowledged integer not null default 0`.execute(db);
    await sql`update affected_services set acknowledged = 1
      where outage_started_at is not null and exists (
        select 1 from incidents where incidents.id = affected_services.incident_id
          and (incidents.acknowledged_at >= affected_services.outage_started_at
            or (incidents.acknowledged_at is not null and affected_services.merged = 1)))`.execute(db);
  },
};

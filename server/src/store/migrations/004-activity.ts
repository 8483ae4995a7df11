import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What happened last in an organization is read off an index of its own. Without it PostgreSQL walks
 * the history of everybody else for an organization in which little happens.
 */
export const activity: Migration = {
  async up(db) {
    for (const line of [
      "alter table transitions add column organization_id bigint not null default 0",
      `update transitions set organization_id = coalesce(
        (select monitors.organization_id from monitors where monitors.id = transitions.monitor_id), 0)`,
      "create index transitions_organization on transitions (organization_id, id)",
      "alter table incident_updates add column organization_id bigint not null default 0",
      `update incident_updates set organization_id = coalesce(
        (select incidents.organization_id from incidents where incidents.id = incident_updates.incident_id), 0)`,
      "create index incident_updates_organization on incident_updates (organization_id, id)",
    ]) {
      await sql.raw(line).execute(db);
    }
  },
};

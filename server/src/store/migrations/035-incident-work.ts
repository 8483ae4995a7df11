import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

const COLUMNS = {
  incidents: [
    "acknowledged_at bigint",
    "acknowledged_by bigint",
    "assignee_id bigint",
    "merged_into bigint",
    "postmortem text",
  ],
  incident_updates: ["edited_at bigint"],
  affected_services: ["outage_started_at bigint", "outage_ended_at bigint"],
};

/**
 * What people do about incidents. An outage is of a monitor and not of an incident, which may have several: so it is
 * kept with what the incident affects, and a monitor has one open there.
 */
export const incidentWork: Migration = {
  async up(db) {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const column of columns)
        await sql`alter table ${sql.table(table)} add column ${sql.raw(column)}`.execute(db);
    await createTable(
      db,
      "incident_comments",
      {
        id: "id",
        organization_id: "bigint",
        incident_id: "bigint",
        user_id: "bigint?",
        content: "text",
        is_internal: "integer",
        at: "bigint",
        edited_at: "bigint?",
      },
      [references("incident_id", "incidents")],
    );
    await createIndex(db, "index incident_comments_incident on incident_comments (incident_id, id)");
    await sql`update affected_services
      set outage_started_at = incidents.started_at, outage_ended_at = incidents.resolved_at
      from incidents
      where incidents.id = affected_services.incident_id and incidents.automatic = 1
        and affected_services.monitor_id = incidents.monitor_id`.execute(db);
    await createIndex(db, "index affected_services_monitor on affected_services (monitor_id, incident_id)");
    await createIndex(
      db,
      "unique index affected_services_one_open on affected_services (monitor_id) where outage_started_at is not null and outage_ended_at is null",
    );
    await sql`drop index incidents_one_open`.execute(db);
  },
};

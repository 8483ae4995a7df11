import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";
import { isPostgres } from "../dialect.ts";

/** The incident that a message to a channel tells of, for the page of that incident. */
export const deliveriesOfIncidents: Migration = {
  async up(db) {
    await sql`alter table outbox add column incident_id bigint`.execute(db);
    const told = isPostgres(db)
      ? sql`cast(message::json ->> 'incidentId' as bigint)`
      : sql`json_extract(message, '$.incidentId')`;
    await sql`update outbox set incident_id = ${told} where message is not null`.execute(db);
    await createIndex(db, "index outbox_incident on outbox (incident_id, id) where incident_id is not null");
  },
};

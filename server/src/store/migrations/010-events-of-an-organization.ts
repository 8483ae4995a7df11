import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Who resumes the live stream reads the events of one organization, not those of everybody else in between. */
export const eventsOfAnOrganization: Migration = {
  async up(db) {
    await sql`create index events_organization on events (organization_id, id)`.execute(db);
  },
};

import type { Migration } from "kysely/migration";
import { createTable, references } from "../ddl.ts";

/** What the checks saw that began an outage and confirmed it. It goes with the outage, to whichever incident has that. */
export const evidence: Migration = {
  async up(db) {
    await createTable(
      db,
      "evidence",
      {
        id: "id",
        organization_id: "bigint",
        affected_service_id: "bigint",
        moment: "text",
        location: "text",
        at: "bigint",
        content: "text",
      },
      ["unique (affected_service_id, moment)", references("affected_service_id", "affected_services")],
    );
  },
};

import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** What was merged into an incident is found without reading all of them: whenever its page asks who was told. */
export const mergedIncidents: Migration = {
  async up(db) {
    await createIndex(db, "index incidents_merged on incidents (merged_into) where merged_into is not null");
  },
};

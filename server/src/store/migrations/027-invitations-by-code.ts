import type { Migration } from "kysely/migration";
import { createIndex } from "../ddl.ts";

/** Whoever follows the link of an invitation has its code and nothing else. */
export const invitationsByCode: Migration = {
  async up(db) {
    await createIndex(db, "index invitations_code on invitations (code_hash)");
  },
};

import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** States of links to outside systems that somebody has come back with: each of them works once. */
export const usedLinkStates: Migration = {
  async up(db) {
    await createTable(
      db,
      "used_link_states",
      { id: "id", organization_id: "bigint", state_hash: "text", at: "bigint" },
      ["unique (state_hash)", references("organization_id", "organizations")],
    );
    await createIndex(db, "index used_link_states_organization on used_link_states (organization_id)");
    await createIndex(db, "index used_link_states_at on used_link_states (at)");
  },
};

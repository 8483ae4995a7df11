import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Sessions that assistants have ended: a client that sends the id of one has to begin anew. */
export const endedAssistantSessions: Migration = {
  async up(db) {
    await createTable(
      db,
      "ended_assistant_sessions",
      { id: "id", session_hash: "text", user_id: "bigint", expires_at: "bigint" },
      ["unique (session_hash, user_id)", references("user_id", "users")],
    );
    await createIndex(db, "index ended_assistant_sessions_user on ended_assistant_sessions (user_id)");
    await createIndex(db, "index ended_assistant_sessions_expires on ended_assistant_sessions (expires_at)");
  },
};

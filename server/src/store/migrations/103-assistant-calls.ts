import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** What the app's assistant called or would like to call, and what it still has to be told. */
export const assistantCalls: Migration = {
  async up(db) {
    await createTable(
      db,
      "assistant_calls",
      {
        id: "id",
        uuid: "text",
        conversation_id: "bigint",
        message_id: "bigint",
        tool: "text",
        title: "text",
        description: "text",
        arguments: "text",
        subject: "text?",
        state: "text",
        result: "text?",
        created_at: "bigint",
        decided_at: "bigint?",
        expires_at: "bigint?",
      },
      ["unique (uuid)", references("conversation_id", "chat_conversations")],
    );
    await createIndex(db, "index assistant_calls_message on assistant_calls (conversation_id, message_id)");
    await createTable(
      db,
      "assistant_turns",
      { id: "id", conversation_id: "bigint", running_until: "bigint", transcript: "text?" },
      ["unique (conversation_id)", references("conversation_id", "chat_conversations")],
    );
  },
};

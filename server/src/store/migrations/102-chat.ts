import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** What people and the assistant said to each other. */
export const chat: Migration = {
  async up(db) {
    await createTable(
      db,
      "chat_conversations",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        user_id: "bigint",
        title: "text",
        created_at: "bigint",
        updated_at: "bigint",
      },
      ["unique (uuid)", references("organization_id", "organizations"), references("user_id", "users")],
    );
    await createIndex(
      db,
      "index chat_conversations_person on chat_conversations (user_id, organization_id, updated_at)",
    );
    await createTable(
      db,
      "chat_messages",
      { id: "id", conversation_id: "bigint", role: "text", content: "text", at: "bigint" },
      [references("conversation_id", "chat_conversations")],
    );
    await createIndex(db, "index chat_messages_conversation on chat_messages (conversation_id, id)");
  },
};

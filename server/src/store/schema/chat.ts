import { bigint, id, table, text } from "../table.ts";

/** Who said it. */
export type ChatRole = "user" | "assistant";

/** How far a call of the assistant is: `waiting` for its person, `running` once they have agreed. */
export type CallState = "waiting" | "running" | "done" | "failed" | "declined";

/** Tables of conversations with the assistant. */
export const CHAT_TABLES = {
  chat_conversations: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      user_id: bigint().references("users"),
      title: text(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      chat_conversations_person: "(user_id, organization_id, updated_at)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  chat_messages: table({
    columns: {
      id: id(),
      conversation_id: bigint().references("chat_conversations"),
      role: text<ChatRole>(),
      content: text(),
      at: bigint(),
    },
    indexes: {
      chat_messages_conversation: "(conversation_id, id)",
    },
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "until deleted",
  }),
  assistant_calls: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      conversation_id: bigint().references("chat_conversations"),
      /** The message with which it is shown. */
      message_id: bigint(),
      tool: text(),
      title: text(),
      description: text(),
      /** JSON, exactly what the tool is called with. Never changed. */
      arguments: text(),
      /** JSON: what it is done to, as it was called when this was asked. */
      subject: text().nullable(),
      state: text<CallState>(),
      /** What came of it, as the model is told. */
      result: text().nullable(),
      created_at: bigint(),
      decided_at: bigint().nullable(),
      expires_at: bigint().nullable(),
    },
    indexes: {
      assistant_calls_message: "(conversation_id, message_id)",
    },
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "until deleted",
  }),
  assistant_turns: table({
    columns: {
      id: id(),
      conversation_id: bigint().references("chat_conversations").unique(),
      /** An answer is being written, until then at the latest. */
      running_until: bigint(),
      /** JSON: what was said and called since calls are waiting, which the model is to be told again. */
      transcript: text().nullable(),
    },
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "until deleted",
  }),
};

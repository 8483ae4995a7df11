import { bigint, id, table, text } from "../table.ts";

export const ASSISTANT_TABLES = {
  identities: table({
    columns: {
      id: id(),
      issuer: text(),
      /** As the provider names them; unique there and never reassigned (OpenID Connect Core §8). */
      subject: text(),
      user_id: bigint().references("users"),
      created_at: bigint(),
    },
    unique: [["issuer", "subject"]],
    indexes: {
      identities_user: "(user_id)",
    },
    tenant: null,
    retention: "until deleted",
  }),
  /** A confirmation that was used, so that no replica takes it again. */
  spent_confirmations: table({
    columns: {
      id: id(),
      token_id: text().unique(),
      /** From then on the confirmation is worth nothing anyway. */
      expires_at: bigint(),
    },
    indexes: {
      spent_confirmations_expires: "(expires_at)",
    },
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "left out",
  }),
  ended_assistant_sessions: table({
    columns: {
      id: id(),
      session_hash: text(),
      user_id: bigint().references("users"),
      expires_at: bigint(),
    },
    unique: [["session_hash", "user_id"]],
    indexes: {
      ended_assistant_sessions_user: "(user_id)",
      ended_assistant_sessions_expires: "(expires_at)",
    },
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "left out",
  }),
  /** A resource that a client of a 2025 revision has subscribed to. */
  resource_subscriptions: table({
    columns: {
      id: id(),
      /** SHA-256 of the client's session id. */
      session_hash: text(),
      user_id: bigint().references("users"),
      uri: text(),
      expires_at: bigint(),
    },
    unique: [["session_hash", "user_id", "uri"]],
    indexes: {
      resource_subscriptions_user: "(user_id)",
      resource_subscriptions_expires: "(expires_at)",
    },
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "left out",
  }),
};

export type ChatRole = "user" | "assistant";

/** How far a call of the assistant is: `waiting` for its person, `running` once they have agreed. */
export type CallState = "waiting" | "running" | "done" | "failed" | "declined";

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
      /** JSON: what it is done to, as it was called at the time of the request. */
      subject: text().nullable(),
      state: text<CallState>(),
      /** The result, as it is passed to the model. */
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
      /** JSON: the transcript since calls are waiting, which is passed to the model again. */
      transcript: text().nullable(),
    },
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "until deleted",
  }),
};

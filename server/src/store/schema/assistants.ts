import { bigint, id, table, text } from "../table.ts";

/** Tables of assistants and of those who sign in elsewhere. */
export const ASSISTANT_TABLES = {
  /** Whom a subject of a configured identity provider is here. */
  identities: table({
    columns: {
      id: id(),
      issuer: text(),
      /** As the provider names them; unique there and never given to somebody else (OpenID Connect Core §8). */
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
  /** A session that its client has ended. */
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
  /** A resource that a client of a 2025 revision wants to hear of. */
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

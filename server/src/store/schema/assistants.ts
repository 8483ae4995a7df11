import type { Generated } from "kysely";
import { table } from "../table.ts";

/** Whom a subject of a configured identity provider is here. */
export interface IdentityTable {
  id: Generated<number>;
  issuer: string;
  /** As the provider names them; unique there and never given to somebody else (OpenID Connect Core §8). */
  subject: string;
  user_id: number;
  created_at: number;
}

/** A confirmation that was used, so that no replica takes it again. */
export interface SpentConfirmationTable {
  id: Generated<number>;
  token_id: string;
  /** From then on the confirmation is worth nothing anyway. */
  expires_at: number;
}

/** A resource that a client of a 2025 revision wants to hear of. */
export interface ResourceSubscriptionTable {
  id: Generated<number>;
  /** SHA-256 of the client's session id. */
  session_hash: string;
  user_id: number;
  uri: string;
  expires_at: number;
}

/** A session that its client has ended. */
export interface EndedAssistantSessionTable {
  id: Generated<number>;
  session_hash: string;
  user_id: number;
  expires_at: number;
}

/** Tables of assistants and of those who sign in elsewhere. */
export const ASSISTANT_TABLES = {
  identities: table<IdentityTable>({ tenant: null, retention: "kept" }),
  spent_confirmations: table<SpentConfirmationTable>({
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "left out",
  }),
  ended_assistant_sessions: table<EndedAssistantSessionTable>({
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "left out",
  }),
  resource_subscriptions: table<ResourceSubscriptionTable>({
    tenant: null,
    retention: { days: 0, since: "expires_at" },
    backup: "left out",
  }),
};

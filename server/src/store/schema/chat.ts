import type { Generated } from "kysely";
import { table } from "../table.ts";

/** Who said it. */
export type ChatRole = "user" | "assistant";

interface ChatConversationTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  user_id: number;
  title: string;
  created_at: number;
  updated_at: number;
}

interface ChatMessageTable {
  id: Generated<number>;
  conversation_id: number;
  role: ChatRole;
  content: string;
  at: number;
}

/** How far a call of the assistant is: `waiting` for its person, `running` once they have agreed. */
export type CallState = "waiting" | "running" | "done" | "failed" | "declined";

interface AssistantCallTable {
  id: Generated<number>;
  uuid: string;
  conversation_id: number;
  /** The message with which it is shown. */
  message_id: number;
  tool: string;
  title: string;
  description: string;
  /** JSON, exactly what the tool is called with. Never changed. */
  arguments: string;
  /** JSON: what it is done to, as it was called when this was asked. */
  subject: string | null;
  state: CallState;
  /** What came of it, as the model is told. */
  result: string | null;
  created_at: number;
  decided_at: number | null;
  expires_at: number | null;
}

interface AssistantTurnTable {
  id: Generated<number>;
  conversation_id: number;
  /** An answer is being written, until then at the latest. */
  running_until: number;
  /** JSON: what was said and called since calls are waiting, which the model is to be told again. */
  transcript: string | null;
}

/** Tables of conversations with the assistant. */
export const CHAT_TABLES = {
  chat_conversations: table<ChatConversationTable>({ tenant: "organization_id", retention: "kept" }),
  chat_messages: table<ChatMessageTable>({
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "kept",
  }),
  assistant_calls: table<AssistantCallTable>({
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "kept",
  }),
  assistant_turns: table<AssistantTurnTable>({
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "kept",
  }),
};

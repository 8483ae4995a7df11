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

/** Tables of conversations with the assistant. */
export const CHAT_TABLES = {
  chat_conversations: table<ChatConversationTable>({ tenant: "organization_id", retention: "kept" }),
  chat_messages: table<ChatMessageTable>({
    tenant: { column: "conversation_id", of: "chat_conversations" },
    retention: "kept",
  }),
};

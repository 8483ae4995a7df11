import {
  deleteChatConversation,
  getChatConversation,
  listChatConversations,
  renameChatConversation,
  saveChatExchange,
} from "../../chat/conversations.ts";
import type { DefineBoth } from "../both-families.ts";
import { LONG_TEXTS } from "../long-texts.ts";

const collection = { url: "/api/chat/conversations" };
const item = { url: "/api/chat/conversations/:id" };

/** What people and the assistant said to each other. */
export function describeChat(define: DefineBoth): void {
  define({
    ...collection,
    verb: listChatConversations,
    method: "GET",
    summary: "List your conversations",
    description:
      "Yours about this organization, the one in which something was said last first. Nobody else can read them.",
  });
  define({
    ...collection,
    ...LONG_TEXTS,
    verb: saveChatExchange,
    method: "POST",
    status: 201,
    summary: "Save a question and its answer",
    description:
      "In the conversation that `conversationId` names, or in a new one, which is named by its first question. Answers with these two messages. A person can have 1,000 conversations about an organization, with 2,000 messages each.",
    message: "Conversation saved.",
  });
  define({
    ...item,
    verb: getChatConversation,
    method: "GET",
    summary: "Get a conversation",
    description:
      "With its newest messages, oldest first. Where `hasMore` says so, `before` leads to those before them.",
  });
  define({
    ...item,
    verb: renameChatConversation,
    method: "PUT",
    summary: "Rename a conversation",
    description: "What was said in it stays.",
    message: "Conversation renamed.",
  });
  define({
    ...item,
    verb: deleteChatConversation,
    method: "DELETE",
    summary: "Delete a conversation",
    description: "With all that was said in it, for good.",
    message: "Conversation deleted.",
  });
}

import { LONG_TEXTS } from "../../platform/http/answer.ts";
import { allowLongCheck } from "../../platform/http/begin-in-turns.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import { answerPrompt } from "../answer-prompt.ts";
import {
  deleteChatConversation,
  getChatConversation,
  listChatConversations,
  renameChatConversation,
  saveChatExchange,
} from "../conversations.ts";
import { approveAssistantCall, declineAssistantCall, getAssistant, stopAnswer } from "../decide-call.ts";

/** Each may cause a dozen requests to the model. */
const LIMIT = { group: "assistant", perMinute: 20 } as const;

export function describeAssistant(define: DefineBoth): void {
  define({
    url: "/api/chat/assistant",
    verb: getAssistant,
    method: "GET",
    summary: "Get whether the assistant answers",
    description: "And by which model. docs/assistant.md says how one is set up.",
  });
  define({
    url: "/api/chat/answers",
    ...LONG_TEXTS,
    verb: answerPrompt,
    method: "POST",
    limit: LIMIT,
    failures: [409, 502],
    summary: "Send the assistant a message",
    description:
      "Answers as it is written, in lines; the last one is what is stored. Tools that only read are called with your own rights at once, anything else waits until you agree in the app. Closing the connection stops it, and what was said so far is stored. 409 where no model is configured, or an answer is being written in the conversation.",
  });
  define({
    url: "/api/chat/answers/stop",
    verb: stopAnswer,
    method: "POST",
    summary: "Stop an answer",
    description: "By the `answerId` of its request. The answer so far is saved.",
    message: "The answer ends, if it was being written.",
  });
  define({
    url: "/api/chat/calls/:id/approve",
    // A tool call may be a check.
    before: allowLongCheck,
    verb: approveAssistantCall,
    method: "POST",
    failures: [409],
    summary: "Agree to what the assistant would like to do",
    description:
      "Does exactly what the call says, once, with your own rights. For people who are signed in only. 409 once it was decided, or an hour after it was proposed.",
    message: "Agreed. What came of it is its `state`.",
  });
  define({
    url: "/api/chat/calls/:id/decline",
    verb: declineAssistantCall,
    method: "POST",
    failures: [409],
    summary: "Decline what the assistant would like to do",
    description: "Nothing is done. 409 once it was decided, or an hour after it was proposed.",
    message: "Declined.",
  });
}

const collection = { url: "/api/chat/conversations" };
const item = { url: "/api/chat/conversations/:id" };

export function describeChat(define: DefineBoth): void {
  define({
    ...collection,
    verb: listChatConversations,
    method: "GET",
    summary: "List your conversations",
    description:
      "Yours about this organization, the one in which something was said last first. Only you can read them.",
  });
  define({
    ...collection,
    ...LONG_TEXTS,
    verb: saveChatExchange,
    method: "POST",
    status: 201,
    summary: "Save a message and its answer",
    description:
      "In the conversation that `conversationId` names, or in a new one, which is named by its first message. Answers with these two messages. A person can have 1,000 conversations about an organization, with 2,000 messages each.",
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

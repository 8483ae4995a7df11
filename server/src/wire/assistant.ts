import { type Static, Type } from "typebox";
import { AssistantCall, CALL_STATES } from "./assistant-call.ts";
import { ChatConversation, ChatMessage, GoingOn, MAX_MESSAGE_BYTES } from "./chat.ts";
import { Fact } from "./fact.ts";
import { nullable, oneOf, Uuid } from "./field.ts";

/** GET /api/chat/assistant. */
export const AssistantSettings = Type.Object(
  {
    isConfigured: Type.Boolean({ description: "Whether questions are answered on this installation." }),
    model: nullable(Type.String({ examples: ["small-1"] }), "The model that answers; null: none."),
    host: nullable(
      Type.String({ examples: ["models.example"] }),
      "Where it is, which is where questions and what is read for them are sent; null: nowhere.",
    ),
  },
  { title: "AssistantSettings" },
);

const answerId = Type.String({
  format: "uuid",
  description: "What the answer is called, so that it can be stopped.",
});

/** POST /api/chat/answers. */
export const AssistantQuestion = Type.Object(
  {
    conversationId: Type.Optional(GoingOn),
    message: Type.Optional(
      Type.String({
        minLength: 1,
        // No text of that many bytes has more characters.
        maxLength: MAX_MESSAGE_BYTES,
        description:
          "What is asked; at most 64 KiB of UTF-8. Default: the answer goes on once everything that it waited for is decided.",
        examples: ["Why is the shop slow?"],
      }),
    ),
    answerId: Type.Optional(answerId),
  },
  { title: "AssistantQuestion" },
);

/** POST /api/chat/answers/stop. */
export const AnswerStop = Type.Object({ answerId }, { title: "AnswerStop" });

/** POST /api/chat/calls/{id}/approve and /decline. */
export const CallDecision = Type.Object({ id: Type.String({ description: "The call's uuid." }) });

/** A line of an answer that is being written. */
export const AssistantProgress = Type.Object(
  {
    type: oneOf(["text", "call", "wait"], {
      description: "More text, how far a call is, or that nothing has happened for some seconds.",
    }),
    text: Type.Optional(Type.String({ description: "What comes after the text so far; Markdown." })),
    call: Type.Optional(
      Type.Object({
        uuid: Uuid,
        tool: Type.String(),
        title: Type.String({ description: "What it does, in English." }),
        state: oneOf(CALL_STATES),
      }),
    ),
  },
  { title: "AssistantProgress" },
);

/** What an answer came to. */
export const AssistantAnswer = Type.Object(
  {
    conversation: ChatConversation,
    messages: Type.Array(ChatMessage, {
      description: "The question and the whole answer, as they are kept.",
    }),
    calls: Type.Array(AssistantCall, {
      description: "What it called, and what it would like to do; of the latter each waits for its person.",
    }),
    endedBy: oneOf(["done", "waiting", "stopped", "limit", "failed"], {
      description: "`waiting`: for its person to decide. `limit`: it took too many steps or too long.",
    }),
    problem: nullable(Type.String(), "Why it failed, in English; null: it did not."),
    problemFact: Fact,
  },
  { title: "AssistantAnswer" },
);

export type Progress = Static<typeof AssistantProgress>;
export type Answer = Static<typeof AssistantAnswer>;
export type ShownSettings = Static<typeof AssistantSettings>;

import { type Static, Type } from "typebox";
import {
  IdText,
  MessageSchema,
  nullable,
  oneOf,
  Timestamp,
  Uuid,
  withId,
} from "../../platform/operations/field.ts";
import { createdSort, PageQuery } from "../../platform/operations/paging.ts";

/** As shown to people. `unknown`: it cannot be determined whether it was executed. */
export const CALL_STATES = [
  "waiting",
  "running",
  "done",
  "failed",
  "declined",
  "expired",
  "unknown",
] as const;

export const AssistantCall = Type.Object(
  {
    uuid: Uuid,
    messageId: Type.Integer({ description: "The message with which it is shown.", examples: [12] }),
    tool: Type.String({ description: "Its name, as over MCP.", examples: ["acknowledge_incident"] }),
    title: Type.String({ description: "What it does, in English.", examples: ["Acknowledge an incident"] }),
    description: Type.String({ description: "The same in more words." }),
    arguments: Type.String({
      description: "JSON: exactly what the tool is called with.",
      examples: ['{"id":"12"}'],
    }),
    subject: Type.Array(
      Type.Object({
        name: Type.String({ description: "Which field of it.", examples: ["title"] }),
        value: Type.String({ examples: ["Shop is down"] }),
      }),
      {
        description:
          "What it is done to, as it was called at the time of the request; empty: nothing that exists.",
      },
    ),
    state: oneOf(CALL_STATES, {
      description:
        "`waiting`: nothing is done before its person agrees; until `expiresAt`, then it is `expired`. `unknown`: the server stopped while it was done, so it may or may not have been.",
    }),
    problem: nullable(Type.String(), "Why it failed, in English; null: it did not."),
    createdAt: Timestamp,
    decidedAt: nullable(Timestamp, "When its person agreed or declined."),
    expiresAt: nullable(Timestamp, "Until when they can; null for what only read."),
  },
  { title: "AssistantCall" },
);

export type ShownCall = Static<typeof AssistantCall>;

/** Decisions §9, of UTF-8. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_TITLE_LENGTH = 255;

const said = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    // Bytes are at least as many as characters.
    maxLength: MAX_MESSAGE_BYTES,
    description: `${description} At most 64 KiB of UTF-8.`,
    examples: [example],
  });

const GoingOn = Type.Unsafe<string | number>({
  ...IdText,
  type: ["string", "integer"],
  description: "The conversation that goes on, by its integer id or uuid. Default: a new one.",
  examples: [4],
});

export const ChatExchange = Type.Object(
  {
    conversationId: Type.Optional(GoingOn),
    userMessage: said("What the person wrote.", "Why is the shop slow?"),
    assistantMessage: said("What the assistant answered.", "Its database answers slowly since 09:12 UTC."),
  },
  { title: "ChatExchange" },
);

export const ChatRename = withId(
  Type.Object(
    {
      title: Type.String({
        minLength: 1,
        maxLength: MAX_TITLE_LENGTH,
        description: "What it is called.",
        examples: ["Slow shop"],
      }),
    },
    { title: "ChatRename" },
  ),
);

export const ChatConversationsQuery = Type.Object({
  ...PageQuery,
  sort: createdSort("Default: the one in which something was said last first."),
});

export const ChatConversationQuery = Type.Object({
  id: IdText,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: "This many of the newest messages.",
    }),
  ),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Only messages older than the one with this `id`: send the first one's for those before.",
    }),
  ),
});

export const ChatMessage = Type.Object(
  {
    id: Type.Integer({ description: "Grows with each message.", examples: [12] }),
    role: oneOf(["user", "assistant"], { description: "Who said it." }),
    content: Type.String({ description: "Markdown, of the assistant." }),
    createdAt: Timestamp,
  },
  { title: "ChatMessage" },
);

const conversationFields = {
  id: Type.Integer({ examples: [4] }),
  uuid: Uuid,
  title: Type.String({
    description: "Unless it was renamed, how its first prompt begins.",
    examples: ["Why is the shop slow?"],
  }),
  createdAt: Timestamp,
  updatedAt: Type.String({ ...Timestamp, description: "When something was said last." }),
};

export const ChatConversation = Type.Object(conversationFields, { title: "ChatConversation" });

export const ChatConversationDetail = Type.Object(
  {
    ...conversationFields,
    messages: Type.Array(ChatMessage, { description: "Oldest first." }),
    calls: Type.Array(AssistantCall, {
      description: "What the assistant called for these messages, and what it would like to do.",
    }),
    hasMore: Type.Boolean({ description: "Whether there are messages before the first one." }),
  },
  { title: "ChatConversationDetail" },
);

export type ShownConversation = Static<typeof ChatConversationDetail>;
export type ListedConversation = Static<typeof ChatConversation>;
export type ShownMessage = Static<typeof ChatMessage>;

export const AssistantSettings = Type.Object(
  {
    isConfigured: Type.Boolean({ description: "Whether this installation has an assistant." }),
    model: nullable(Type.String({ examples: ["small-1"] }), "The model that answers; null: none."),
    host: nullable(
      Type.String({ examples: ["models.example"] }),
      "Where it is: prompts and what is read for them are sent there; null: nowhere.",
    ),
  },
  { title: "AssistantSettings" },
);

const answerId = Type.String({
  format: "uuid",
  description: "What the answer is called, so that it can be stopped.",
});

export const AssistantPrompt = Type.Object(
  {
    conversationId: Type.Optional(GoingOn),
    message: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_MESSAGE_BYTES,
        description:
          "The prompt; at most 64 KiB of UTF-8. Default: the answer goes on once everything that it waited for is decided.",
        examples: ["Why is the shop slow?"],
      }),
    ),
    answerId: Type.Optional(answerId),
  },
  { title: "AssistantQuestion" },
);

export const AnswerStop = Type.Object({ answerId }, { title: "AnswerStop" });

export const CallDecision = Type.Object({ id: Type.String({ description: "The call's uuid." }) });

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

export const AssistantAnswer = Type.Object(
  {
    conversation: ChatConversation,
    messages: Type.Array(ChatMessage, {
      description: "The prompt and the whole answer, as they are stored.",
    }),
    calls: Type.Array(AssistantCall, {
      description: "What it called, and what it would like to do; of the latter each waits for its person.",
    }),
    endedBy: oneOf(["done", "waiting", "stopped", "limit", "failed"], {
      description: "`waiting`: for its person to decide. `limit`: it took too many steps or too long.",
    }),
    problem: nullable(Type.String(), "Why it failed, in English; null: it did not."),
    problemFact: MessageSchema,
  },
  { title: "AssistantAnswer" },
);

export type Progress = Static<typeof AssistantProgress>;
export type Answer = Static<typeof AssistantAnswer>;
export type ShownSettings = Static<typeof AssistantSettings>;

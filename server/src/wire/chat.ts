import { type Static, Type } from "typebox";
import { AssistantCall } from "./assistant-call.ts";
import { oneOf, Timestamp, Uuid } from "./field.ts";
import { IdText, withId } from "./id.ts";
import { createdSort, PageQuery } from "./page.ts";

/** Decisions §9, of UTF-8. */
export const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_TITLE_LENGTH = 255;

const said = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    // No text of that many bytes has more characters.
    maxLength: MAX_MESSAGE_BYTES,
    description: `${description} At most 64 KiB of UTF-8.`,
    examples: [example],
  });

/** In which conversation something is said. */
export const GoingOn = Type.Unsafe<string | number>({
  ...IdText,
  type: ["string", "integer"],
  description: "The conversation that goes on, by its integer id or uuid. Default: a new one.",
  examples: [4],
});

/** POST /api/chat/conversations. */
export const ChatExchange = Type.Object(
  {
    conversationId: Type.Optional(GoingOn),
    userMessage: said("What the person asked.", "Why is the shop slow?"),
    assistantMessage: said("What the assistant answered.", "Its database answers slowly since 09:12 UTC."),
  },
  { title: "ChatExchange" },
);

/** PUT /api/chat/conversations/{id}. */
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

/** GET /api/chat/conversations. */
export const ChatConversationsQuery = Type.Object({
  ...PageQuery,
  sort: createdSort("Default: the one in which something was said last first."),
});

/** GET /api/chat/conversations/{id}. */
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

/** What one of them said. */
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
    description: "Unless it was renamed, how its first question begins.",
    examples: ["Why is the shop slow?"],
  }),
  createdAt: Timestamp,
  updatedAt: Type.String({ ...Timestamp, description: "When something was said last." }),
};

/** A conversation in a list. */
export const ChatConversation = Type.Object(conversationFields, { title: "ChatConversation" });

/** A conversation and a part of what was said in it. */
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

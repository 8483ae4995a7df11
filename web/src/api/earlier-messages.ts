import type { ShownConversation } from "../../../server/src/wire/chat.ts";

/** A conversation's newest messages with those before them that were read already, unless some between the two are not known. */
export function keepEarlier(
  newest: ShownConversation,
  known: ShownConversation | undefined,
): ShownConversation {
  const first = newest.messages[0]?.id;
  return known?.messages.some(({ id }) => id === first) ? withEarlier(newest, known) : newest;
}

/** With what was said before, each message once. */
export function withEarlier(later: ShownConversation, earlier: ShownConversation): ShownConversation {
  const first = later.messages[0]?.id ?? 0;
  const messages = earlier.messages.filter(({ id }) => id < first);
  if (messages.length === 0) return later;
  const calls = earlier.calls.filter(({ messageId }) => messageId < first);
  return {
    ...later,
    messages: [...messages, ...later.messages],
    calls: [...calls, ...later.calls],
    hasMore: earlier.hasMore,
  };
}

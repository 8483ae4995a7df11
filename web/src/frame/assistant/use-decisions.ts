import { useQueryClient } from "@tanstack/react-query";
import { type Conversation, conversationQuery, type Decision, useDecideCall } from "../../api/assistant.ts";
import type { Assistant } from "./use-assistant.ts";

export type Decisions = ReturnType<typeof useDecisions>;

/** What the reader decides. What it leads to may take minutes, in which they look at something else. */
export function useDecisions({ goOn }: Pick<Assistant, "goOn">) {
  const client = useQueryClient();
  const { mutateAsync, isPending, variables, error } = useDecideCall();
  const decide = async (decision: Decision) => {
    try {
      await mutateAsync(decision);
    } catch {
      // Said beside what was decided.
      return;
    }
    // By now it was read again.
    const known = client.getQueryData(conversationQuery(decision.conversationId).queryKey);
    if (known && canGoOn(known)) goOn(decision.conversationId);
  };
  return { decide, isPending, variables, error };
}

/**
 * Whether everything that the last answer waited for is decided, and nothing was said since. What nobody decided and has not
 * expired was declined when its answer was stopped: nothing goes on from that.
 */
export function canGoOn({ messages, calls }: Pick<Conversation, "messages" | "calls">): boolean {
  const last = messages.at(-1)?.id;
  const asked = calls.filter(({ messageId, expiresAt }) => messageId === last && expiresAt !== null);
  const isOpen = asked.some(({ state }) => state === "waiting" || state === "running");
  return !isOpen && asked.some(({ decidedAt, state }) => decidedAt !== null || state === "expired");
}

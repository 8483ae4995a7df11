import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type {
  Answer,
  ListedConversation,
  Progress,
  ShownCall,
  ShownConversation,
  ShownMessage,
  ShownSettings,
} from "../../../server/src/assistant/schemas/assistant.ts";
import { i18n } from "../i18n/i18n.ts";
import { apiPaths } from "../paths.ts";
import { ApiError, call, callInLines } from "./client.ts";

export type Conversation = ShownConversation;
export type { ListedConversation };
export type ChatMessage = ShownMessage;
export type AssistantCall = ShownCall;
export type { Answer, Progress };

const key = "assistant";
/** Of the list, by which it grows as well. */
export const CONVERSATIONS_AT_ONCE = 200;
/** The limit per person (server/src/assistant/conversations.ts). */
export const MAX_CONVERSATIONS = 1_000;

export const assistantQuery = queryOptions({
  queryKey: [key, "settings"],
  queryFn: async ({ signal }) => (await call<ShownSettings>("GET", apiPaths.assistant, { signal })).data,
});

const conversationsKey = [key, "conversations"];

/** The reader's newest conversations, the one in which something was said last first. */
export const conversationsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...conversationsKey, limit],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit };
      return (await call<ListedConversation[]>("GET", apiPaths.conversations, { query, signal })).data;
    },
  });

/** One with its newest messages, and those before that were read already; null: a new one. */
export const conversationQuery = (id: number | null) =>
  queryOptions({
    queryKey: [key, "conversation", id],
    enabled: id !== null,
    queryFn: async ({ signal, client, queryKey }) => {
      const newest = await readConversation(id ?? 0, {}, signal);
      return keepEarlier(newest, client.getQueryData<Conversation>(queryKey));
    },
  });

/** Reads what was said before the first message that is known. */
export function useReadEarlier(id: number) {
  const client = useQueryClient();
  const { queryKey } = conversationQuery(id);
  return useMutation({
    mutationFn: (before: number) => readConversation(id, { before }),
    onSuccess: (earlier, before) =>
      client.setQueryData(queryKey, (known) =>
        known?.messages[0]?.id === before ? withEarlier(known, earlier) : known,
      ),
  });
}

const readConversation = async (id: number, query: { before?: number }, signal?: AbortSignal) =>
  (await call<ShownConversation>("GET", apiPaths.conversation(id), { query, signal })).data;

export interface AssistantPrompt {
  conversationId?: string;
  message?: string;
  answerId: string;
}

/** The server says at least every five seconds that it is there: whatever is silent for so long is gone. */
const MAX_SILENCE_MS = 30_000;

/** Sends a message; `onLine` receives the answer line by line. Throws ApiError. */
export async function requestAnswer(
  body: AssistantPrompt,
  onLine: (line: Progress) => void,
): Promise<Answer> {
  const lost = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(silence);
    silence = setTimeout(() => lost.abort(), MAX_SILENCE_MS);
  };
  const handleLine = (line: Progress) => {
    restartTimer();
    onLine(line);
  };
  restartTimer();
  try {
    return await callInLines(apiPaths.answers, { body, signal: lost.signal, onLine: handleLine });
  } catch (failed) {
    throw failed instanceof ApiError ? failed : new ApiError(0, i18n.t("error.unreachable"));
  } finally {
    clearTimeout(silence);
  }
}

export const stopAnswer = (answerId: string) => call("POST", apiPaths.stopAnswer, { body: { answerId } });

export interface Decision {
  conversationId: number;
  uuid: string;
  decision: "approve" | "decline";
}

export function useDecideCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uuid, decision }: Decision) =>
      (await call<AssistantCall>("POST", apiPaths.decideCall(uuid, decision))).data,
    // Decided elsewhere, it shows as that; also where the reader looks at something else by then.
    onSettled: (_call, _error, { conversationId }) =>
      client.invalidateQueries({ ...conversationQuery(conversationId), refetchType: "all" }),
  });
}

export function useRenameConversation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, title }: { id: number; title: string }) =>
      call("PUT", apiPaths.conversation(id), { body: { title } }),
    onSuccess: () => readAssistantAgain(client),
  });
}

/** Deletes a conversation. `onDeleted` runs even when its dialog has been closed by then. */
export function useDeleteConversation(onDeleted: (id: number) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.conversation(id)),
    onSuccess: (_answer, { id }) => {
      onDeleted(id);
      return client.invalidateQueries({ queryKey: conversationsKey });
    },
  });
}

export const readAssistantAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: [key] });

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

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  type Answer,
  askAssistant,
  conversationQuery,
  type Progress,
  readAssistantAgain,
  stopAnswer,
} from "../../api/assistant.ts";
import { withEarlier } from "../../api/earlier-messages.ts";

export type CallProgress = NonNullable<Progress["call"]>;

/** An answer that is being written. */
export interface Writing {
  answerId: string;
  /** Null: it goes on after what was decided. */
  question: string | null;
  text: string;
  calls: CallProgress[];
  isStopping: boolean;
}

export type Assistant = ReturnType<typeof useAssistant>;

/** Which conversation is shown, and the answer that is being written in it. */
export function useAssistant() {
  const client = useQueryClient();
  const [conversationId, setConversationId] = useState<number | null>(null);
  const shown = useRef(conversationId);
  const [writing, setWriting] = useState<Writing | null>(null);
  const [error, setError] = useState<Error | null>(null);
  /** Whose answer is still wanted. */
  const current = useRef<string | null>(null);
  useEffect(() => () => stopQuietly(current.current), []);

  const show = useCallback((id: number | null) => {
    stopQuietly(current.current);
    current.current = null;
    shown.current = id;
    setConversationId(id);
    setWriting(null);
    setError(null);
  }, []);

  /** Gives false where the question has to be asked again. */
  const ask = useCallback(
    async (message: string | null, goesOn: number | null): Promise<boolean> => {
      // What is being written goes first.
      if (current.current !== null) return false;
      const answerId = crypto.randomUUID();
      current.current = answerId;
      const isCurrent = () => current.current === answerId;
      setError(null);
      setWriting({ answerId, question: message, text: "", calls: [], isStopping: false });
      try {
        const question = {
          ...(goesOn !== null && { conversationId: String(goesOn) }),
          ...(message !== null && { message }),
          answerId,
        };
        const onLines = (lines: Progress[]) =>
          isCurrent() && setWriting((was) => was && lines.reduce(after, was));
        const answer = await askAssistant(question, inBatches(onLines));
        keep(client, answer);
        if (isCurrent()) {
          shown.current = answer.conversation.id;
          setConversationId(answer.conversation.id);
        }
        return true;
      } catch (failed) {
        if (isCurrent()) setError(failed as Error);
        // What was said until the connection broke is kept.
        void readAssistantAgain(client);
        return false;
      } finally {
        if (isCurrent()) {
          current.current = null;
          setWriting(null);
        }
      }
    },
    [client],
  );

  /** After what was decided, where the reader has not gone elsewhere by then. */
  const goOn = useCallback(
    (id: number) => {
      if (shown.current === id) void ask(null, id);
    },
    [ask],
  );

  const stop = useCallback(() => {
    setWriting((was) => was && { ...was, isStopping: true });
    if (current.current !== null) stopAnswer(current.current).catch(setError);
  }, []);
  return { conversationId, show, writing, error, ask, goOn, stop };
}

/** Of an answer that is left: nobody could stop it any more. What was said so far is kept in its conversation. */
function stopQuietly(answerId: string | null): void {
  if (answerId !== null) stopAnswer(answerId).catch(() => {});
}

/** More pieces come than anybody can read, and each has the whole read again. */
const SHOWN_EVERY_MS = 100;

function inBatches(onLines: (lines: Progress[]) => void): (line: Progress) => void {
  let lines: Progress[] = [];
  const show = () => {
    onLines(lines);
    lines = [];
  };
  return (line) => {
    if (lines.push(line) === 1) setTimeout(show, SHOWN_EVERY_MS);
  };
}

function after(was: Writing, { type, text = "", call }: Progress): Writing {
  if (type === "text") return { ...was, text: was.text + text };
  if (type !== "call" || !call) return was;
  const others = was.calls.filter(({ uuid }) => uuid !== call.uuid);
  return { ...was, calls: [...others, call] };
}

/** The answer stands where its lines stood, without a gap. */
function keep(client: ReturnType<typeof useQueryClient>, { conversation, messages, calls }: Answer) {
  const whole = { ...conversation, messages, calls, hasMore: false };
  client.setQueryData(conversationQuery(conversation.id).queryKey, (known) =>
    known ? withEarlier(whole, known) : whole,
  );
  void readAssistantAgain(client);
}

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  type Answer,
  type AssistantPrompt,
  type Conversation,
  conversationQuery,
  type Decision,
  type Progress,
  readAssistantAgain,
  requestAnswer,
  stopAnswer,
  useDecideCall,
  withEarlier,
} from "../../api/assistant.ts";

export type CallProgress = NonNullable<Progress["call"]>;

export interface Writing {
  answerId: string;
  /** Null: it goes on after what was decided. */
  prompt: string | null;
  text: string;
  calls: CallProgress[];
  isStopping: boolean;
  /** The connection was lost: this is what came until then. */
  isBroken: boolean;
}

const nothingYet = { text: "", calls: [], isStopping: false, isBroken: false };

interface Submission {
  /** Null: it goes on after what was decided. */
  message: string | null;
  /** The conversation; null: a new one. */
  goesOn: number | null;
  /** Called with the conversation of the answer, while that is wanted. */
  onAnswer: (id: number) => void;
}

/** The answer that is being written: one at a time, which stops when it is left. */
function useAnswer() {
  const client = useQueryClient();
  const [writing, setWriting] = useState<Writing | null>(null);
  const [error, setError] = useState<Error | null>(null);
  /** Whose answer is still wanted. */
  const current = useRef<string | null>(null);
  useEffect(() => () => stopQuietly(current.current), []);

  const leave = useCallback(() => {
    stopQuietly(current.current);
    current.current = null;
    setWriting(null);
    setError(null);
  }, []);

  /** Resolves to false where the message has to be sent again. */
  const write = useCallback(
    async ({ message, goesOn, onAnswer }: Submission): Promise<boolean> => {
      // What is being written goes first.
      if (current.current !== null) return false;
      const answerId = crypto.randomUUID();
      current.current = answerId;
      const isCurrent = () => current.current === answerId;
      const onLines = (lines: Progress[]) =>
        isCurrent() && setWriting((was) => was && lines.reduce(after, was));
      let rest: (was: Writing | null) => Writing | null = () => null;
      setError(null);
      setWriting({ ...nothingYet, answerId, prompt: message });
      try {
        const answer = await requestAnswer(toPrompt({ message, goesOn }, answerId), inBatches(onLines));
        keep(client, answer);
        if (isCurrent()) onAnswer(answer.conversation.id);
        return true;
      } catch (failed) {
        if (isCurrent()) setError(failed as Error);
        // What was written until the connection broke is stored; a new conversation is one whose number has not arrived.
        if (goesOn === null) rest = brokenOff;
        void readAssistantAgain(client);
        return false;
      } finally {
        if (isCurrent()) {
          current.current = null;
          setWriting(rest);
        }
      }
    },
    [client],
  );

  const stop = useCallback(() => {
    setWriting((was) => was && { ...was, isStopping: true });
    if (current.current !== null) stopAnswer(current.current).catch(setError);
  }, []);
  return { writing, isWriting: writing !== null && !writing.isBroken, error, write, leave, stop };
}

const toPrompt = ({ message, goesOn }: Omit<Submission, "onAnswer">, answerId: string): AssistantPrompt => ({
  ...(goesOn !== null && { conversationId: String(goesOn) }),
  ...(message !== null && { message }),
  answerId,
});

/** For an answer that is left: it could not be stopped any more. What was written is stored in its conversation. */
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

/** Null where nothing was written; the outcome of pending calls is unknown. */
function brokenOff(was: Writing | null): Writing | null {
  if (was === null || was.text === "") return null;
  const calls = was.calls.map((call) =>
    call.state === "running" ? { ...call, state: "unknown" as const } : call,
  );
  return { ...was, calls, isBroken: true };
}

/** The stored answer replaces its lines, without a gap. */
function keep(client: ReturnType<typeof useQueryClient>, { conversation, messages, calls }: Answer) {
  const whole = { ...conversation, messages, calls, hasMore: false };
  client.setQueryData(conversationQuery(conversation.id).queryKey, (known) =>
    known ? withEarlier(whole, known) : whole,
  );
  void readAssistantAgain(client);
}

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

/** Undecided calls that have not expired were declined when the answer was stopped: it cannot go on from there. */
export function canGoOn({ messages, calls }: Pick<Conversation, "messages" | "calls">): boolean {
  const last = messages.at(-1)?.id;
  const lastCalls = calls.filter(({ messageId, expiresAt }) => messageId === last && expiresAt !== null);
  const isOpen = lastCalls.some(({ state }) => state === "waiting" || state === "running");
  return !isOpen && lastCalls.some(({ decidedAt, state }) => decidedAt !== null || state === "expired");
}

export type Assistant = ReturnType<typeof useAssistant>;

export function useAssistant() {
  const { write, leave, ...answer } = useAnswer();
  const [conversationId, setConversationId] = useState<number | null>(null);
  const shown = useRef(conversationId);
  const showOnly = useCallback((id: number | null) => {
    shown.current = id;
    setConversationId(id);
  }, []);

  const show = useCallback(
    (id: number | null) => {
      leave();
      showOnly(id);
    },
    [leave, showOnly],
  );

  /** What was deleted is shown no more; which is shown by then, only this knows. */
  const forget = useCallback((id: number) => void (shown.current === id && show(null)), [show]);

  /** Resolves to false where the message has to be sent again. */
  const sendPrompt = useCallback(
    (message: string) => write({ message, goesOn: shown.current, onAnswer: showOnly }),
    [write, showOnly],
  );

  /** After what was decided, where the reader has not gone elsewhere by then. */
  const goOn = useCallback(
    (id: number) => {
      if (shown.current === id) void write({ message: null, goesOn: id, onAnswer: showOnly });
    },
    [write, showOnly],
  );
  return { ...answer, conversationId, show, forget, sendPrompt, goOn };
}

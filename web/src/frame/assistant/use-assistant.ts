import { useCallback, useRef, useState } from "react";
import { useAnswer } from "./use-answer.ts";

export type Assistant = ReturnType<typeof useAssistant>;

/** Which conversation is shown, and the answer that is being written in it. */
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

  /** Gives false where the question has to be asked again. */
  const ask = useCallback(
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
  return { ...answer, conversationId, show, forget, ask, goOn };
}

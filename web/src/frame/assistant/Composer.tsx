import { ArrowUp, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/Button.tsx";
import { keepFocusInPanel } from "./keep-focus-in-panel.ts";

interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  isWriting: boolean;
  /** Nothing can be sent for the moment. */
  isHeld: boolean;
  onSend: () => void;
  onStop: () => void;
}

/** A click on "Send" so soon after an answer has ended was meant for "Stop", which stood in its place. */
const MEANT_FOR_STOP_MS = 500;

/** Where questions are written: Enter sends, Shift and Enter begins a line. */
export function Composer({ text, onText, isWriting, isHeld, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation("frame/assistant");
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const isMeantForStop = useMeantForStop(isWriting);
  const canSend = !isWriting && !isHeld && text.trim() !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSend) onSend();
  };
  // The second click of two on "Send" is not meant for it.
  const stop = ({ detail }: MouseEvent) => detail < 2 && onStop();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };
  return (
    <form onSubmit={submit} className="border-t border-line p-3">
      <label htmlFor={id} className="sr-only">
        {t("question")}
      </label>
      <div className="flex items-end gap-1.5 rounded-md border border-control bg-surface p-1 pl-3 focus-within:outline-2 focus-within:outline-focus">
        <textarea
          ref={area}
          id={id}
          rows={1}
          value={text}
          placeholder={t("question")}
          aria-describedby={`${id}-note`}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-40 min-h-9 min-w-0 flex-1 resize-none bg-transparent py-2 leading-5 outline-none placeholder:text-ink-faint"
        />
        {isWriting ? (
          <IconButton key="stop" ref={keepFocusInPanel} label={t("stop")} onClick={stop}>
            <Square aria-hidden className="size-4 fill-current" />
          </IconButton>
        ) : (
          <IconButton
            key="send"
            ref={keepFocusInPanel}
            label={t("send")}
            type="submit"
            onClick={(event) => isMeantForStop() && event.preventDefault()}
            aria-disabled={!canSend || undefined}
            className="aria-disabled:opacity-50"
          >
            <ArrowUp aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
      <p id={`${id}-note`} className="mt-1.5 text-xs text-pretty text-ink-faint">
        {t("note")}
      </p>
    </form>
  );
}

function useMeantForStop(isWriting: boolean): () => boolean {
  const endedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!isWriting) return;
    return () => {
      endedAt.current = performance.now();
    };
  }, [isWriting]);
  return () => performance.now() - endedAt.current < MEANT_FOR_STOP_MS;
}

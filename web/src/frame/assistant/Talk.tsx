import { useQuery } from "@tanstack/react-query";
import { ArrowUp, MessagesSquare, Square, Unplug } from "lucide-react";
import {
  type Dispatch,
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type SetStateAction,
  useEffect,
  useId,
  useRef,
} from "react";
import { useTranslation } from "react-i18next";
import { assistantQuery } from "../../api/assistant.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { EmptyState, Loaded } from "../../components/Loaded.tsx";
import { Conversation } from "./Conversation.tsx";
import { keepFocusInPanel } from "./panel-state.ts";
import type { Assistant, Decisions } from "./use-assistant.ts";

export interface TalkProps {
  assistant: Assistant;
  decisions: Decisions;
  draft: string;
  onDraft: Dispatch<SetStateAction<string>>;
}

/** The conversation and its input; before the set-up, how to set up the assistant. */
export function Talk(props: TalkProps) {
  const { t } = useTranslation("frame/assistant");
  const { conversationId, writing, error } = props.assistant;
  const isNew = conversationId === null && writing === null && error === null;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Loaded of={useQuery(assistantQuery)} failed={t("unreadable")} loading={null}>
        {({ isConfigured }) =>
          isConfigured ? (
            <Exchange {...props} isNew={isNew} />
          ) : (
            <>
              <NotConfigured />
              {!isNew && <Said {...props} />}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

const Said = ({ assistant, decisions }: TalkProps) => {
  const { conversationId, writing, isWriting, error, goOn } = assistant;
  return <Conversation id={conversationId} {...{ writing, isWriting, error, decisions }} onGoOn={goOn} />;
};

function Exchange({ isNew, ...props }: TalkProps & { isNew: boolean }) {
  const { assistant, decisions, draft, onDraft } = props;
  const { conversationId, isWriting, sendPrompt, stop } = assistant;
  // A message would decline what has just been approved.
  const isHeld = decisions.isPending && decisions.variables?.conversationId === conversationId;
  const send = async (prompt: string) => {
    onDraft((typed) => (typed === prompt ? "" : typed));
    if (!(await sendPrompt(prompt))) onDraft((typed) => typed || prompt);
  };
  return (
    <>
      {isNew ? <Welcome onPick={(prompt) => void send(prompt)} /> : <Said {...props} />}
      <Composer
        text={draft}
        onText={onDraft}
        isWriting={isWriting}
        isHeld={isHeld}
        onSend={() => void send(draft)}
        onStop={stop}
      />
    </>
  );
}

/** How to set up the assistant, before that is done. */
function NotConfigured() {
  const { t } = useTranslation("frame/assistant");
  const lines = [
    "VEDETTE_ASSISTANT_URL=https://api.openai.com/v1",
    "VEDETTE_ASSISTANT_MODEL=…",
    "VEDETTE_ASSISTANT_KEY=…",
  ];
  return (
    <section aria-label={t("setUp.title")} className="border-b border-line p-4">
      <h3 className="flex items-center gap-2 font-semibold">
        <Unplug aria-hidden className="size-4 text-ink-faint" />
        {t("setUp.title")}
      </h3>
      <p className="mt-1.5 text-sm text-pretty text-ink-muted">{t("setUp.text")}</p>
      <pre className="mt-3 overflow-x-auto rounded-md bg-hover p-3 text-xs">
        <code>{lines.join("\n")}</code>
      </pre>
      <p className="mt-3 text-sm text-pretty text-ink-muted">{t("setUp.which")}</p>
      <p className="mt-3 text-sm text-pretty text-ink-muted">{t("setUp.conversations")}</p>
    </section>
  );
}

const examples = ["down", "slow", "week"] as const;

/** Shown while the conversation is empty. */
function Welcome({ onPick }: { onPick: (prompt: string) => void }) {
  const { t } = useTranslation("frame/assistant");
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={<MessagesSquare aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("welcome.title")}
        text={t("welcome.text")}
      >
        <div className="grid justify-items-center gap-2">
          {examples.map((one) => (
            <Button
              key={one}
              variant="quiet"
              className="h-auto min-h-9 py-1.5 whitespace-normal"
              onClick={() => onPick(t(`welcome.${one}`))}
            >
              {t(`welcome.${one}`)}
            </Button>
          ))}
        </div>
      </EmptyState>
    </div>
  );
}

interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  isWriting: boolean;
  /** Nothing can be sent for the moment. */
  isHeld: boolean;
  onSend: () => void;
  onStop: () => void;
}

/** A click on "Send" so soon after an answer has ended was meant for "Stop", which had its place. */
const MEANT_FOR_STOP_MS = 500;

/** The input: Enter sends, Shift and Enter begins a line. */
function Composer({ text, onText, isWriting, isHeld, onSend, onStop }: ComposerProps) {
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
        {t("prompt")}
      </label>
      <div className="flex items-end gap-1.5 rounded-md border border-control bg-surface p-1 pl-3 focus-within:outline-2 focus-within:outline-focus">
        <textarea
          ref={area}
          id={id}
          rows={1}
          value={text}
          placeholder={t("prompt")}
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

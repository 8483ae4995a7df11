import { useQuery } from "@tanstack/react-query";
import { lazy, memo, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import {
  type AssistantCall,
  type ChatMessage,
  conversationQuery,
  type Conversation as ReadConversation,
  useReadEarlier,
} from "../../api/assistant.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout, failureInWords } from "../../components/Callout.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { GuardedMarkdown } from "../../components/markdown/GuardedMarkdown.tsx";
import { showToast } from "../../toasts.ts";
import { CallCard, CallLine } from "./CallCard.tsx";
import { keepFocusInPanel } from "./panel-state.ts";
import { canGoOn, type Decisions, type Writing } from "./use-assistant.ts";

interface ConversationProps {
  id: number | null;
  writing: Writing | null;
  isWriting: boolean;
  error: Error | null;
  decisions: Decisions;
  /** Everything that an answer waited for is decided. */
  onGoOn: (id: number) => void;
}

/** What was said, and what is being written. Stays at its end while the reader is there. */
export function Conversation({ id, writing, isWriting, error, decisions, onGoOn }: ConversationProps) {
  const query = useQuery(conversationQuery(id));
  const { t } = useTranslation("frame/assistant");
  const end = useStayAtEnd();
  // What the reader pressed to come here is gone.
  useEffect(() => {
    if (document.activeElement === document.body) end.current?.focus({ preventScroll: true });
  }, [end]);
  return (
    <div
      ref={end}
      role="log"
      aria-label={t("messages")}
      aria-busy={isWriting}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-4 focus-visible:-outline-offset-2"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {id !== null && (
          <Loaded
            of={query}
            failed={t("failed")}
            loading={<ConversationSkeleton />}
            gone={<p>{t("gone")}</p>}
          >
            {(conversation) => (
              <Messages
                conversation={conversation}
                isWriting={isWriting}
                decisions={decisions}
                onGoOn={onGoOn}
              />
            )}
          </Loaded>
        )}
        {writing && <BeingWritten writing={writing} />}
        <FailureCallout of={error && failureInWords(error)} />
      </div>
    </div>
  );
}

interface MessagesProps extends Pick<ConversationProps, "decisions" | "onGoOn"> {
  conversation: ReadConversation;
  isWriting: boolean;
}

function Messages({ conversation, isWriting, decisions, onGoOn }: MessagesProps) {
  const { t } = useTranslation("frame/assistant");
  const { id, messages, calls, hasMore } = conversation;
  const { mutate: readEarlier, isPending } = useReadEarlier(id);
  const onError = (failed: Error) => showToast("error", failed.message);
  return (
    <>
      {hasMore && (
        <Button
          ref={keepFocusInPanel}
          variant="quiet"
          className="justify-self-center"
          busy={isPending}
          onClick={() => readEarlier(messages[0]?.id ?? 0, { onError })}
        >
          {t("earlier")}
        </Button>
      )}
      {messages.map((message) => (
        <Message key={message.id} message={message}>
          <Calls
            conversationId={id}
            calls={calls.filter(({ messageId }) => messageId === message.id)}
            isOpen={message.id === messages.at(-1)?.id && !isWriting}
            decisions={decisions}
          />
        </Message>
      ))}
      {!isWriting && !decisions.isPending && canGoOn(conversation) && (
        <Button
          ref={keepFocusInPanel}
          variant="quiet"
          className="justify-self-start"
          onClick={() => onGoOn(id)}
        >
          {t("goOn")}
        </Button>
      )}
    </>
  );
}

interface MessageProps {
  message: Pick<ChatMessage, "role" | "content">;
  children?: React.ReactNode;
}

function Message({ message: { role, content }, children }: MessageProps) {
  const { t } = useTranslation("frame/assistant");
  if (role === "user") {
    return (
      <div className="max-w-[85%] justify-self-end rounded-lg bg-hover px-3 py-2">
        <span className="sr-only">{t("you")}: </span>
        <p className="wrap-anywhere whitespace-pre-line">{content}</p>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <span className="sr-only">{t("assistant")}: </span>
      {content !== "" && <AnswerText text={content} />}
      {children}
    </div>
  );
}

interface CallsProps {
  conversationId: number;
  calls: readonly AssistantCall[];
  /** Of the last message: what waits can be decided. */
  isOpen: boolean;
  decisions: Decisions;
}

function Calls({ conversationId, calls, isOpen, decisions }: CallsProps) {
  const { t } = useTranslation("frame/assistant");
  const { decide, isPending, variables, error } = decisions;
  if (calls.length === 0) return null;
  const waiting = isOpen ? calls.filter(({ state }) => state === "waiting") : [];
  const isAbout = isOpen && calls.some(({ uuid }) => uuid === variables?.uuid);
  return (
    <>
      <ul aria-label={t("calls")} className="grid gap-1.5">
        {calls
          .filter((call) => !waiting.includes(call))
          .map((call) => (
            <CallLine key={call.uuid} call={call} />
          ))}
      </ul>
      {waiting.map((call) => (
        <div key={call.uuid} ref={keepFocusInPanel} className="grid grid-cols-[minmax(0,1fr)]">
          <CallCard
            call={call}
            busy={isPending && variables?.uuid === call.uuid ? variables.decision : null}
            isHeld={isPending}
            onDecide={(decision) => void decide({ conversationId, uuid: call.uuid, decision })}
          />
        </div>
      ))}
      {isAbout && <FailureCallout of={error && failureInWords(error)} />}
    </>
  );
}

function BeingWritten({ writing: { prompt, text, calls, isStopping, isBroken } }: { writing: Writing }) {
  const { t } = useTranslation("frame/assistant");
  return (
    <>
      {prompt !== null && <Message message={{ role: "user", content: prompt }} />}
      <Message message={{ role: "assistant", content: text }}>
        {calls.length > 0 && (
          <ul aria-label={t("calls")} className="grid gap-1.5">
            {calls.map((call) => (
              <CallLine key={call.uuid} call={call} />
            ))}
          </ul>
        )}
        {!isBroken && (
          <p role="status" className="flex items-center gap-2 text-xs text-ink-faint">
            <span aria-hidden className="size-2 animate-pulse rounded-full bg-action" />
            {t(isStopping ? "stopping" : "writing")}
          </p>
        )}
      </Message>
    </>
  );
}

function ConversationSkeleton() {
  return (
    <div aria-hidden className="grid gap-4">
      {["w-40 justify-self-end", "w-72", "w-60"].map((look) => (
        <Skeleton key={look} className={`h-4 max-w-full ${look}`} />
      ))}
    </div>
  );
}

/** How near to its end counts as there. */
const nearPx = 80;

function useStayAtEnd() {
  const box = useRef<HTMLDivElement>(null);
  const isThere = useRef(true);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const look = () => {
      isThere.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearPx;
    };
    current.addEventListener("scroll", look, { passive: true });
    return () => current.removeEventListener("scroll", look);
  }, []);
  // After each render: whatever came, came by one.
  useEffect(() => {
    if (isThere.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  return box;
}

// What reads Markdown and its tables comes with the first answer.
const AnswerMarkdown = lazy(async () => ({ default: (await import("./AnswerMarkdown.tsx")).AnswerMarkdown }));

/** What the assistant says, in Markdown; as it was written until what reads it is here, and where that would take too long. */
const AnswerText = memo(({ text }: { text: string }) => (
  <GuardedMarkdown text={text} size="document">
    <AnswerMarkdown text={text} />
  </GuardedMarkdown>
));

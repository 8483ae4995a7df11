import { useQuery } from "@tanstack/react-query";
import { History, SquarePen, X } from "lucide-react";
import { type Dispatch, type SetStateAction, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { assistantQuery } from "../../api/assistant.ts";
import { IconButton } from "../Button.tsx";
import { Composer } from "./Composer.tsx";
import { Conversation } from "./Conversation.tsx";
import { ConversationList } from "./ConversationList.tsx";
import type english from "./en.json";
import { PanelFrame } from "./PanelFrame.tsx";
import { closePanel } from "./panel-state.ts";
import { NotConfigured, Welcome } from "./SetUpNotice.tsx";
import { type Assistant, useAssistant } from "./use-assistant.ts";
import { type Decisions, useDecisions } from "./use-decisions.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "components/assistant": typeof english;
  }
}

export interface AssistantPanelProps {
  isOpen: boolean;
}

/** The assistant beside the page: conversations, the answer as it is written, and what waits for the reader's click. */
export function AssistantPanel({ isOpen }: AssistantPanelProps) {
  const assistant = useAssistant();
  const decisions = useDecisions(assistant);
  const [draft, setDraft] = useState("");
  return isOpen && <OpenPanel {...{ assistant, decisions, draft }} onDraft={setDraft} />;
}

interface OpenPanelProps {
  assistant: Assistant;
  decisions: Decisions;
  draft: string;
  onDraft: Dispatch<SetStateAction<string>>;
}

function OpenPanel({ assistant, decisions, draft, onDraft }: OpenPanelProps) {
  const { t } = useTranslation("components/assistant");
  const { data: settings } = useQuery(assistantQuery);
  const { conversationId, show, writing, error, ask, goOn, stop } = assistant;
  const [isListed, setListed] = useState(false);
  const history = useRef<HTMLButtonElement>(null);
  const isConfigured = settings?.isConfigured ?? true;
  const isNew = conversationId === null && writing === null && error === null;
  // A question would decline what has just been agreed to.
  const isHeld = decisions.isPending && decisions.variables?.conversationId === conversationId;
  const send = async (question: string) => {
    onDraft((typed) => (typed === question ? "" : typed));
    if (!(await ask(question, conversationId))) onDraft((typed) => typed || question);
  };
  const begin = () => {
    setListed(false);
    show(null);
  };
  return (
    <PanelFrame title={t("title")}>
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{t("title")}</h2>
        <IconButton label={t("new")} onClick={begin}>
          <SquarePen aria-hidden className="size-4" />
        </IconButton>
        <IconButton
          ref={history}
          label={t("conversations")}
          aria-expanded={isListed}
          onClick={() => setListed(!isListed)}
        >
          <History aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={t("close")} onClick={closePanel}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      {isListed ? (
        <ConversationList
          shownId={conversationId}
          onShow={(id) => {
            if (id !== conversationId) show(id);
            setListed(false);
          }}
          onDeleted={(id) => id === conversationId && show(null)}
          focusInstead={() => history.current?.focus()}
        />
      ) : (
        <>
          {!isConfigured && <NotConfigured />}
          {isNew && isConfigured && <Welcome onAsk={(question) => void send(question)} />}
          {isNew ? (
            !isConfigured && <div className="flex-1" />
          ) : (
            <Conversation
              id={conversationId}
              writing={writing}
              error={error}
              decisions={decisions}
              onGoOn={goOn}
            />
          )}
          {isConfigured && (
            <Composer
              text={draft}
              onText={onDraft}
              isWriting={writing !== null}
              isHeld={isHeld}
              onSend={() => void send(draft)}
              onStop={stop}
            />
          )}
        </>
      )}
    </PanelFrame>
  );
}

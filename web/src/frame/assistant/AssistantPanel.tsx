import { History, SquarePen, X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useHasExpertPlan } from "../../api/plans.ts";
import { IconButton } from "../../components/Button.tsx";
import { RefusedByPlan } from "../../components/Loaded.tsx";
import { ConversationList } from "./ConversationList.tsx";
import type english from "./en.json";
import { PanelFrame } from "./PanelFrame.tsx";
import { closePanel } from "./panel-state.ts";
import { Talk, type TalkProps } from "./Talk.tsx";
import { useAssistant } from "./use-assistant.ts";
import { useDecisions } from "./use-decisions.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "frame/assistant": typeof english;
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

function OpenPanel(props: TalkProps) {
  const { t } = useTranslation("frame/assistant");
  const { conversationId, show, forget } = props.assistant;
  const hasPlan = useHasExpertPlan();
  const [isListed, setListed] = useState(false);
  const history = useRef<HTMLButtonElement>(null);
  const begin = () => {
    setListed(false);
    show(null);
  };
  const list = (
    <ConversationList
      shownId={conversationId}
      onShow={(id) => {
        if (id !== conversationId) show(id);
        setListed(false);
      }}
      onDeleted={forget}
      focusInstead={() => history.current?.focus()}
    />
  );
  return (
    <PanelFrame title={t("title")}>
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-4">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{t("title")}</h2>
        {hasPlan && (
          <>
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
          </>
        )}
        <IconButton label={t("close")} onClick={closePanel}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      {!hasPlan && <RefusedByPlan />}
      {hasPlan && (isListed ? list : <Talk {...props} />)}
    </PanelFrame>
  );
}

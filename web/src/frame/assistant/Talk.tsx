import { useQuery } from "@tanstack/react-query";
import type { Dispatch, SetStateAction } from "react";
import { useTranslation } from "react-i18next";
import { assistantQuery } from "../../api/assistant.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Composer } from "./Composer.tsx";
import { Conversation } from "./Conversation.tsx";
import { NotConfigured, Welcome } from "./SetUpNotice.tsx";
import type { Assistant } from "./use-assistant.ts";
import type { Decisions } from "./use-decisions.ts";

export interface TalkProps {
  assistant: Assistant;
  decisions: Decisions;
  draft: string;
  onDraft: Dispatch<SetStateAction<string>>;
}

/** What is said, and where questions are asked; how the assistant is set up, before somebody has. */
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
  const { conversationId, isWriting, ask, stop } = assistant;
  // A question would decline what has just been agreed to.
  const isHeld = decisions.isPending && decisions.variables?.conversationId === conversationId;
  const send = async (question: string) => {
    onDraft((typed) => (typed === question ? "" : typed));
    if (!(await ask(question))) onDraft((typed) => typed || question);
  };
  return (
    <>
      {isNew ? <Welcome onAsk={(question) => void send(question)} /> : <Said {...props} />}
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

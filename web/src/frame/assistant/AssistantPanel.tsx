import { History, SquarePen, X } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { useHasExpertPlan } from "../../api/organization.ts";
import { IconButton } from "../../components/Button.tsx";
import { focusPage, giveFocusBack } from "../../components/focus.ts";
import { RefusedByPlan } from "../../components/Loaded.tsx";
import { useFrameForm } from "../Sheet.tsx";
import { ConversationList } from "./ConversationList.tsx";
import type english from "./en.json";
import { closePanel, closePanelAbovePage } from "./panel-state.ts";
import { Talk, type TalkProps } from "./Talk.tsx";
import { useAssistant, useDecisions } from "./use-assistant.ts";

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

/** Beside the page where there is room, above it elsewhere, and in its place on a phone, where the focus stays inside. */
function PanelFrame({ title, children }: { title: string; children: ReactNode }) {
  const isPhone = useFrameForm() === "bar";
  const panel = useRef<HTMLElement>(null);
  // Read before the panel opens and takes it.
  const [opener] = useState(() => document.activeElement);
  useLayoutEffect(
    () => () => {
      if (opener instanceof HTMLElement) giveFocusBack(opener.isConnected ? () => opener.focus() : focusPage);
    },
    [opener],
  );
  // Unless an input has it, so that Escape closes it and Tab goes on in it.
  useEffect(() => {
    const { current } = panel;
    if (!current?.contains(document.activeElement)) current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => (isPhone ? hideOthers(panel.current) : undefined), [isPhone]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, as the button beside it
    <aside
      ref={panel}
      aria-label={title}
      data-assistant
      tabIndex={-1}
      onKeyDown={closeByEscape}
      onClick={closeByLink}
      className="focus-visible:-outline-offset-2 fixed inset-y-0 right-0 z-30 flex h-dvh w-full shrink-0 flex-col border-line bg-page pb-[env(safe-area-inset-bottom)] shadow-float md:w-100 md:border-l min-[90rem]:sticky min-[90rem]:top-0 min-[90rem]:z-20 min-[90rem]:shadow-none"
    >
      {children}
    </aside>
  );
}

/** Not by one that ends the writing of a character, or that a dialog of the panel has. */
function closeByEscape({ key, target, nativeEvent, defaultPrevented }: KeyboardEvent) {
  if (key !== "Escape" || defaultPrevented || nativeEvent.isComposing) return;
  if (target instanceof Element && target.closest("dialog")) return;
  closePanel();
}

/** By one that was followed in the app. */
function closeByLink({ target, defaultPrevented }: MouseEvent) {
  if (defaultPrevented && target instanceof Element && target.closest("a")) closePanelAbovePage();
}

/** Nothing behind a panel that covers everything takes the focus. Returns what undoes it. */
function hideOthers(panel: HTMLElement | null): () => void {
  const others = [...(panel?.parentElement?.children ?? [])].filter((one) => one !== panel);
  for (const one of others) one.toggleAttribute("inert", true);
  return () => {
    for (const one of others) one.toggleAttribute("inert", false);
  };
}

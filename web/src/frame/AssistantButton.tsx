import { MessagesSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { togglePanel, usePanelOpen } from "./assistant/panel-state.ts";
import { RowName, rowLook } from "./NavLink.tsx";

/** A row of the frame that opens the assistant beside the page, and closes it. */
export function AssistantButton({ rail }: { rail: boolean }) {
  const { t } = useTranslation();
  const isOpen = usePanelOpen();
  return (
    <button type="button" aria-expanded={isOpen} onClick={() => togglePanel()} className={rowLook}>
      <MessagesSquare aria-hidden />
      <RowName rail={rail}>{t("app.assistant")}</RowName>
    </button>
  );
}

import { type ComponentType, useEffect, useState } from "react";
import { i18n, loadPageTexts } from "../../i18n/i18n.ts";
import { showToast } from "../../toasts.ts";
import type { AssistantPanelProps } from "./AssistantPanel.tsx";
import { closePanel, usePanelOpen } from "./panel-state.ts";

/** The panel's own script and texts come when it is opened first. */
async function loadPanel(): Promise<ComponentType<AssistantPanelProps>> {
  const [script] = await Promise.all([
    import("./AssistantPanel.tsx"),
    loadPageTexts("frame/assistant", "frame/assistant/tools"),
  ]);
  return script.AssistantPanel;
}

/** Stands at the end of the frame, where its panel opens; closed, it keeps what was typed and what is being written. */
export function Assistant() {
  const isOpen = usePanelOpen();
  const [loaded, setLoaded] = useState<{ Panel: ComponentType<AssistantPanelProps> } | null>(null);
  useEffect(() => {
    if (!isOpen || loaded) return;
    loadPanel().then(
      (Panel) => setLoaded({ Panel }),
      () => {
        closePanel();
        showToast("error", i18n.t("error.unreachable"));
      },
    );
  }, [isOpen, loaded]);
  return loaded && <loaded.Panel isOpen={isOpen} />;
}

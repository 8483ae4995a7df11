import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { showToast } from "../toasts.ts";
import { copyText } from "./copy-text.ts";

/** Copies a text that the page does not show, and says `done`; where the browser refuses, the text is shown for a while. */
export function useCopy(): (text: string, done: string) => Promise<void> {
  const { t } = useTranslation();
  return useCallback(
    async (text, done) => {
      if (await copyText(text)) showToast("success", done);
      else showToast("warning", t("copy.failedWith", { text }), { lastsMs: 30_000 });
    },
    [t],
  );
}

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CreatedApiKey } from "../../api/api-keys.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { showToast } from "../../components/toasts.ts";
import { focusCreateButton } from "./focus.ts";

/** The token of a new key, this once. */
export function TokenDialog({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }) {
  const { t } = useTranslation("api-keys");
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(apiKey.token);
      setCopied(true);
    } catch {
      // Browsers have no clipboard for pages over plain http; the token can be selected with one click.
      showToast("warning", t("copyFailed"));
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <Dialog
      title={t("createdTitle", { name: apiKey.name })}
      text={t("createdText")}
      onLeft={focusCreateButton}
      onClose={onClose}
    >
      <code className="mt-4 block rounded-md border border-line bg-page px-3 py-2.5 font-sans text-sm break-all select-all">
        {apiKey.token}
      </code>
      <div className="mt-6 flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          {t("createdDone")}
        </Button>
        <Button autoFocus onClick={() => void copy()}>
          <Icon aria-hidden className="size-4" />
          {t(copied ? "copied" : "copy")}
        </Button>
      </div>
    </Dialog>
  );
}

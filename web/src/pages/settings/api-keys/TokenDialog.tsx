import { useTranslation } from "react-i18next";
import type { CreatedApiKey } from "../../../api/api-keys.ts";
import { Button } from "../../../components/Button.tsx";
import { CopyButton } from "../../../components/CopyButton.tsx";
import { Dialog, focusedAtFirst } from "../../../components/Dialog.tsx";
import { focusCreateButton } from "./focus.ts";

/** The token of a new key, this once. */
export function TokenDialog({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }) {
  const { t } = useTranslation("settings/api-keys");
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
        <CopyButton
          ref={focusedAtFirst}
          value={apiKey.token}
          said={{ copy: t("copy"), copied: t("copied"), copyFailed: t("copyFailed") }}
        />
      </div>
    </Dialog>
  );
}

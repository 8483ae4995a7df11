import { useTranslation } from "react-i18next";
import type { CreatedApiKey } from "../../api/api-keys.ts";
import { CopyDialog } from "../../components/CopyDialog.tsx";
import { focusCreateButton } from "./focus.ts";

/** The token of a new key, this once. */
export function TokenDialog({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }) {
  const { t } = useTranslation("settings/api-keys");
  return (
    <CopyDialog
      title={t("createdTitle", { name: apiKey.name })}
      text={t("createdText")}
      value={apiKey.token}
      copyLabel={t("copy")}
      doneLabel={t("createdDone")}
      onLeft={focusCreateButton}
      onClose={onClose}
    />
  );
}

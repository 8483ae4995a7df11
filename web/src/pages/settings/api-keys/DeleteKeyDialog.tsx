import { useTranslation } from "react-i18next";
import { type ApiKey, useDeleteApiKey } from "../../../api/api-keys.ts";
import { ConfirmDialog } from "../../../components/ConfirmDialog.tsx";
import { showToast } from "../../../components/toasts.ts";
import { useFocusBack } from "../../../components/use-focus-back.ts";
import { focusCreateButton } from "./focus.ts";

/** Asks, deletes, and says so. */
export function DeleteKeyDialog({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const { t } = useTranslation(["settings/api-keys", "shared"]);
  const deletion = useDeleteApiKey();
  const { id, name } = apiKey;
  const tell = () => {
    showToast("success", t("delete.done", { name }));
    onDone();
  };
  return (
    <ConfirmDialog
      title={t("delete.title", { name })}
      text={t("delete.text")}
      submitLabel={t("shared:action.delete")}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate({ id }, { onSuccess: tell })}
      onCancel={onDone}
      onLeft={useFocusBack(focusCreateButton)}
    />
  );
}

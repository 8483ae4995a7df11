import { useTranslation } from "react-i18next";
import { type ApiKey, useDeleteApiKey } from "../../api/api-keys.ts";
import { DeleteDialog } from "../../components/DeleteDialog.tsx";
import { focusCreateButton } from "./focus.ts";

/** Asks, deletes, and says so. */
export function DeleteKeyDialog({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const { t } = useTranslation("settings/api-keys");
  const { id, name } = apiKey;
  const words = {
    title: t("delete.title", { name }),
    text: t("delete.text"),
    done: t("delete.done", { name }),
  };
  const deletion = useDeleteApiKey();
  return (
    <DeleteDialog
      id={id}
      words={words}
      deletion={deletion}
      focusInstead={focusCreateButton}
      onDone={onDone}
    />
  );
}

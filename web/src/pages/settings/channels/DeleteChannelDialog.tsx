import { useTranslation } from "react-i18next";
import { type Channel, useDeleteChannel } from "../../../api/channels.ts";
import { ConfirmDialog } from "../../../components/ConfirmDialog.tsx";
import { focusPage } from "../../../components/focus-page.ts";
import { showToast } from "../../../components/toasts.ts";
import { useFocusBack } from "../../../components/use-focus-back.ts";

/** Asks, deletes, and says so. */
export function DeleteChannelDialog({ channel, onDone }: { channel: Channel; onDone: () => void }) {
  const { t } = useTranslation(["settings/channels", "shared"]);
  const deletion = useDeleteChannel();
  const { id, name } = channel;
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
      onLeft={useFocusBack(focusPage)}
    />
  );
}

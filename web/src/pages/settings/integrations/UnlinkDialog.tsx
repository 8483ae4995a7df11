import { useTranslation } from "react-i18next";
import { type Integration, useUnlinkAccount } from "../../../api/integrations.ts";
import { ConfirmDialog } from "../../../components/ConfirmDialog.tsx";
import { focusPage } from "../../../components/focus-page.ts";
import { showToast } from "../../../components/toasts.ts";
import { useFocusBack } from "../../../components/use-focus-back.ts";

interface UnlinkDialogProps {
  account: Integration;
  onDone: () => void;
}

/** Asks, forgets the account, and says so. */
export function UnlinkDialog({ account: { id, name, provider }, onDone }: UnlinkDialogProps) {
  const { t } = useTranslation("settings/integrations");
  const unlinking = useUnlinkAccount(provider);
  const tell = () => {
    showToast("success", t("unlink.done", { name }));
    onDone();
  };
  return (
    <ConfirmDialog
      title={t("unlink.title", { name })}
      text={t("unlink.text")}
      submitLabel={t("unlink.submit")}
      busy={unlinking.isPending}
      error={unlinking.error}
      onConfirm={() => unlinking.mutate({ id }, { onSuccess: tell })}
      onCancel={onDone}
      onLeft={useFocusBack(focusPage)}
    />
  );
}

import { useTranslation } from "react-i18next";
import type { useChangeStatusPage } from "../../api/status-pages.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";

interface RemoveDomainDialogProps {
  host: string;
  save: Pick<ReturnType<typeof useChangeStatusPage>, "isPending" | "error">;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before visitors no longer find a page at its own domain. */
export function RemoveDomainDialog({ host, save, onConfirm, onCancel }: RemoveDomainDialogProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <ConfirmDialog
      title={t("domain.removeTitle", { host })}
      text={t("domain.removeText")}
      submitLabel={t("domain.remove")}
      busy={save.isPending}
      error={save.error}
      onConfirm={onConfirm}
      onCancel={onCancel}
      onLeft={useFocusBack()}
    />
  );
}

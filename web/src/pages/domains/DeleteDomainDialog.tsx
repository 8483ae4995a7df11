import { useTranslation } from "react-i18next";
import { type Domain, useDeleteDomain } from "../../api/domains.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Notice } from "../../components/Notice.tsx";
import { showToast } from "../../components/toasts.ts";

/** Asks, deletes, and says so. */
export function DeleteDomainDialog({ domain, onDone }: { domain: Domain; onDone: () => void }) {
  const { t } = useTranslation();
  const deletion = useDeleteDomain();
  const { id, name } = domain;
  const confirm = () =>
    deletion.mutate(
      { id },
      {
        onSuccess: () => {
          showToast("success", t("domains.delete.done", { name }));
          onDone();
        },
      },
    );
  return (
    <ConfirmDialog
      title={t("domains.delete.title", { name })}
      text={t("domains.delete.text")}
      submitLabel={t("domains.delete.submit")}
      busy={deletion.isPending}
      onConfirm={confirm}
      onCancel={onDone}
    >
      {deletion.error && (
        <div className="mt-4">
          <Notice tone="error">{deletion.error.message}</Notice>
        </div>
      )}
    </ConfirmDialog>
  );
}

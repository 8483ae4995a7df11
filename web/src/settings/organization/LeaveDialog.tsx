import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useLeaveOrganization } from "../../api/organization.ts";
import type { Session } from "../../api/session.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { showToast } from "../../toasts.ts";

/** Asks, leaves, and goes on in another organization. */
export function LeaveDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation("settings/organization");
  const navigate = useNavigate();
  const { name } = session.organization;
  const leaving = useLeaveOrganization(session, async () => {
    showToast("success", t("leaving.done", { name }));
    onClose();
    await navigate({ to: "/" });
  });
  return (
    <ConfirmDialog
      title={t("leaving.title", { name })}
      text={t("leaving.text")}
      submitLabel={t("leaving.submit")}
      busy={leaving.isPending}
      error={leaving.error}
      onConfirm={() => leaving.mutate()}
      onCancel={onClose}
      onLeft={useFocusBack()}
    />
  );
}

import { useTranslation } from "react-i18next";
import { type Member, useRemoveMember } from "../../api/organization.ts";
import type { Session } from "../../api/session.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { showToast } from "../../toasts.ts";

interface RemoveMemberDialogProps {
  session: Session;
  member: Member;
  onDone: () => void;
}

/** Asks, ends the membership, and says so. */
export function RemoveMemberDialog({ session, member, onDone }: RemoveMemberDialogProps) {
  const { t } = useTranslation("settings/organization");
  const removal = useRemoveMember(session);
  const { name } = member;
  const tell = () => {
    showToast("success", t("members.removed", { name }));
    onDone();
  };
  return (
    <ConfirmDialog
      title={t("members.removing.title", { name })}
      text={t("members.removing.text", { name })}
      submitLabel={t("members.removing.submit")}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate(member, { onSuccess: tell })}
      onCancel={onDone}
      onLeft={useFocusBack()}
    />
  );
}

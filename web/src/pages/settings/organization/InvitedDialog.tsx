import { useTranslation } from "react-i18next";
import type { NewInvitation } from "../../../api/organization-invitations.ts";
import { CopyDialog } from "../../../components/CopyDialog.tsx";
import { focusInvite } from "./focus.ts";

interface InvitedDialogProps {
  invitation: NewInvitation;
  onClose: () => void;
}

/** The link of a new invitation, this once. */
export function InvitedDialog({ invitation, onClose }: InvitedDialogProps) {
  const { t } = useTranslation("settings/organization");
  const { email, code, sent } = invitation;
  return (
    <CopyDialog
      title={t("invited.title", { email })}
      text={t(sent ? "invited.sent" : "invited.text", { email })}
      value={`${window.location.origin}/invitation#${code}`}
      copyLabel={t("invited.copy")}
      doneLabel={t("invited.done")}
      onLeft={focusInvite}
      onClose={onClose}
    />
  );
}

import { useTranslation } from "react-i18next";
import type { NewInvitation } from "../../api/organization-invitations.ts";
import { CopyDialog } from "../../components/CopyDialog.tsx";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { focusInvite } from "./focus.ts";

interface InvitedDialogProps {
  invitation: NewInvitation;
  onClose: () => void;
}

/** The link of a new invitation, this once. */
export function InvitedDialog({ invitation, onClose }: InvitedDialogProps) {
  const { t } = useTranslation("settings/organization");
  const { email, code, sent, notSentReason, notSentReasonFact } = invitation;
  const why = notSentReason && factInReadersLanguage(notSentReason, notSentReasonFact);
  const text = t(sent ? "invited.sent" : "invited.text", { email });
  return (
    <CopyDialog
      title={t("invited.title", { email })}
      text={why ? `${why} ${text}` : text}
      value={`${window.location.origin}/invitation#${code}`}
      copyLabel={t("invited.copy")}
      doneLabel={t("invited.done")}
      onLeft={focusInvite}
      onClose={onClose}
    />
  );
}

import { useTranslation } from "react-i18next";
import type { NewInvitation } from "../../../api/organization-invitations.ts";
import { Button } from "../../../components/Button.tsx";
import { CopyButton } from "../../../components/CopyButton.tsx";
import { Dialog, focusedAtFirst } from "../../../components/Dialog.tsx";
import { focusInvite } from "./focus.ts";

interface InvitedDialogProps {
  invitation: NewInvitation;
  onClose: () => void;
}

/** The link of a new invitation, this once. */
export function InvitedDialog({ invitation, onClose }: InvitedDialogProps) {
  const { t } = useTranslation("settings/organization");
  const { email, code, sent } = invitation;
  const link = `${window.location.origin}/invitation#${code}`;
  return (
    <Dialog
      title={t("invited.title", { email })}
      text={t(sent ? "invited.sent" : "invited.text", { email })}
      onLeft={focusInvite}
      onClose={onClose}
    >
      <code className="mt-4 block rounded-md border border-line bg-page px-3 py-2.5 font-sans text-sm break-all select-all">
        {link}
      </code>
      <div className="mt-6 flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          {t("invited.done")}
        </Button>
        <CopyButton
          ref={focusedAtFirst}
          value={link}
          said={{ copy: t("invited.copy"), copied: t("invited.copied"), copyFailed: t("invited.copyFailed") }}
        />
      </div>
    </Dialog>
  );
}

import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Role } from "../../api/organization.ts";
import { type NewInvitation, useInvite } from "../../api/organization-invitations.ts";
import type { Session } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { focusInvite } from "./focus.ts";
import { rolesToGrant } from "./rights.ts";

interface InviteDialogProps {
  session: Session;
  onInvited: (invitation: NewInvitation) => void;
  onClose: () => void;
}

/** Asks somebody by e-mail address to join, in a role. */
export function InviteDialog({ session, onInvited, onClose }: InviteDialogProps) {
  const { t } = useTranslation(["settings/organization", "shared"]);
  const invitation = useInvite(session);
  const [role, setRole] = useState<Role>("member");
  const { form, fields, failure } = useFormErrors(invitation.error, ["email", "role"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = textOf(new FormData(event.currentTarget), "email");
    invitation.mutate({ email, role }, { onSuccess: onInvited });
  };
  return (
    <Dialog
      title={t("invite.title", { organization: session.organization.name })}
      onLeft={focusInvite}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <Field
          name="email"
          type="email"
          label={t("invitations.email")}
          errors={fields.email}
          autoComplete="off"
          autoFocus
        />
        <div className="grid gap-1.5">
          <LabelledSelect
            label={t("members.role")}
            value={role}
            errors={fields.role}
            options={rolesToGrant(session.organization.role).map((one) => [one, t(`role.${one}`)])}
            onChange={(chosen) => setRole(chosen as Role)}
          />
          <p className="text-sm text-ink-faint">{t(`roleText.${role}`)}</p>
        </div>
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={invitation.isPending}>
            {t("invite.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

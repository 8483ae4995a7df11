import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useAskForEmailChange } from "../../api/profile.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field, PasswordField } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { focusEmail } from "./focus.ts";
import { AccountName } from "./PasswordDialog.tsx";

interface ChangeEmailDialogProps {
  /** The present one. */
  email: string;
  onClose: () => void;
}

/** Another address and the password; a link is mailed there, and the address changes once it is followed. */
export function ChangeEmailDialog({ email, onClose }: ChangeEmailDialogProps) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const asking = useAskForEmailChange();
  const { form, fields, failure } = useFormErrors(asking.error, ["email", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (asking.isPending) return;
    const typed = new FormData(event.currentTarget);
    asking.mutate({ email: textOf(typed, "email").trim(), password: textOf(typed, "password") });
  };
  if (asking.data !== undefined) {
    return (
      <Dialog title={t("email.sentTitle")} onLeft={focusEmail} onClose={onClose}>
        {/* It takes the form's place, so it is read out as what is new. */}
        <p role="status" className="mt-1.5 wrap-anywhere text-ink-muted">
          {t("email.sentText", { next: asking.data, email })}
        </p>
        <div className="mt-6 flex justify-end">
          <Button autoFocus onClick={onClose}>
            {t("email.done")}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("email.change")} text={t("email.text")} onLeft={focusEmail} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <Field
          name="email"
          type="email"
          label={t("email.next")}
          errors={fields.email}
          autoComplete="email"
          spellCheck={false}
          autoFocus
        />
        <AccountName email={email} />
        <PasswordField
          name="password"
          label={t("shared:field.password")}
          errors={fields.password}
          autoComplete="current-password"
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={asking.isPending}>
            {t("email.send")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { PASSWORD_LENGTH } from "../../../../server/src/wire/password-length.ts";
import { useChangePassword } from "../../api/profile.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { PasswordField } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { showToast } from "../../toasts.ts";
import { focusPassword } from "./focus.ts";
import { AccountName } from "./PasswordDialog.tsx";

interface ChangePasswordDialogProps {
  email: string;
  onClose: () => void;
}

/** The present password and a new one. */
export function ChangePasswordDialog({ email, onClose }: ChangePasswordDialogProps) {
  const { t } = useTranslation("settings/profile");
  const change = useChangePassword();
  const { form, fields, failure } = useFormErrors(change.error, ["currentPassword", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    const typed = new FormData(event.currentTarget);
    change.mutate(
      { currentPassword: textOf(typed, "currentPassword"), password: textOf(typed, "password") },
      {
        onSuccess: () => {
          showToast("success", t("password.changed"));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={t("password.change")} text={t("password.ends")} onLeft={focusPassword} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <AccountName email={email} />
        <PasswordField
          name="currentPassword"
          label={t("password.current")}
          errors={fields.currentPassword}
          autoComplete="current-password"
          autoFocus
        />
        <PasswordField
          name="password"
          label={t("password.new")}
          hint={t("password.hint", { count: PASSWORD_LENGTH.least })}
          errors={fields.password}
          autoComplete="new-password"
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={change.isPending}>
            {t("password.change")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

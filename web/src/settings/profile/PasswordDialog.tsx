import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { PasswordField } from "../../components/Field.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";

interface PasswordDialogProps {
  title: string;
  text: string;
  submitLabel: string;
  danger?: boolean;
  email: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (password: string) => void;
  onLeft: () => void;
  onClose: () => void;
}

/** Requires the password for what a stolen session must not do. */
export function PasswordDialog({ title, text, submitLabel, danger = false, ...rest }: PasswordDialogProps) {
  const { t } = useTranslation(["settings/profile", "shared"]);
  const { email, busy, error, onSubmit, onLeft, onClose } = rest;
  const { form, fields, failure } = useFormErrors(error, ["password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) onSubmit(textOf(new FormData(event.currentTarget), "password"));
  };
  return (
    <Dialog title={title} text={text} onLeft={onLeft} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        <AccountName email={email} />
        <PasswordField
          name="password"
          label={t("shared:field.password")}
          errors={fields.password}
          autoComplete="current-password"
          autoFocus
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" variant={danger ? "danger" : "primary"} busy={busy}>
            {submitLabel}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** The account, for a password manager. */
export function AccountName({ email }: { email: string }) {
  return <input type="email" name="account" autoComplete="username" value={email} readOnly hidden />;
}

/** Where the focus goes when a dialog is gone: to the button of that name, or, where it is gone too, to the page. */
const focusOn = (name: string) => (): void => {
  const button = document.querySelector<HTMLElement>(`[data-opens=${name}]`);
  (button ?? document.getElementById("content"))?.focus();
};

export const focusEmail = focusOn("email");
export const focusPassword = focusOn("password");
export const focusTwoFactor = focusOn("two-factor");
export const focusRecoveryCodes = focusOn("recovery-codes");
export const focusSignIns = focusOn("sign-ins");

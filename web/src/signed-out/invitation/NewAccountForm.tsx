import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { PASSWORD_LENGTH } from "../../../../server/src/wire/password-length.ts";
import { signUp } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field, PasswordField } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";

interface NewAccountFormProps {
  /** The address that is invited. */
  email: string;
  code: string;
  onSignedIn: () => Promise<void>;
}

/** Makes an account with the address that is invited, and joins in the same step. */
export function NewAccountForm({ email, code, onSignedIn }: NewAccountFormProps) {
  const { t } = useTranslation(["signed-out/invitation", "shared"]);
  const creation = useMutation({ mutationFn: signUp, onSuccess: onSignedIn });
  const { form, fields, failure } = useFormErrors(creation.error, ["name", "email", "password"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (creation.isPending) return;
    const typed = new FormData(event.currentTarget);
    creation.mutate({
      email,
      invitation: code,
      name: textOf(typed, "name").trim(),
      password: textOf(typed, "password"),
    });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
      <FailureNotice of={failure} />
      <Field
        name="email"
        type="email"
        label={t("shared:field.email")}
        hint={t("emailHint")}
        errors={fields.email}
        autoComplete="username"
        defaultValue={email}
        readOnly
      />
      <Field name="name" label={t("shared:field.name")} errors={fields.name} autoComplete="name" autoFocus />
      <PasswordField
        name="password"
        label={t("shared:field.password")}
        hint={t("passwordHint", { count: PASSWORD_LENGTH.least })}
        errors={fields.password}
        autoComplete="new-password"
      />
      <Button type="submit" busy={creation.isPending} className="mt-1 h-10 w-full">
        {t("submit")}
      </Button>
    </form>
  );
}

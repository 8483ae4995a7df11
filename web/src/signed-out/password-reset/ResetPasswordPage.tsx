import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { PASSWORD_LENGTH } from "../../../../server/src/accounts/schemas/password-length.ts";
import { forgetSession, resetPassword } from "../../api/session.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Callout, FailureCallout } from "../../components/Callout.tsx";
import { PasswordField } from "../../components/Field.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { AuthLayout } from "../AuthLayout.tsx";

const names = ["password"] as const;

/** Where the mailed link leads: its token is behind the #, which browsers do not send on. */
export function ResetPasswordPage() {
  const { t } = useTranslation("signed-out/password-reset");
  usePageTitle(t("reset.title"));
  const client = useQueryClient();
  const token = useLocation({ select: ({ hash }) => hash });
  const change = useMutation({
    mutationFn: resetPassword,
    // All sessions have ended, this browser's too.
    onSuccess: () => forgetSession(client),
  });
  const { form, fields, failure } = useFormErrors(change.error, names);
  const done = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (change.isSuccess) done.current?.focus();
  }, [change.isSuccess]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate({ token, password: textOf(new FormData(event.currentTarget), "password") });
  };
  if (change.isSuccess) {
    return (
      <AuthLayout title={t("reset.doneTitle")} text={t("reset.done")}>
        <ButtonLink ref={done} to="/sign-in" className="w-full">
          {t("reset.signIn")}
        </ButtonLink>
      </AuthLayout>
    );
  }
  if (token === "" || fields.token) {
    return (
      <AuthLayout title={t("reset.title")}>
        <div className="grid gap-5">
          <Callout tone="error">{failure?.message ?? t("reset.noToken")}</Callout>
          <ButtonLink to="/forgot-password" className="w-full">
            {t("reset.again")}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("reset.title")} text={t("reset.text")}>
      <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
        <FailureCallout of={failure} />
        <PasswordField
          name="password"
          label={t("reset.password")}
          hint={t("reset.hint", { count: PASSWORD_LENGTH.least })}
          errors={fields.password}
          autoComplete="new-password"
          autoFocus
        />
        <Button type="submit" busy={change.isPending} className="mt-1 h-10 w-full">
          {t("reset.submit")}
        </Button>
      </form>
    </AuthLayout>
  );
}

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { authStateQuery, forgotPassword } from "../../api/session.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Callout, FailureCallout } from "../../components/Callout.tsx";
import { Field } from "../../components/Field.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { currentLanguage } from "../../i18n/i18n.ts";
import { AuthLayout } from "../AuthLayout.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "signed-out/password-reset": typeof english;
  }
}

const names = ["email"] as const;

/** Has a link mailed for choosing a new password; says the same whether or not there is an account. */
export function ForgotPasswordPage() {
  const { t } = useTranslation(["signed-out/password-reset", "shared"]);
  usePageTitle(t("forgot.title"));
  const { data: state } = useQuery(authStateQuery);
  const request = useMutation({ mutationFn: forgotPassword });
  const { form, fields, failure } = useFormErrors(request.error, names);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = textOf(new FormData(event.currentTarget), "email").trim();
    request.mutate({ email, language: currentLanguage() });
  };
  if (state && !state.mail) {
    return (
      <AuthLayout title={t("forgot.title")}>
        <div className="grid gap-5">
          <Callout tone="info">{t("forgot.noMail")}</Callout>
          <BackToSignIn />
        </div>
      </AuthLayout>
    );
  }
  if (request.isSuccess) return <LinkSent email={request.variables.email} />;
  return (
    <AuthLayout title={t("forgot.title")} text={t("forgot.text")}>
      <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
        <FailureCallout of={failure} />
        <Field
          name="email"
          type="email"
          label={t("shared:field.email")}
          errors={fields.email}
          autoComplete="username"
          spellCheck={false}
          autoFocus
        />
        <Button type="submit" busy={request.isPending} className="mt-1 h-10 w-full">
          {t("forgot.submit")}
        </Button>
        <Link
          to="/sign-in"
          className="justify-self-center rounded-sm text-sm text-ink-muted underline-offset-4 hover:text-ink hover:underline"
        >
          {t("backToSignIn")}
        </Link>
      </form>
    </AuthLayout>
  );
}

function LinkSent({ email }: { email: string }) {
  const { t } = useTranslation("signed-out/password-reset");
  const text = useRef<HTMLDivElement>(null);
  // What it says has taken the place of the form that had the focus.
  useEffect(() => text.current?.focus(), []);
  return (
    <AuthLayout title={t("forgot.sentTitle")}>
      <div ref={text} tabIndex={-1} className="grid gap-5 outline-none">
        <p className="wrap-anywhere text-ink-muted">{t("forgot.sent", { email })}</p>
        <BackToSignIn />
      </div>
    </AuthLayout>
  );
}

function BackToSignIn() {
  const { t } = useTranslation("signed-out/password-reset");
  return (
    <ButtonLink to="/sign-in" className="w-full">
      {t("backToSignIn")}
    </ButtonLink>
  );
}

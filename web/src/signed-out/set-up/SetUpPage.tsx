import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { PASSWORD_LENGTH } from "../../../../server/src/accounts/schemas/password-length.ts";
import { authStateQuery, readNewSession, setUp } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Field, PasswordField } from "../../components/Field.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { AuthLayout } from "../AuthLayout.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "signed-out/set-up": typeof english;
  }
}

const names = ["setupToken", "name", "email", "password", "organization"] as const;

/** The first visit to an empty installation creates its owner. */
export function SetUpPage() {
  const { t } = useTranslation(["signed-out/set-up", "shared"]);
  usePageTitle(t("pageTitle"));
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: state } = useQuery(authStateQuery);
  // The server prints an address that carries it behind the #, which browsers do not send on.
  const printedToken = useLocation({ select: ({ hash }) => hash });
  const creation = useMutation({
    mutationFn: setUp,
    onSuccess: async () => {
      await readNewSession(client);
      await navigate({ to: "/" });
    },
  });
  const { form, fields, failure } = useFormErrors(creation.error, names);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    creation.mutate({
      setupToken: textOf(typed, "setupToken").trim() || undefined,
      name: textOf(typed, "name").trim(),
      email: textOf(typed, "email").trim(),
      password: textOf(typed, "password"),
      organization: textOf(typed, "organization").trim() || undefined,
    });
  };
  return (
    <AuthLayout title={t("title")} text={t("text")}>
      <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
        <FailureCallout of={failure} />
        {state?.setupTokenRequired && (
          <Field
            name="setupToken"
            label={t("token")}
            hint={t("tokenHint")}
            errors={fields.setupToken}
            defaultValue={printedToken}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <Field
          name="name"
          label={t("shared:field.name")}
          errors={fields.name}
          autoComplete="name"
          autoFocus
        />
        <Field
          name="email"
          type="email"
          label={t("shared:field.email")}
          errors={fields.email}
          autoComplete="username"
          spellCheck={false}
        />
        <PasswordField
          name="password"
          label={t("shared:field.password")}
          hint={t("passwordHint", { count: PASSWORD_LENGTH.least })}
          errors={fields.password}
          autoComplete="new-password"
        />
        <Field
          name="organization"
          label={t("shared:field.organization")}
          optional
          hint={t("organizationHint")}
          errors={fields.organization}
          autoComplete="organization"
        />
        <Button type="submit" busy={creation.isPending} className="mt-1 h-10 w-full">
          {t("submit")}
        </Button>
      </form>
    </AuthLayout>
  );
}

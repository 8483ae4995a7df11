import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/client.ts";
import { type Credentials, readNewSession, signIn } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Field, PasswordField } from "../../components/Field.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { sendWhenWhole, textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { safeReturnPath } from "../../paths.ts";
import { AuthLayout } from "../AuthLayout.tsx";
import type english from "./en.json";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const { t } = useTranslation("signed-out/sign-in");
  usePageTitle(t("pageTitle"));
  const client = useQueryClient();
  const router = useRouter();
  const { ended, from } = route.useSearch();
  const enter = async () => {
    await readNewSession(client);
    router.history.push(safeReturnPath(from));
  };
  return (
    <SignInSteps
      title={t("title")}
      text={ended && t("expired")}
      submitLabel={t("submit")}
      onSignedIn={enter}
    />
  );
}

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "signed-out/sign-in": typeof english;
  }
}

interface SignInStepsProps {
  title: string;
  text?: string | undefined;
  submitLabel: string;
  /** From the link of an invitation: the address is fixed, and its code is accepted at the same time. */
  invited?: { email: string; code: string };
  onSignedIn: () => Promise<void>;
}

/** E-mail and password; then, for accounts that have one, the authenticator app's code. */
export function SignInSteps({ title, text, ...form }: SignInStepsProps) {
  const { t } = useTranslation("signed-out/sign-in");
  /** Set once the API has accepted them and requires a code. */
  const [accepted, setAccepted] = useState<Credentials | null>(null);
  if (accepted) {
    return (
      <AuthLayout title={t("codeTitle")} text={t("codeText", { email: accepted.email })}>
        <CodeForm credentials={accepted} onSignedIn={form.onSignedIn} onBack={() => setAccepted(null)} />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={title} text={text}>
      <CredentialsForm {...form} onCodeWanted={setAccepted} />
    </AuthLayout>
  );
}

function useSignIn(onSignedIn: () => Promise<void>, onCodeWanted: (credentials: Credentials) => void) {
  return useMutation({
    mutationFn: signIn,
    onError: (error, { code, ...credentials }) => {
      if (code === undefined && wantsCode(error)) onCodeWanted(credentials);
    },
    onSuccess: onSignedIn,
  });
}

/** The API names the field that it wants filled in. */
function wantsCode(error: Error): boolean {
  return error instanceof ApiError && error.fields.code !== undefined;
}

interface CredentialsFormProps extends Omit<SignInStepsProps, "title" | "text"> {
  onCodeWanted: (credentials: Credentials) => void;
}

function CredentialsForm({ invited, submitLabel, onSignedIn, onCodeWanted }: CredentialsFormProps) {
  const { t } = useTranslation(["signed-out/sign-in", "shared"]);
  const attempt = useSignIn(onSignedIn, onCodeWanted);
  const error = attempt.error && !wantsCode(attempt.error) ? attempt.error : null;
  const { form, fields, failure } = useFormErrors(error, ["email", "password"]);
  // Wrong credentials are reported for the e-mail, too, but it is the password that has to be typed again.
  const isEmailMissing = attempt.variables?.email === "";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    attempt.mutate({
      email: textOf(typed, "email").trim(),
      password: textOf(typed, "password"),
      invitation: invited?.code,
    });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
      <FailureCallout of={failure} />
      <Field
        name="email"
        type="email"
        label={t("shared:field.email")}
        errors={isEmailMissing ? fields.email : undefined}
        autoComplete="username"
        spellCheck={false}
        autoFocus={!invited}
        defaultValue={invited?.email}
        readOnly={invited !== undefined}
      />
      <PasswordField
        name="password"
        label={t("shared:field.password")}
        errors={fields.password ?? (isEmailMissing ? undefined : fields.email)}
        autoComplete="current-password"
        autoFocus={invited !== undefined}
      />
      <Button type="submit" busy={attempt.isPending} className="mt-1 h-10 w-full">
        {submitLabel}
      </Button>
      <Link
        to="/forgot-password"
        className="justify-self-center rounded-sm text-sm text-ink-muted underline-offset-4 hover:text-ink hover:underline"
      >
        {t("forgot")}
      </Link>
    </form>
  );
}

interface CodeFormProps {
  credentials: Credentials;
  onSignedIn: () => Promise<void>;
  onBack: () => void;
}

function CodeForm({ credentials, onSignedIn, onBack }: CodeFormProps) {
  const { t } = useTranslation(["signed-out/sign-in", "shared"]);
  const attempt = useSignIn(onSignedIn, () => {});
  const { form, fields, failure } = useFormErrors(attempt.error, ["code"]);
  const [isRecovery, setRecovery] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (attempt.isPending) return;
    const code = textOf(new FormData(event.currentTarget), "code").replaceAll(/\s/g, "");
    attempt.mutate({ ...credentials, code });
  };
  const change = () => {
    attempt.reset();
    setRecovery(!isRecovery);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
      <FailureCallout of={failure} />
      <Field
        key={String(isRecovery)}
        name="code"
        errors={fields.code}
        autoFocus
        {...(isRecovery
          ? {
              label: t("recoveryCode"),
              hint: t("recoveryHint"),
              autoComplete: "off",
              autoCapitalize: "characters",
              spellCheck: false,
              maxLength: 64,
            }
          : {
              label: t("code"),
              hint: t("codeHint"),
              autoComplete: "one-time-code",
              inputMode: "numeric",
              maxLength: 8,
              className: "tracking-[0.2em] tabular-nums",
              onChange: sendWhenWhole,
            })}
      />
      <Button type="submit" busy={attempt.isPending} className="mt-1 h-10 w-full">
        {t("codeSubmit")}
      </Button>
      <div className="flex flex-wrap justify-center gap-x-5 gap-y-2">
        <OtherWay onClick={change}>{t(isRecovery ? "useCode" : "useRecovery")}</OtherWay>
        <OtherWay onClick={onBack}>{t(credentials.invitation ? "backToPassword" : "back")}</OtherWay>
      </div>
    </form>
  );
}

function OtherWay({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded-sm text-sm text-ink-muted underline-offset-4 hover:text-ink hover:underline"
    >
      {children}
    </button>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { PASSWORD_LENGTH } from "../../../../server/src/accounts/schemas/password-length.ts";
import { ApiError } from "../../api/client.ts";
import {
  codeErrorsOf,
  type InvitationPreview,
  invitationPreviewQuery,
  useAcceptInvitation,
} from "../../api/invitations.ts";
import { readNewSession, type Session, sessionQuery, signOut, signUp } from "../../api/session.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Callout, FailureCallout, failureOf } from "../../components/Callout.tsx";
import { together, useFirst } from "../../components/chart-data.ts";
import { Field, PasswordField } from "../../components/Field.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { showToast } from "../../toasts.ts";
import { AuthLayout } from "../AuthLayout.tsx";
import { SignInSteps } from "../sign-in/SignInPage.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "signed-out/invitation": typeof english;
  }
}

/** Where the link of an invitation leads: its code is behind the #, which browsers do not send on. */
export function InvitationPage() {
  const { t } = useTranslation("signed-out/invitation");
  usePageTitle(t("pageTitle"));
  const client = useQueryClient();
  const code = useLocation({ select: ({ hash }) => hash });
  const [visit, setVisit] = useState(0);
  if (code === "") return <NoInvitation why={t("incomplete")} />;
  const beginAgain = () => {
    client.removeQueries(invitationPreviewQuery(code));
    setVisit(visit + 1);
  };
  return <LinkFollowed key={`${code} ${visit}`} code={code} beginAgain={beginAgain} />;
}

interface LinkFollowedProps {
  code: string;
  /** As if the link had just been followed: who is signed in, or what the code is worth, has changed. */
  beginAgain: () => void;
}

function LinkFollowed({ code, beginAgain }: LinkFollowedProps) {
  const { t } = useTranslation("signed-out/invitation");
  // Joining uses it up; what it said stays on the page until that is left.
  const invitation = useFirst(useQuery(invitationPreviewQuery(code)));
  const session = useQuery(sessionQuery);
  const worthless = codeErrorsOf(invitation.error);
  if (worthless) return <NoInvitation why={worthless.join(" ")} />;
  const reading = together<{ invitation: InvitationPreview; session: Session | null }>({
    invitation,
    session,
  });
  if (reading.data) return <Joining code={code} beginAgain={beginAgain} {...reading.data} />;
  return (
    <AuthLayout title={t("pageTitle")}>
      <Loaded of={reading} failed={t("failed")} loading={<Skeleton className="h-40 w-full" />}>
        {() => null}
      </Loaded>
    </AuthLayout>
  );
}

interface JoiningProps extends LinkFollowedProps {
  invitation: InvitationPreview;
  /** The account that is signed in, or null. */
  session: Session | null;
}

/** What it takes to join: a click, signing in or making an account, and with another account signing out first. */
function Joining({ code, invitation, session, beginAgain }: JoiningProps) {
  const { t } = useTranslation(["signed-out/invitation", "shared"]);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { email, organizationName: organization, invitedBy, role, hasAccount } = invitation;
  const enter = async () => {
    await navigate({ to: "/" });
    showToast("success", t("shared:invitation.joined", { organization }));
  };
  const signedIn = async () => {
    await readNewSession(client);
    await enter();
  };
  const title = t("title", { organization });
  const text = t("shared:invitation.text", { name: invitedBy, role: t(`shared:invitation.role.${role}`) });
  if (session === null && hasAccount) {
    const invited = { email, code };
    const signIn = `${text} ${t("signInText")}`;
    return (
      <SignInSteps
        title={title}
        text={signIn}
        submitLabel={t("signIn")}
        invited={invited}
        onSignedIn={signedIn}
      />
    );
  }
  const isMyself = session?.user.email === email;
  return (
    <AuthLayout title={title} text={text}>
      {session === null ? (
        <NewAccountForm email={email} code={code} onSignedIn={signedIn} />
      ) : isMyself ? (
        <JoinAsMyself invitation={invitation} code={code} onJoined={() => void enter()} onGone={beginAgain} />
      ) : (
        <JoinAsAnotherPerson email={email} session={session} onSignedOut={beginAgain} />
      )}
    </AuthLayout>
  );
}

/** What to do about a link that is worth nothing. */
function NoInvitation({ why }: { why: string }) {
  const { t } = useTranslation("signed-out/invitation");
  return (
    <AuthLayout title={t("none.title")}>
      <div className="grid gap-5">
        <Callout tone="error">{why}</Callout>
        <p className="text-pretty text-ink-muted">{t("none.joined")}</p>
        <ButtonLink to="/" className="w-full">
          {t("goOn")}
        </ButtonLink>
      </div>
    </AuthLayout>
  );
}

interface JoinAsMyselfProps {
  invitation: InvitationPreview;
  code: string;
  onJoined: () => void;
  /** It was withdrawn or has expired, or the session has ended. */
  onGone: () => void;
}

/** For the invited person's own session: one click. */
function JoinAsMyself({ invitation, code, onJoined, onGone }: JoinAsMyselfProps) {
  const { t } = useTranslation("signed-out/invitation");
  const acceptance = useAcceptInvitation({ onJoined, onGone });
  const { email, organizationName: organization } = invitation;
  const join = () => {
    const onError = (error: Error) => {
      if (error instanceof ApiError && error.status === 401) onGone();
    };
    acceptance.mutate({ invitation, code }, { onError });
  };
  return (
    <div className="grid gap-5">
      {acceptance.error && <FailureCallout of={failureOf(acceptance.error)} />}
      <Button
        autoFocus
        busy={acceptance.isPending}
        onClick={join}
        className="h-auto! min-h-10 w-full py-2 whitespace-normal! wrap-anywhere"
      >
        {t("title", { organization })}
      </Button>
      <p className="text-center text-sm wrap-anywhere text-ink-faint">{t("signedInAs", { email })}</p>
    </div>
  );
}

interface JoinAsAnotherPersonProps {
  /** The address that is invited. */
  email: string;
  session: Session;
  onSignedOut: () => void;
}

/** For a session of another account. */
function JoinAsAnotherPerson({ email, session, onSignedOut }: JoinAsAnotherPersonProps) {
  const { t } = useTranslation("signed-out/invitation");
  const client = useQueryClient();
  const leaving = useMutation({ mutationFn: () => signOut(client), onSuccess: onSignedOut });
  return (
    <div className="grid gap-5">
      {leaving.error && <FailureCallout of={failureOf(leaving.error)} />}
      <Callout tone="info">
        <p className="wrap-anywhere">{t("other.text", { email, own: session.user.email })}</p>
      </Callout>
      <Button
        autoFocus
        busy={leaving.isPending}
        onClick={() => leaving.mutate()}
        className="h-auto! min-h-10 w-full py-2 whitespace-normal! wrap-anywhere"
      >
        {t("other.signOut", { email })}
      </Button>
      <ButtonLink to="/" className="w-full">
        {t("goOn")}
      </ButtonLink>
    </div>
  );
}

interface NewAccountFormProps {
  /** The address that is invited. */
  email: string;
  code: string;
  onSignedIn: () => Promise<void>;
}

/** Makes an account with the address that is invited, and joins in the same step. */
function NewAccountForm({ email, code, onSignedIn }: NewAccountFormProps) {
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
      <FailureCallout of={failure} />
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

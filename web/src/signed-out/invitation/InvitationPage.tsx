import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { codeErrorsOf, type InvitationPreview, invitationPreviewQuery } from "../../api/invitations.ts";
import { readNewSession, type Session, sessionQuery } from "../../api/session.ts";
import { AuthLayout } from "../../components/AuthLayout.tsx";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Notice } from "../../components/Notice.tsx";
import { together, useFirst } from "../../components/readings.ts";
import { Skeleton } from "../../components/Skeleton.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { showToast } from "../../toasts.ts";
import { SignInSteps } from "../sign-in/SignInSteps.tsx";
import type english from "./en.json";
import { JoinAsMyself } from "./JoinAsMyself.tsx";
import { JoinAsSomebodyElse } from "./JoinAsSomebodyElse.tsx";
import { NewAccountForm } from "./NewAccountForm.tsx";

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
  /** Who is signed in; null: nobody. */
  session: Session | null;
}

/** What it takes to join: a click, signing in or making an account, and for somebody else signing out first. */
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
        <JoinAsSomebodyElse email={email} session={session} onSignedOut={beginAgain} />
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
        <Notice tone="error">{why}</Notice>
        <p className="text-pretty text-ink-muted">{t("none.joined")}</p>
        <ButtonLink to="/" className="w-full">
          {t("goOn")}
        </ButtonLink>
      </div>
    </AuthLayout>
  );
}

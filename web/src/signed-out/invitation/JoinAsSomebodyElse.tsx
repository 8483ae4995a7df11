import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Session, signOut } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { failureOf } from "../../components/failure.ts";
import { Notice } from "../../components/Notice.tsx";

interface JoinAsSomebodyElseProps {
  /** The address that is invited. */
  email: string;
  session: Session;
  onSignedOut: () => void;
}

/** For whoever is signed in, but not as the person who is invited. */
export function JoinAsSomebodyElse({ email, session, onSignedOut }: JoinAsSomebodyElseProps) {
  const { t } = useTranslation("signed-out/invitation");
  const client = useQueryClient();
  const leaving = useMutation({ mutationFn: () => signOut(client), onSuccess: onSignedOut });
  return (
    <div className="grid gap-5">
      {leaving.error && <FailureNotice of={failureOf(leaving.error)} />}
      <Notice tone="info">
        <p className="wrap-anywhere">{t("other.text", { email, own: session.user.email })}</p>
      </Notice>
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

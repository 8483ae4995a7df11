import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/client.ts";
import { type InvitationPreview, useAcceptInvitation } from "../../api/invitations.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { failureOf } from "../../components/failure.ts";

interface JoinAsMyselfProps {
  invitation: InvitationPreview;
  code: string;
  onJoined: () => void;
  /** It was withdrawn or has expired, or the session has ended. */
  onGone: () => void;
}

/** For whoever is signed in as the person who is invited: one click. */
export function JoinAsMyself({ invitation, code, onJoined, onGone }: JoinAsMyselfProps) {
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
      {acceptance.error && <FailureNotice of={failureOf(acceptance.error)} />}
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

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  type Invitation,
  invitationsQuery,
  useAcceptInvitation,
  useDeclineInvitation,
} from "../../api/invitations.ts";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { Notice } from "../../components/Notice.tsx";
import { showToast } from "../../components/toasts.ts";

/** The organizations that ask the reader to join; nothing where none does. */
export function InvitationsCard() {
  const { data: invitations = [] } = useQuery(invitationsQuery);
  return invitations.map((invitation) => <InvitationCard key={invitation.id} invitation={invitation} />);
}

function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation();
  const refusal = useDeclineInvitation();
  const { organizationName: organization, invitedBy, role } = invitation;
  const acceptance = useAcceptInvitation(() =>
    showToast("success", t("invitations.accepted", { organization })),
  );
  const error = acceptance.error ?? refusal.error;
  return (
    <Card className="mb-4 grid gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium break-words">{t("invitations.title", { organization })}</p>
          <p className="text-sm break-words text-ink-muted">
            {t("invitations.text", { name: invitedBy, role: t(`invitations.role.${role}`) })}
          </p>
        </div>
        <div className="flex gap-2">
          <Button variant="quiet" busy={refusal.isPending} onClick={() => refusal.mutate(invitation)}>
            {t("invitations.decline")}
          </Button>
          <Button busy={acceptance.isPending} onClick={() => acceptance.mutate(invitation)}>
            {t("invitations.accept")}
          </Button>
        </div>
      </div>
      {error && <Notice tone="error">{error.message}</Notice>}
    </Card>
  );
}

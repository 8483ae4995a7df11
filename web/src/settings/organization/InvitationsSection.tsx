import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type NewInvitation,
  type PendingInvitation,
  pendingInvitationsQuery,
  useCancelInvitation,
  useResendInvitation,
} from "../../api/organization-invitations.ts";
import type { Session } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { showToast } from "../../toasts.ts";
import { InvitationTable } from "./InvitationTable.tsx";
import { InviteDialog } from "./InviteDialog.tsx";
import { InvitedDialog } from "./InvitedDialog.tsx";

/** Who has been asked to join; for those who may ask. */
export function InvitationsSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const query = useQuery(pendingInvitationsQuery(session.organization.id));
  const cancellation = useCancelInvitation(session);
  const renewal = useResendInvitation(session);
  const [inviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<NewInvitation | null>(null);
  const cancel = (invitation: PendingInvitation) =>
    cancellation.mutate(invitation, {
      onSuccess: () => showToast("success", t("invitations.cancelled", { email: invitation.email })),
      onError: (error) => showToast("error", error.message),
    });
  const again = (invitation: PendingInvitation) =>
    renewal.mutate(invitation, {
      onSuccess: setInvited,
      onError: (error) => showToast("error", error.message),
    });
  const table = (invitations: PendingInvitation[] | undefined) => (
    <InvitationTable
      role={session.organization.role}
      invitations={invitations}
      onAgain={again}
      onCancel={cancel}
    />
  );
  return (
    <Section
      title={t("invitations.title")}
      aside={
        <Button variant="quiet" onClick={() => setInviting(true)} data-invite>
          <UserPlus aria-hidden className="-ml-0.5 size-4" />
          {t("invitations.invite")}
        </Button>
      }
    >
      <Loaded
        of={query}
        failed={t("invitations.failed")}
        loading={table(undefined)}
        empty={t("invitations.empty")}
      >
        {table}
      </Loaded>
      {inviting && (
        <InviteDialog
          session={session}
          onInvited={(invitation) => {
            setInviting(false);
            setInvited(invitation);
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {invited && <InvitedDialog invitation={invited} onClose={() => setInvited(null)} />}
    </Section>
  );
}

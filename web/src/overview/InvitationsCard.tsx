import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  codeIn,
  type Invitation,
  invitationsQuery,
  useAcceptInvitation,
  useDeclineInvitation,
} from "../api/invitations.ts";
import { Button } from "../components/Button.tsx";
import { FailureCallout } from "../components/Callout.tsx";
import { Card } from "../components/Card.tsx";
import { Field } from "../components/Field.tsx";
import { focusPage } from "../components/focus.ts";
import { Loaded } from "../components/Loaded.tsx";
import { textOf, useFormErrors } from "../components/use-form-errors.ts";
import { showToast } from "../toasts.ts";

const names = ["code"] as const;

/** Invitations to join organizations; nothing where there are none. */
export function InvitationsCard() {
  const { t } = useTranslation("overview");
  const query = useQuery(invitationsQuery);
  if (!query.data && !query.error) return null;
  return (
    <Loaded of={query} failed={t("invitations.failed")} loading={null}>
      {(invitations) => invitations.map((one) => <InvitationCard key={one.id} invitation={one} />)}
    </Loaded>
  );
}

function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation(["overview", "shared"]);
  const refusal = useDeclineInvitation(focusPage);
  const { organizationName: organization, invitedBy, role } = invitation;
  const acceptance = useAcceptInvitation({
    onJoined: () => {
      focusPage();
      showToast("success", t("shared:invitation.joined", { organization }));
    },
    onGone: () => {
      focusPage();
      showToast("info", t("invitations.gone"));
    },
  });
  const { form, fields, failure } = useFormErrors(acceptance.error ?? refusal.error, names);
  const join = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = codeIn(textOf(new FormData(event.currentTarget), "code"));
    acceptance.mutate({ invitation, code });
  };
  return (
    <Card className="min-w-0 p-4">
      <form ref={form} onSubmit={join} noValidate className="grid gap-3">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{t("invitations.title", { organization })}</p>
          <p className="text-sm wrap-anywhere text-ink-muted">
            {t("shared:invitation.text", { name: invitedBy, role: t(`shared:invitation.role.${role}`) })}
          </p>
        </div>
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 max-w-sm grow basis-64">
            <Field
              name="code"
              label={t("invitations.code")}
              hint={t("invitations.codeHint")}
              errors={fields.code}
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <div className="flex gap-2 sm:mt-6.5">
            <Button variant="quiet" busy={refusal.isPending} onClick={() => refusal.mutate(invitation)}>
              {t("invitations.decline")}
            </Button>
            <Button type="submit" busy={acceptance.isPending}>
              {t("invitations.accept")}
            </Button>
          </div>
        </div>
        <FailureCallout of={failure} />
      </form>
    </Card>
  );
}

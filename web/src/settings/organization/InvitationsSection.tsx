import { useQuery } from "@tanstack/react-query";
import { RotateCw, UserPlus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Role } from "../../api/organization.ts";
import {
  type NewInvitation,
  type PendingInvitation,
  pendingInvitationsQuery,
  useCancelInvitation,
  useInvite,
  useResendInvitation,
} from "../../api/organization-invitations.ts";
import type { Session } from "../../api/session.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { CopyDialog } from "../../components/CopyButton.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { formatDate, formatDateTime } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { showToast } from "../../toasts.ts";
import { rolesToGrant } from "./rights.ts";

/** Pending invitations; for those who may invite. */
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
      trailing={
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

interface InvitedDialogProps {
  invitation: NewInvitation;
  onClose: () => void;
}

/** The link of a new invitation, this once. */
function InvitedDialog({ invitation, onClose }: InvitedDialogProps) {
  const { t } = useTranslation("settings/organization");
  const { email, code, sent, notSentReason, notSentReasonFact } = invitation;
  const why = notSentReason && translateMessage(notSentReason, notSentReasonFact);
  const text = t(sent ? "invited.sent" : "invited.text", { email });
  return (
    <CopyDialog
      title={t("invited.title", { email })}
      text={why ? `${why} ${text}` : text}
      value={`${window.location.origin}/invitation#${code}`}
      copyLabel={t("invited.copy")}
      doneLabel={t("invited.done")}
      onLeft={focusInvite}
      onClose={onClose}
    />
  );
}

interface InviteDialogProps {
  session: Session;
  onInvited: (invitation: NewInvitation) => void;
  onClose: () => void;
}

/** Invites a person by e-mail address, in a role. */
function InviteDialog({ session, onInvited, onClose }: InviteDialogProps) {
  const { t } = useTranslation(["settings/organization", "shared"]);
  const invitation = useInvite(session);
  const [role, setRole] = useState<Role>("member");
  const { form, fields, failure } = useFormErrors(invitation.error, ["email", "role"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = textOf(new FormData(event.currentTarget), "email");
    invitation.mutate({ email, role }, { onSuccess: onInvited });
  };
  return (
    <Dialog
      title={t("invite.title", { organization: session.organization.name })}
      onLeft={focusInvite}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        <Field
          name="email"
          type="email"
          label={t("invitations.email")}
          errors={fields.email}
          autoComplete="off"
          autoFocus
        />
        <div className="grid gap-1.5">
          <LabelledSelect
            label={t("members.role")}
            value={role}
            errors={fields.role}
            options={rolesToGrant(session.organization.role).map((one) => [one, t(`role.${one}`)])}
            onChange={(chosen) => setRole(chosen as Role)}
          />
          <p className="text-sm text-ink-faint">{t(`roleText.${role}`)}</p>
        </div>
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={invitation.isPending}>
            {t("invite.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface InvitationTableProps {
  role: Role;
  /** Undefined while they are on their way. */
  invitations: PendingInvitation[] | undefined;
  onAgain: (invitation: PendingInvitation) => void;
  onCancel: (invitation: PendingInvitation) => void;
}

/** One invitation a row: for whom, as what, and until when. */
function InvitationTable({ role, invitations, onAgain, onCancel }: InvitationTableProps) {
  const { t, i18n } = useTranslation(["settings/organization", "shared"]);
  const until = ({ expiresAt }: PendingInvitation) => (
    <span title={formatDateTime(expiresAt, i18n.language)}>{formatDate(expiresAt, i18n.language)}</span>
  );
  const columns: Column<PendingInvitation>[] = [
    {
      id: "email",
      head: t("invitations.email"),
      names: true,
      cell: ({ email, invitedBy }) => (
        <>
          <div className="font-medium wrap-anywhere">{email}</div>
          <div className="text-xs wrap-anywhere text-ink-faint">
            {t("invitations.by", { name: invitedBy })}
          </div>
        </>
      ),
    },
    {
      id: "expires",
      head: t("invitations.expires"),
      cell: until,
      wide: true,
      width: "w-32",
      className: "text-ink-muted",
    },
    {
      id: "role",
      head: t("members.role"),
      cell: (invitation) => t(`role.${invitation.role}`),
      wide: true,
      width: "w-28",
      className: "text-ink-muted",
    },
    {
      id: "actions",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (invitation) => (
        <span className="-my-1.5 -mr-2 flex justify-end">
          {rolesToGrant(role).includes(invitation.role) && (
            <IconButton
              label={t("invitations.again", { email: invitation.email })}
              onClick={() => onAgain(invitation)}
            >
              <RotateCw aria-hidden className="size-4" />
            </IconButton>
          )}
          <IconButton
            label={t("invitations.cancel", { email: invitation.email })}
            onClick={() => onCancel(invitation)}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        </span>
      ),
      align: "end",
      width: "w-24",
    },
  ];
  const note = (invitation: PendingInvitation) => (
    <>
      {t(`role.${invitation.role}`)} · {t("invitations.expires")} {until(invitation)}
    </>
  );
  return <Table columns={columns} rows={invitations} keyOf={({ id }) => id} note={note} />;
}

/** Where the focus goes when a dialog about invitations is gone. */
const focusInvite = (): void => document.querySelector<HTMLElement>("[data-invite]")?.focus();

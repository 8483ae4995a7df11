import { RotateCw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Role } from "../../api/organization.ts";
import type { PendingInvitation } from "../../api/organization-invitations.ts";
import { IconButton } from "../../components/Button.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { formatDate, formatDateTime } from "../../i18n/format.ts";
import { rolesToGrant } from "./rights.ts";

interface InvitationTableProps {
  /** The reader's. */
  role: Role;
  /** Undefined while they are on their way. */
  invitations: PendingInvitation[] | undefined;
  onAgain: (invitation: PendingInvitation) => void;
  onCancel: (invitation: PendingInvitation) => void;
}

/** One invitation a row: for whom, as what, and until when. */
export function InvitationTable({ role, invitations, onAgain, onCancel }: InvitationTableProps) {
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

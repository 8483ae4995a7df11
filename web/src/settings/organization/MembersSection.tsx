import { useQuery } from "@tanstack/react-query";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Member, membersQuery } from "../../api/organization.ts";
import { manages } from "../../api/roles.ts";
import type { Session } from "../../api/session.ts";
import { IconButton } from "../../components/Button.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { formatDate } from "../../i18n/format.ts";
import { RemoveMemberDialog } from "./RemoveMemberDialog.tsx";
import { RoleChoice } from "./RoleChoice.tsx";
import { mayChange } from "./rights.ts";

/** Who belongs to the organization, and as what. */
export function MembersSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const query = useQuery(membersQuery(session.organization.id));
  const [removing, setRemoving] = useState<Member | null>(null);
  const count = query.data?.length;
  return (
    <Section
      title={t("members.title")}
      aside={<span className="text-sm text-ink-faint tabular-nums">{count}</span>}
    >
      <Loaded
        of={query}
        failed={t("members.failed")}
        loading={<MemberTable session={session} members={undefined} onRemove={setRemoving} />}
      >
        {(members) => <MemberTable session={session} members={members} onRemove={setRemoving} />}
      </Loaded>
      {removing && (
        <RemoveMemberDialog session={session} member={removing} onDone={() => setRemoving(null)} />
      )}
    </Section>
  );
}

interface MemberTableProps {
  session: Session;
  /** Undefined while they are on their way. */
  members: Member[] | undefined;
  onRemove: (member: Member) => void;
}

function MemberTable({ session, members, onRemove }: MemberTableProps) {
  const { t, i18n } = useTranslation(["settings/organization", "shared"]);
  const { user, organization } = session;
  const isChangeable = (member: Member) => mayChange(organization.role, member, members ?? []);
  const columns: Column<Member>[] = [
    {
      id: "person",
      head: t("members.person"),
      names: true,
      cell: ({ id, name, email }) => (
        <>
          <div className="font-medium wrap-anywhere">
            {name}{" "}
            {id === user.id && <span className="font-normal text-ink-faint">({t("members.you")})</span>}
          </div>
          <div className="text-xs wrap-anywhere text-ink-faint">{email}</div>
        </>
      ),
    },
    {
      id: "joined",
      head: t("members.joined"),
      cell: ({ joinedAt }) => formatDate(joinedAt, i18n.language),
      wide: true,
      width: "w-32",
      className: "text-ink-muted",
    },
    {
      id: "role",
      head: t("members.role"),
      cell: (member) =>
        isChangeable(member) ? (
          <RoleChoice session={session} member={member} />
        ) : (
          <span className="text-ink-muted">{t(`role.${member.role}`)}</span>
        ),
      width: "w-36",
    },
  ];
  if (manages(organization.role)) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (member) =>
        member.id !== user.id &&
        isChangeable(member) && (
          <IconButton
            label={t("members.remove", { name: member.name })}
            onClick={() => onRemove(member)}
            className="-my-1.5 -mr-2"
          >
            <UserMinus aria-hidden className="size-4" />
          </IconButton>
        ),
      align: "end",
      width: "w-14",
    });
  }
  return <Table columns={columns} rows={members} keyOf={({ id }) => id} />;
}

import { useQuery } from "@tanstack/react-query";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type Member,
  membersQuery,
  type Role,
  useChangeRole,
  useRemoveMember,
} from "../../api/organization.ts";
import { manages } from "../../api/roles.ts";
import type { Session } from "../../api/session.ts";
import { IconButton } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { Select } from "../../forms/Select.tsx";
import { formatDate } from "../../i18n/format.ts";
import { showToast } from "../../toasts.ts";
import { mayChange, rolesToGrant } from "./rights.ts";

export function MembersSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const query = useQuery(membersQuery(session.organization.id));
  const [removing, setRemoving] = useState<Member | null>(null);
  const count = query.data?.length;
  return (
    <Section
      title={t("members.title")}
      trailing={<span className="text-sm text-ink-faint tabular-nums">{count}</span>}
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

interface RemoveMemberDialogProps {
  session: Session;
  member: Member;
  onDone: () => void;
}

function RemoveMemberDialog({ session, member, onDone }: RemoveMemberDialogProps) {
  const { t } = useTranslation("settings/organization");
  const removal = useRemoveMember(session);
  const { name } = member;
  const confirmDone = () => {
    showToast("success", t("members.removed", { name }));
    onDone();
  };
  return (
    <ConfirmDialog
      title={t("members.removing.title", { name })}
      text={t("members.removing.text", { name })}
      submitLabel={t("members.removing.submit")}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate(member, { onSuccess: confirmDone })}
      onCancel={onDone}
      onLeft={useFocusBack()}
    />
  );
}

/** A member's role, which changes as soon as another is chosen; one's own needs a confirmation. */
function RoleChoice({ session, member }: { session: Session; member: Member }) {
  const { t } = useTranslation("settings/organization");
  const change = useChangeRole(session);
  const [chosenRole, setChosenRole] = useState<Role | null>(null);
  const { name } = member;
  const give = (role: Role) =>
    change.mutate(
      { member, role },
      {
        onSuccess: () => showToast("success", t("members.changed", { name, role: t(`role.${role}`) })),
        onError: (error) => showToast("error", error.message),
        onSettled: () => setChosenRole(null),
      },
    );
  const isOwn = member.id === session.user.id;
  const options = rolesToGrant(session.organization.role).map((role) => [role, t(`role.${role}`)] as const);
  const shown = change.isPending ? change.variables.role : member.role;
  return (
    <div className="-my-1">
      <Select
        aria-label={t("members.roleOf", { name })}
        aria-busy={change.isPending || undefined}
        value={chosenRole ?? shown}
        options={options}
        onChange={(role) => (isOwn ? setChosenRole(role as Role) : give(role as Role))}
      />
      {chosenRole && (
        <OwnRoleDialog
          role={chosenRole}
          busy={change.isPending}
          onConfirm={() => give(chosenRole)}
          onCancel={() => setChosenRole(null)}
        />
      )}
    </div>
  );
}

interface OwnRoleDialogProps {
  role: Role;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

function OwnRoleDialog({ role, ...rest }: OwnRoleDialogProps) {
  const { t } = useTranslation("settings/organization");
  return (
    <ConfirmDialog
      {...rest}
      title={t("members.own.title", { role: t(`role.${role}`) })}
      text={t("members.own.text")}
      submitLabel={t("members.own.submit")}
      onLeft={useFocusBack()}
    />
  );
}

import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Member, type Role, useChangeRole } from "../../api/organization.ts";
import type { Session } from "../../api/session.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { Select } from "../../forms/Select.tsx";
import { showToast } from "../../toasts.ts";
import { rolesToGrant } from "./rights.ts";

/** A member's role, which changes as soon as another is chosen; of one's own it asks first. */
export function RoleChoice({ session, member }: { session: Session; member: Member }) {
  const { t } = useTranslation("settings/organization");
  const change = useChangeRole(session);
  const [asked, setAsked] = useState<Role | null>(null);
  const { name } = member;
  const give = (role: Role) =>
    change.mutate(
      { member, role },
      {
        onSuccess: () => showToast("success", t("members.changed", { name, role: t(`role.${role}`) })),
        onError: (error) => showToast("error", error.message),
        onSettled: () => setAsked(null),
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
        value={asked ?? shown}
        options={options}
        onChange={(role) => (isOwn ? setAsked(role as Role) : give(role as Role))}
      />
      {asked && (
        <OwnRoleDialog
          role={asked}
          busy={change.isPending}
          onConfirm={() => give(asked)}
          onCancel={() => setAsked(null)}
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

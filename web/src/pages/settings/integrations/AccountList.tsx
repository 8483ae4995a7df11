import { Link } from "@tanstack/react-router";
import { Unlink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Integration } from "../../../api/integrations.ts";
import { IconButton } from "../../../components/Button.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { AccountState } from "./AccountState.tsx";

interface AccountListProps {
  /** Undefined while they are on their way. */
  accounts: Integration[] | undefined;
  /** Undefined: the reader may not. */
  onUnlink?: (account: Integration) => void;
}

/** One account a row: whose, what of it is monitored, and whether it can be read. */
export function AccountList({ accounts, onUnlink }: AccountListProps) {
  const { t } = useTranslation(["settings/integrations", "shared"]);
  const columns: Column<Integration>[] = [
    { id: "name", head: t("name"), cell: (account) => <AccountName account={account} />, names: true },
    {
      id: "resources",
      head: t("accounts.monitored"),
      cell: ({ monitored, resources }) => t("accounts.of", { monitored, resources }),
      wide: true,
      width: "w-28",
      className: "text-ink-muted tabular-nums",
    },
    { id: "state", head: t("state"), cell: (account) => <AccountState account={account} />, wide: true },
  ];
  if (onUnlink) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (account) => (
        <IconButton
          label={t("unlink.label", { name: account.name })}
          onClick={() => onUnlink(account)}
          className="-mr-2"
        >
          <Unlink aria-hidden className="size-4" />
        </IconButton>
      ),
      align: "end",
      width: "w-16",
    });
  }
  const note = (account: Integration) => (
    <span className="grid gap-0.5">
      <span className="text-ink-muted tabular-nums">
        {t("accounts.monitoredOf", { monitored: account.monitored, resources: account.resources })}
      </span>
      <AccountState account={account} />
    </span>
  );
  return <Table columns={columns} rows={accounts} keyOf={({ id }) => id} note={note} />;
}

function AccountName({ account: { id, provider, name, account, target } }: { account: Integration }) {
  const { t } = useTranslation("settings/integrations");
  return (
    <>
      <Link
        to="/settings/integrations/$provider/$id"
        params={{ provider, id: String(id) }}
        className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
      >
        {name}
      </Link>
      <div className="truncate text-xs text-ink-faint">
        {[t(`provider.${provider}`), account, target].filter((text) => text !== name).join(" · ")}
      </div>
    </>
  );
}

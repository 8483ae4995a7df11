import { Link } from "@tanstack/react-router";
import { Unlink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Integration } from "../../api/integrations.ts";
import { IconButton } from "../../components/Button.tsx";
import type { Column } from "../../components/Table.tsx";
import { StateTable } from "../StateTable.tsx";
import { AccountState } from "./AccountState.tsx";

interface AccountListProps {
  /** Undefined while they are on their way. */
  accounts: Integration[] | undefined;
  /** Undefined: the reader may not. */
  onUnlink?: (account: Integration) => void;
}

/** One account a row: whose, what of it is monitored, and whether it can be read. */
export function AccountList({ accounts, onUnlink }: AccountListProps) {
  const { t } = useTranslation("settings/integrations");
  const monitored: Column<Integration> = {
    id: "resources",
    head: t("accounts.monitored"),
    cell: ({ syncedAt, monitored, resources }) =>
      syncedAt === null ? "–" : t("accounts.of", { monitored, resources }),
    wide: true,
    width: "w-28",
    className: "text-ink-muted tabular-nums",
  };
  const note = (account: Integration) => (
    <span className="grid gap-0.5">
      {account.syncedAt !== null && (
        <span className="text-ink-muted tabular-nums">
          {t("accounts.monitoredOf", { monitored: account.monitored, resources: account.resources })}
        </span>
      )}
      <AccountState account={account} />
    </span>
  );
  const actions = (account: Integration) => (
    <IconButton label={t("unlink.label", { name: account.name })} onClick={() => onUnlink?.(account)}>
      <Unlink aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <StateTable
      rows={accounts}
      heads={{ name: t("name"), state: t("state") }}
      name={(account) => <AccountName account={account} />}
      state={(account) => <AccountState account={account} />}
      between={[monitored]}
      note={note}
      actions={onUnlink && actions}
    />
  );
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

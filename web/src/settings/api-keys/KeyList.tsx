import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { scopeResources } from "../../../../server/src/accounts/schemas/scope-resources.ts";
import type { ApiKey } from "../../api/api-keys.ts";
import { IconButton } from "../../components/Button.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDate, formatDateTime } from "../../i18n/format.ts";

interface KeyListProps {
  /** Undefined while they are on their way. */
  keys: ApiKey[] | undefined;
  /** Undefined: the reader may not. */
  onDelete?: (key: ApiKey) => void;
}

/** One key a row: how its token begins, what it may do, when it was last used and when it ends. */
export function KeyList({ keys, onDelete }: KeyListProps) {
  const { t } = useTranslation(["settings/api-keys", "shared"]);
  const { inWords } = useScopeWords();
  const columns: Column<ApiKey>[] = [
    {
      id: "name",
      head: t("name"),
      cell: (key) => <KeyName apiKey={key} />,
      names: true,
    },
    {
      id: "scopes",
      head: t("scopes"),
      cell: ({ scopes }) => inWords(scopes).join(" · "),
      wide: true,
      className: "break-words text-ink-muted",
    },
    {
      id: "used",
      head: t("used"),
      cell: (key) => <LastUse apiKey={key} bare />,
      wide: true,
      width: "w-40",
      className: "text-ink-muted",
    },
    {
      id: "ends",
      head: t("ends"),
      cell: (key) => <End apiKey={key} bare />,
      wide: true,
      width: "w-40",
      className: "text-ink-muted",
    },
  ];
  if (onDelete) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (key) => (
        <IconButton
          label={t("delete.label", { name: key.name })}
          onClick={() => onDelete(key)}
          className="-mr-2"
        >
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      ),
      align: "end",
      width: "w-16",
    });
  }
  const note = (key: ApiKey) => (
    <span className="grid gap-0.5">
      <span className="break-words">{inWords(key.scopes).join(" · ")}</span>
      <span className="text-xs text-ink-faint">
        <LastUse apiKey={key} /> · <End apiKey={key} />
      </span>
    </span>
  );
  return <Table columns={columns} rows={keys} keyOf={({ id }) => id} note={note} />;
}

function KeyName({ apiKey: { name, prefix, userName, allOrganizations } }: { apiKey: ApiKey }) {
  const { t } = useTranslation(["settings/api-keys", "shared"]);
  return (
    <>
      <div className="truncate font-medium">{name}</div>
      <div className="truncate text-xs text-ink-faint">
        {prefix}… · {userName}
        {allOrganizations && ` · ${t("everyOrganization")}`}
      </div>
    </>
  );
}

interface KeyTimeProps {
  apiKey: ApiKey;
  /** The date alone, under a head that says what it is. */
  bare?: boolean;
}

function LastUse({ apiKey: { lastUsedAt }, bare = false }: KeyTimeProps) {
  const { t, i18n } = useTranslation(["settings/api-keys", "shared"]);
  if (lastUsedAt === null) return t("neverUsed");
  const date = formatDate(lastUsedAt, i18n.language);
  return (
    <span title={formatDateTime(lastUsedAt, i18n.language)}>{bare ? date : t("lastUsed", { date })}</span>
  );
}

function End({ apiKey: { expiresAt }, bare = false }: KeyTimeProps) {
  const { t, i18n } = useTranslation(["settings/api-keys", "shared"]);
  const now = useNow();
  if (expiresAt === null) return t("neverExpires");
  const date = formatDate(expiresAt, i18n.language);
  const expired = Date.parse(expiresAt) <= now;
  return (
    <span title={formatDateTime(expiresAt, i18n.language)} className={expired ? "text-down-ink" : ""}>
      {expired ? t("expired", { date }) : bare ? date : t("expires", { date })}
    </span>
  );
}

type Resource = (typeof scopeResources)[number];

const actions = ["read", "write"] as const;
type Action = (typeof actions)[number];

/** Scopes in words: `Write: Domains and Incidents`. What this version of the app does not know stays as it is. */
export function useScopeWords() {
  const { t } = useTranslation("settings/api-keys");
  const resourceName = (resource: Resource): string => t(`resources.${resource === "*" ? "all" : resource}`);
  const say = (action: Action, resources: readonly Resource[]): string =>
    t("of", { action: t(action), resources: resources.map(resourceName) });
  const inWords = (scopes: readonly string[]): string[] => {
    // Who may do anything may write.
    const given = new Set(scopes.map((scope) => scope.replace(/^\*:/, "write:")));
    const said = actions.flatMap((action) => {
      const resources = scopeResources.filter((resource) => given.delete(`${action}:${resource}`));
      return resources.length > 0 ? [say(action, resources)] : [];
    });
    return [...said, ...given];
  };
  return { resourceName, say, inWords };
}

/** Where the focus goes when a dialog about keys is gone. */
export function focusCreateButton(): void {
  const button = document.querySelector<HTMLElement>("[data-create-key]");
  (button ?? document.getElementById("content"))?.focus();
}

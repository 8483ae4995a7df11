import { useTranslation } from "react-i18next";
import type { AuditEntry } from "../../api/audit-log.ts";
import { type Role, roles } from "../../api/roles.ts";
import { type Column, Table } from "../../components/Table.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../i18n/format.ts";
import { useActionWords } from "./use-action-words.ts";

/** One thing that was done a row. */
export function AuditTable({ entries }: { entries: AuditEntry[] | undefined }) {
  const { t, i18n } = useTranslation("settings/audit-log");
  const say = useActionWords();
  const now = useNow();
  const when = ({ timestamp }: AuditEntry) => (
    <time dateTime={timestamp} title={formatDateTime(timestamp, i18n.language)} className="tabular-nums">
      {formatMoment(timestamp, now, i18n.language)}
    </time>
  );
  const columns: Column<AuditEntry>[] = [
    {
      id: "what",
      head: t("column.what"),
      names: true,
      cell: (entry) => (
        <>
          <div className="font-medium text-pretty">{say(entry.action, entry.message)}</div>
          {entry.subject && <div className="wrap-anywhere text-ink-muted">{entry.subject}</div>}
          <RoleChange entry={entry} />
        </>
      ),
    },
    {
      id: "who",
      head: t("column.who"),
      cell: (entry) => <Person entry={entry} />,
      wide: true,
      className: "text-ink-muted",
    },
    {
      id: "from",
      head: t("column.from"),
      cell: ({ address, requestId }) => (
        <span title={t("request", { id: requestId })} className="wrap-anywhere">
          {address || "–"}
        </span>
      ),
      wide: true,
      width: "w-36",
      className: "text-ink-muted",
    },
    {
      id: "when",
      head: t("column.when"),
      cell: when,
      width: "w-36 @max-lg:w-30",
      className: "text-ink-muted",
    },
  ];
  const note = (entry: AuditEntry) => (
    <>
      <Person entry={entry} /> · {entry.address || "–"}
    </>
  );
  return <Table columns={columns} rows={entries} keyOf={({ id }) => id} note={note} expected={8} />;
}

/** Which role somebody had, and which they were given. */
function RoleChange({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation(["settings/audit-log", "settings/organization"]);
  const known = [before, after].filter(isRole).map((role) => t(`settings/organization:role.${role}`));
  return known.length > 0 && <div className="text-ink-muted">{t("role", { role: known.join(" → ") })}</div>;
}

const isRole = (value: string | null): value is Role => roles.some((role) => role === value);

function Person({
  entry: { actor, userId, userName, userEmail, apiKeyId, apiKeyName },
}: {
  entry: AuditEntry;
}) {
  const { t } = useTranslation("settings/audit-log");
  const name = actor === "user" ? (userName ?? t("filter.former", { id: userId })) : t(`actor.${actor}`);
  return (
    <>
      <span title={userEmail ?? undefined} className="wrap-anywhere">
        {name}
      </span>
      {apiKeyId !== null && (
        <span className="text-xs wrap-anywhere text-ink-faint">
          {" "}
          {apiKeyName === null ? t("deletedKey") : t("withKey", { name: apiKeyName })}
        </span>
      )}
    </>
  );
}

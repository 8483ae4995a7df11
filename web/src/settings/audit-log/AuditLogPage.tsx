import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type AuditEntry, auditFilePath, auditLogQuery } from "../../api/audit-log.ts";
import type { AuditSearch } from "../../api/audit-search.ts";
import { manages, type Role, roles, useRole } from "../../api/roles.ts";
import { type Session, sessionQuery } from "../../api/session.ts";
import { Card } from "../../components/Card.tsx";
import { Loaded, Refused } from "../../components/Loaded.tsx";
import { LogPages } from "../../components/LogPages.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { useDebounced } from "../../components/use-now.ts";
import { AuditFilters, useActionWords } from "./AuditFilters.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/audit-log": typeof english;
  }
}

export function AuditLogPage() {
  const { t } = useTranslation("settings/audit-log");
  usePageTitle(t("title"));
  const { data: session } = useSuspenseQuery(sessionQuery);
  const role = useRole();
  if (!manages(role)) return <Refused role={role} />;
  return session && <AuditLog session={session} />;
}

function AuditLog({ session }: { session: Session }) {
  const { t } = useTranslation("settings/audit-log");
  const navigate = useNavigate();
  const { page = 1, ...filter } = useSearch({ from: "/app/settings/audit-log" });
  const { id } = session.organization;
  // What is typed counts a moment later.
  const subject = useDebounced(filter.subject, 250);
  const query = useQuery(auditLogQuery(id, { ...filter, subject }, page));
  const show = (search: AuditSearch) =>
    void navigate({ to: "/settings/audit-log", search, replace: true, resetScroll: false });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-4">
        <p className="text-pretty text-ink-muted">{t("text")}</p>
        <a
          href={auditFilePath(id, filter)}
          download
          className="inline-flex h-9 shrink-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-3.5 font-medium shadow-card transition-colors hover:bg-hover"
        >
          <Download aria-hidden className="size-4" />
          {t("export")}
        </a>
      </div>
      <AuditFilters organizationId={id} filter={filter} onFilter={show} />
      <Card>
        <Loaded
          of={query}
          failed={t("failed")}
          loading={<AuditTable entries={undefined} />}
          isEmpty={({ total }) => total === 0}
          empty={t(isFiltered ? "nothingFound" : "empty")}
        >
          {({ entries, pages, total }) => (
            <>
              <AuditTable entries={entries} />
              <LogPages
                page={page}
                pages={pages}
                total={total}
                onPage={(next) => show({ ...filter, page: next > 1 ? next : undefined })}
              />
            </>
          )}
        </Loaded>
      </Card>
    </>
  );
}

function AuditTable({ entries }: { entries: AuditEntry[] | undefined }) {
  const { t } = useTranslation("settings/audit-log");
  const say = useActionWords();
  const when = ({ timestamp }: AuditEntry) => <Time at={timestamp} />;
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

/** A member's role before and after. */
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

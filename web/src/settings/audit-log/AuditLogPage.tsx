import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { auditFilePath, auditLogQuery } from "../../api/audit-log.ts";
import type { AuditSearch } from "../../api/audit-search.ts";
import { manages, useRole } from "../../api/roles.ts";
import { type Session, sessionQuery } from "../../api/session.ts";
import { Card } from "../../components/Card.tsx";
import { Loaded, Refused } from "../../components/Loaded.tsx";
import { LogPages } from "../../components/LogPages.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { AuditFilters } from "./AuditFilters.tsx";
import { AuditTable } from "./AuditTable.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/audit-log": typeof english;
  }
}

/** Who did what in the organization, and when. The address holds what is shown of it. */
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

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { projectAuditRow } from "../../../server/src/reports/schemas/audit-log.ts";
import { startOfDay } from "../i18n/format.ts";
import { apiPaths } from "../paths.ts";
import type { AuditFilter } from "./audit-search.ts";
import { call } from "./client.ts";

export type AuditEntry = ReturnType<typeof projectAuditRow>;

const pageSize = 50;
const dayMs = 86_400_000;

/** A page of who did what, newest first. */
export const auditLogQuery = (organizationId: number, filter: AuditFilter, page: number) =>
  queryOptions({
    queryKey: ["organization", organizationId, "audit-log", filter, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { ...parametersOf(filter), page, limit: pageSize };
      const path = apiPaths.auditLog(organizationId);
      const { data, pagination } = await call<AuditEntry[]>("GET", path, { query, signal });
      return { entries: data, pages: pagination?.totalPages ?? 1, total: pagination?.total ?? data.length };
    },
  });

/** Where the same entries are as a file, all pages of them. */
export function auditFilePath(organizationId: number, filter: AuditFilter): string {
  const given = Object.entries(parametersOf(filter)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(given);
  return `${apiPaths.auditFile(organizationId)}${query.size > 0 ? `?${query}` : ""}`;
}

/** What the filter is to the API: the last day to its end. */
const parametersOf = ({ person, action, subject, from, to }: AuditFilter) => ({
  userId: person,
  action,
  subject,
  from: from && startOfDay(from),
  to: to && startOfDay(new Date(Date.parse(to) + dayMs).toISOString().slice(0, 10)),
});

import { Type } from "typebox";
import { findOrganizationNamed } from "../account/resolve-organization.ts";
import { countAudits, listAudits } from "../store/queries/audit.ts";
import { verb } from "../verb/verb.ts";
import { AuditLogEntry, AuditLogQuery, auditFilterOf } from "../wire/audit-log.ts";
import { pageIn, pagingOf } from "../wire/page.ts";
import { auditEntries } from "./audit-entries.ts";

/** Who did what in an organization, newest first; for those who run it. Throws 404 if it is not the caller's. */
export const listAuditLog = verb({
  resource: "organization",
  action: "read",
  role: "admin",
  input: AuditLogQuery,
  output: Type.Array(AuditLogEntry),
  paged: true,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const paging = pagingOf(input);
    const filter = { organizationId: caller.organizationId, ...auditFilterOf(input) };
    const items = (await listAudits(db, filter, paging)).map(auditEntries(ctx));
    return { items, page: paging.isPaged ? pageIn(paging, await countAudits(db, filter)) : undefined };
  },
});

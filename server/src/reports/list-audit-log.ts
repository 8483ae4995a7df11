import { type Static, Type } from "typebox";
import { findOrganizationNamed } from "../platform/access/check-access.ts";
import {
  type AuditFilter,
  type AuditPosition,
  type AuditRow,
  countAudits,
  listAudits,
} from "../platform/access/queries/audit.ts";
import { findOrganization } from "../platform/access/queries/organizations.ts";
import { invalidInput, notFound } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { pageIn, pagingOf } from "../platform/operations/paging.ts";
import { describeChange } from "./describe-activity.ts";
import { createActivityIds } from "./list-recent-activity.ts";
import {
  AuditLogEntry,
  AuditLogFilter,
  AuditLogQuery,
  auditFilterOf,
  projectAuditRow,
} from "./schemas/audit-log.ts";

function auditEntries(
  ctx: Pick<Running, "secrets" | "caller">,
): (row: AuditRow) => Static<typeof AuditLogEntry> {
  const publicIdOf = createActivityIds(ctx);
  return (row) =>
    projectAuditRow(row, { id: publicIdOf({ kind: "change", id: row.id }), message: describeChange(row) });
}

/** Newest first, for admins. Throws 404 if it is not the caller's. */
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

/** A spreadsheet can hold about ten times as many rows. */
const MAX_ENTRIES = 100_000;
const ENTRIES_AT_ONCE = 500;

/**
 * As `listAuditLog`, for a file: `entries` is read while it is sent. Throws 422 for more than 100,000, and
 * 404 if the organization is not the caller's.
 */
export const exportAuditLog = verb({
  resource: "organization",
  action: "read",
  role: "admin",
  input: AuditLogFilter,
  output: Type.Object({}),
  find: findOrganizationNamed,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const filter = { organizationId: caller.organizationId, ...auditFilterOf(input) };
    const organization = await findOrganization(db, { id: caller.organizationId });
    if (!organization) throw notFound();
    if ((await countAudits(db, filter)) > MAX_ENTRIES) {
      throw invalidInput({ from: [msg("audit.many", { limit: MAX_ENTRIES })] });
    }
    return { slug: organization.slug, entries: entriesOf(ctx, filter) };
  },
});

/** Newest first: concurrent rows are newer than the first and do not shift pages. */
async function* entriesOf(ctx: Running, filter: AuditFilter): AsyncGenerator<Static<typeof AuditLogEntry>> {
  const entryOf = auditEntries(ctx);
  for (let after: AuditPosition | undefined; ; ) {
    const rows = await listAudits(ctx.db, filter, { limit: ENTRIES_AT_ONCE, after });
    for (const row of rows) yield entryOf(row);
    after = rows.at(-1);
    if (rows.length < ENTRIES_AT_ONCE) return;
  }
}

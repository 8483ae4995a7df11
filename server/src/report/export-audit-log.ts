import { type Static, Type } from "typebox";
import { findOrganizationNamed } from "../account/resolve-organization.ts";
import { invalidInput, notFound } from "../errors.ts";
import { type AuditFilter, type AuditPosition, countAudits, listAudits } from "../store/queries/audit.ts";
import { findOrganization } from "../store/queries/organizations.ts";
import { fact } from "../texts/fact.ts";
import { type Running, verb } from "../verb/verb.ts";
import { type AuditLogEntry, AuditLogFilter, auditFilterOf } from "../wire/audit-log.ts";
import { auditEntries } from "./audit-entries.ts";

/** A spreadsheet has about ten times as many rows. */
const MAX_ENTRIES = 100_000;
const ENTRIES_AT_ONCE = 500;

/**
 * All of what `listAuditLog` lists, for a file: `entries` reads them while they are sent. Throws 422 for more than
 * 100,000, and 404 if the organization is not the caller's.
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
      throw invalidInput({ from: [fact("audit.many", { limit: MAX_ENTRIES })] });
    }
    return { slug: organization.slug, entries: entriesOf(ctx, filter) };
  },
});

/** Newest first; what is written meanwhile is newer than the first and does not move the others. */
async function* entriesOf(ctx: Running, filter: AuditFilter): AsyncGenerator<Static<typeof AuditLogEntry>> {
  const entryOf = auditEntries(ctx);
  for (let after: AuditPosition | undefined; ; ) {
    const rows = await listAudits(ctx.db, filter, { limit: ENTRIES_AT_ONCE, after });
    for (const row of rows) yield entryOf(row);
    after = rows.at(-1);
    if (rows.length < ENTRIES_AT_ONCE) return;
  }
}

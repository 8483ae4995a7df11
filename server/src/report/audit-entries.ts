import type { Static } from "typebox";
import type { AuditRow } from "../store/queries/audit.ts";
import type { Running } from "../verb/verb.ts";
import { type AuditLogEntry, projectAuditRow } from "../wire/audit-log.ts";
import { createActivityIds } from "./activity-id.ts";
import { describeChange } from "./describe-activity.ts";

/** What turns rows of the log into its entries: each with a sentence, and the id that clients know it by. */
export function auditEntries(
  ctx: Pick<Running, "secrets" | "caller">,
): (row: AuditRow) => Static<typeof AuditLogEntry> {
  const publicIdOf = createActivityIds(ctx);
  return (row) =>
    projectAuditRow(row, { id: publicIdOf({ kind: "change", id: row.id }), message: describeChange(row) });
}

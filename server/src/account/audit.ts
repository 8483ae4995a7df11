import type { Context } from "../context.ts";
import { type AuditEntry, insertAudits } from "../store/queries/audit.ts";
import type { Caller } from "./caller.ts";

/** Who did it, from where, and in whose log it is recorded (`trail`'s, else their own organization's). */
type Author = Pick<Caller, "userId" | "organizationId" | "apiKeyId" | "requestId" | "address" | "trail">;

/** What was done, and to what. `subject`: its name at that time; null if it has none. */
type Deed = Pick<AuditEntry, "action" | "resource" | "resourceId" | "subject">;

/** Builds a row of the audit log; nothing else does. */
export function auditEntry(author: Author, { action, resource, resourceId, subject }: Deed): AuditEntry {
  const { userId, apiKeyId, requestId, address } = author;
  const { organizationId } = author.trail ?? author;
  return { organizationId, userId, apiKeyId, action, resource, resourceId, subject, requestId, address };
}

/**
 * Records a write that has been committed. A failure to record must not make it look undone, so it is logged, not
 * thrown. Bulk changes (monitor/change-monitors.ts) record theirs within their transaction instead; the other verbs do
 * not yet.
 */
export async function recordAudit(ctx: Context, entry: AuditEntry): Promise<void> {
  try {
    await insertAudits(ctx.store.db, [entry], ctx.clock.now());
  } catch (error) {
    ctx.log.error({ err: error, audit: entry }, "a write could not be recorded in the audit log");
  }
}

import type { Context } from "../context.ts";
import { type AuditEntry, insertAudits } from "../store/queries/audit.ts";
import type { Caller } from "./caller.ts";

/** Who did it, from where, and whose log tells of it (`trail`, else their own organization's). */
type Author = Pick<Caller, "userId" | "organizationId" | "apiKeyId" | "requestId" | "address" | "trail">;

/** What was done to what. `subject`: what that was called then; null where it has no name. */
type Deed = Pick<AuditEntry, "action" | "resource" | "resourceId" | "subject">;

/** A row of the audit log: the only place where one is put together. */
export function auditEntry(author: Author, { action, resource, resourceId, subject }: Deed): AuditEntry {
  const { userId, apiKeyId, requestId, address } = author;
  const { organizationId } = author.trail ?? author;
  return { organizationId, userId, apiKeyId, action, resource, resourceId, subject, requestId, address };
}

/**
 * Records a write that has happened. A failure to record must not make a done thing look undone, so it is
 * logged and not thrown. Bulk changes (monitor/change-domains.ts) record theirs within their transaction
 * instead; that every verb does so is still to come.
 */
export async function recordAudit(ctx: Context, entry: AuditEntry): Promise<void> {
  try {
    await insertAudits(ctx.store.db, [entry], ctx.clock.now());
  } catch (error) {
    ctx.log.error({ err: error, audit: entry }, "a write could not be recorded in the audit log");
  }
}

import type { Context } from "../context.ts";
import { type AuditEntry, insertAudits } from "../store/queries/audit.ts";

/**
 * Records a write that has happened. A failure to record must not make a done thing look undone, so
 * it is logged and not thrown.
 */
export async function recordAudit(ctx: Context, entry: AuditEntry): Promise<void> {
  const { organizationId, userId, apiKeyId, action, resource, resourceId, subject, requestId, address } =
    entry;
  const row = { organizationId, userId, apiKeyId, action, resource, resourceId, subject, requestId, address };
  try {
    await insertAudits(ctx.store.db, [row], ctx.clock.now());
  } catch (error) {
    ctx.log.error({ err: error, audit: row }, "a write could not be recorded in the audit log");
  }
}

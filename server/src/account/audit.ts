import type { Context } from "../context.ts";
import { type AuditEntry, insertAudits } from "../store/queries/audit.ts";
import type { AuditAction } from "./audit-actions.ts";
import type { Caller, Visitor } from "./caller.ts";
import type { Resource } from "./scopes.ts";

/** What was changed, as a verb says it. */
export interface Subject {
  id?: string | number | null;
  /** What it was called at that time. */
  name?: string | null;
  /** Default: the verb's. */
  action?: AuditAction;
  /** Whose log it goes to, and who did it: where that is not the caller, in the organization where they act. */
  organizationId?: number;
  userId?: number;
}

/** The row about it in the audit log. */
export function auditRow(
  { caller, visitor }: { caller?: Caller; visitor?: Visitor },
  verb: { resource: Resource | null; audit?: AuditAction | null },
  { id = null, name = null, action = verb.audit ?? undefined, ...more }: Subject,
): AuditEntry {
  const { requestId = "", address = "" } = caller ?? visitor ?? {};
  const organizationId = more.organizationId ?? caller?.organizationId;
  if (!action || organizationId === undefined) throw new Error("An audit row says what was done, and where.");
  return {
    organizationId,
    userId: more.userId ?? caller?.userId ?? null,
    apiKeyId: caller?.apiKeyId ?? null,
    action,
    resource: verb.resource ?? "account",
    resourceId: id === null ? null : String(id),
    subject: name,
    requestId,
    address,
  };
}

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

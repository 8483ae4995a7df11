import type { AuditAction } from "./audit-actions.ts";
import type { AnonymousClient, Caller } from "./caller.ts";
import type { AuditEntry } from "./queries/audit.ts";
import type { Resource } from "./scopes.ts";

export interface Subject {
  id?: string | number | null;
  /** What it was called at that time. */
  name?: string | null;
  before?: string;
  after?: string;
  /** Default: the verb's. */
  action?: AuditAction;
  /** Whose log it goes to, and who did it: where that is not the caller, in the organization where they act. */
  organizationId?: number;
  userId?: number;
}

/** The row about it in the audit log; nothing else makes one. */
export function auditRow(
  { caller, visitor }: { caller?: Caller; visitor?: AnonymousClient },
  verb: { resource: Resource | null; audit?: AuditAction | null },
  { id = null, name = null, before, after, action = verb.audit ?? undefined, ...more }: Subject,
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
    before: before ?? null,
    after: after ?? null,
    requestId,
    address,
  };
}

import type { AuditAction } from "../../account/audit-actions.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";

export interface AuditEntry {
  organizationId: number;
  userId: number | null;
  apiKeyId: number | null;
  action: AuditAction;
  resource: string;
  resourceId: string | null;
  /** What it was called at that time; null where it has no name. */
  subject: string | null;
  requestId: string;
  address: string;
}

/** One row for each thing that was changed: who did what, from where. */
export async function insertAudits(db: Db, entries: readonly AuditEntry[], now: number): Promise<void> {
  await insertMany(
    db,
    "audit_log",
    entries.map((entry) => ({
      organization_id: entry.organizationId,
      user_id: entry.userId,
      api_key_id: entry.apiKeyId,
      action: entry.action,
      resource: entry.resource,
      resource_id: entry.resourceId,
      subject: entry.subject,
      request_id: entry.requestId,
      address: entry.address,
      at: now,
    })),
  );
}

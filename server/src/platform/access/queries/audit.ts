import { type SqlBool, sql } from "kysely";
import { insertMany } from "../../database/bulk.ts";
import type { Db } from "../../database/schema.ts";
import { isPostgres, type ListPart, positionIn } from "../../database/sql.ts";
import type { AuditAction } from "../audit-actions.ts";

export interface AuditEntry {
  organizationId: number;
  userId: number | null;
  apiKeyId: number | null;
  action: AuditAction;
  resource: string;
  resourceId: string | null;
  /** What it was called at that time; null where it has no name. */
  subject: string | null;
  /** What was changed from and to, such as a role; null where there is no such thing. */
  before: string | null;
  after: string | null;
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
      before: entry.before,
      after: entry.after,
      request_id: entry.requestId,
      address: entry.address,
      at: now,
    })),
  );
}

export interface AuditFilter {
  organizationId: number;
  action?: string | undefined;
  userId?: number | undefined;
  /** Part of what the subject was called then, A to Z in any case. */
  subject?: string | undefined;
  /** Milliseconds; `to` itself is left out. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Where a list goes on: after this row. */
export type AuditPosition = Pick<AuditRow, "at" | "id">;

export interface AuditRow {
  id: number;
  at: number;
  action: string;
  resource: string;
  resourceId: string | null;
  subject: string | null;
  before: string | null;
  after: string | null;
  userId: number | null;
  userName: string | null;
  userEmail: string | null;
  apiKeyId: number | null;
  apiKeyName: string | null;
  address: string;
  requestId: string;
}

export async function listAudits(
  db: Db,
  filter: AuditFilter,
  {
    limit,
    offset = 0,
    way = "desc",
    after,
  }: { limit: number; offset?: number; way?: ListPart["way"]; after?: AuditPosition | undefined },
): Promise<AuditRow[]> {
  return filtered(db, filter)
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(audit_log.at, audit_log.id) < (${after?.at}, ${after?.id})`),
    )
    .leftJoin("users", "users.id", "audit_log.user_id")
    .leftJoin("api_keys", "api_keys.id", "audit_log.api_key_id")
    .select([
      "audit_log.id",
      "audit_log.at",
      "audit_log.action",
      "audit_log.resource",
      "audit_log.resource_id as resourceId",
      "audit_log.subject",
      "audit_log.before",
      "audit_log.after",
      "audit_log.user_id as userId",
      "users.name as userName",
      "users.email as userEmail",
      "audit_log.api_key_id as apiKeyId",
      "api_keys.name as apiKeyName",
      "audit_log.address",
      "audit_log.request_id as requestId",
    ])
    .orderBy("audit_log.at", way)
    .orderBy("audit_log.id", way)
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countAudits(db: Db, filter: AuditFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select((select) => select.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function filtered(db: Db, { organizationId, action, userId, subject, from, to }: AuditFilter) {
  let query = db.selectFrom("audit_log").where("audit_log.organization_id", "=", organizationId);
  if (action !== undefined) query = query.where("audit_log.action", "=", action);
  if (userId !== undefined) query = query.where("audit_log.user_id", "=", userId);
  if (subject) {
    // On both engines A to Z only: what else has two cases depends on where PostgreSQL runs.
    const folded = sql<string>`lower(audit_log.subject ${isPostgres(db) ? sql`collate "C"` : sql``})`;
    query = query.where(sql<SqlBool>`${positionIn(db, folded, lowerCase(subject))} > 0`);
  }
  if (from !== undefined) query = query.where("audit_log.at", ">=", from);
  if (to !== undefined) query = query.where("audit_log.at", "<", to);
  return query;
}

const lowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

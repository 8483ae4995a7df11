import type { FastifyRequest } from "fastify";
import { auditEntry, recordAudit } from "../account/audit.ts";
import { type AuditAction, isAuditAction } from "../account/audit-actions.ts";
import type { CallerContext, Context } from "../context.ts";
import type { RouteFacts } from "./route.ts";

const VERBS = { POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" } as const;

/** What is recorded of a route's writes, null for nothing. Throws, at the start, for an action that has no sentence. */
export function auditActionOf({
  method,
  url,
  family,
  resource,
  audit,
  callsVerb,
}: RouteFacts): AuditAction | null {
  if (method === "GET" || audit === null || family === "public" || callsVerb) return null;
  const action = audit ?? `${VERBS[method]} ${resource}`;
  if (isAuditAction(action)) return action;
  throw new Error(`${method} ${url}: "${action}" is not among the AUDIT_ACTIONS (account/audit-actions.ts).`);
}

/** Records what a request has written, under the name and id that its result or its path gives. */
export async function auditWrite(
  ctx: Context & Partial<CallerContext>,
  { action, resource }: { action: AuditAction | null; resource: string | null },
  request: FastifyRequest,
  result: { data?: unknown; auditId?: string | number; auditName?: string },
): Promise<void> {
  if (action === null || !ctx.caller) return;
  const params = request.params as Record<string, string>;
  const data = result.data as { id?: string | number; name?: string } | null | undefined;
  const resourceId = String(result.auditId ?? data?.id ?? params.id ?? params.uuid ?? "") || null;
  const subject = result.auditName ?? data?.name ?? null;
  await recordAudit(
    ctx,
    auditEntry(ctx.caller, { action, resource: resource ?? "account", resourceId, subject }),
  );
}

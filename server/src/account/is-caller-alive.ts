import type { CallerContext } from "../context.ts";
import { isKeyAlive } from "../store/queries/api-keys.ts";
import { findOrganizationOf } from "../store/queries/organizations.ts";
import { isSessionAlive } from "../store/queries/sessions.ts";
import { SESSION_IDLE_MS } from "./authenticate-session.ts";

/**
 * Whether the key or session of a long-lived request still exists, and its person still has the role and plan in the
 * organization with which it was let in.
 */
export async function isCallerAlive(ctx: CallerContext): Promise<boolean> {
  const { apiKeyId, sessionId, userId, organizationId, role, plan } = ctx.caller;
  const { db } = ctx.store;
  const now = ctx.clock.now();
  if (apiKeyId !== null && !(await isKeyAlive(db, apiKeyId, now))) return false;
  if (sessionId !== null && !(await isSessionAlive(db, sessionId, now - SESSION_IDLE_MS))) return false;
  const organization = await findOrganizationOf(db, userId, { id: organizationId });
  return organization?.role === role && organization.plan === plan;
}

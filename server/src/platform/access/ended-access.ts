import type { CallerContext } from "../context.ts";
import { appendEvents, INTERNAL_ORGANIZATION } from "../database/events.ts";
import type { Running } from "../operations/operation.ts";
import { SESSION_IDLE_MS } from "./authenticate-session.ts";
import { isKeyAlive } from "./queries/api-keys.ts";
import { findOrganizationOf } from "./queries/organizations.ts";
import { isSessionAlive } from "./queries/sessions.ts";

/** Whose access has ended, or is no longer what it was when they were let in. */
export type EndedAccess =
  | { of: "key"; apiKeyId: number }
  | { of: "session"; sessionId: number }
  /** All of a person's sessions but one. */
  | { of: "sessions"; userId: number; exceptId: number | null }
  /** A person in one organization: they left it, or have another role. */
  | { of: "member"; userId: number; organizationId: number }
  /** Everybody in an organization: its plan changed. */
  | { of: "organization"; organizationId: number };

/** Notifies every server that access has ended, which at once ends what relies on it (live streams). */
export function endAccess(ctx: Pick<Running, "db" | "clock" | "live" | "after">, ended: EndedAccess): void {
  const event = { organizationId: INTERNAL_ORGANIZATION, type: "access.ended", payload: ended } as const;
  appendEvents(ctx.db, [event], ctx.clock.now());
  ctx.after(() => ctx.live.wake());
}

export interface LastingAccess {
  userId: number;
  apiKeyId: number | null;
  sessionId: number | null;
  /** The organizations whose rights it relies on: that of the key or session, and the one being viewed. */
  organizationIds: readonly number[];
}

export function concerns(ended: EndedAccess, access: LastingAccess): boolean {
  switch (ended.of) {
    case "key":
      return access.apiKeyId === ended.apiKeyId;
    case "session":
      return access.sessionId === ended.sessionId;
    case "sessions":
      return (
        access.userId === ended.userId && access.sessionId !== null && access.sessionId !== ended.exceptId
      );
    case "member":
      return access.userId === ended.userId && access.organizationIds.includes(ended.organizationId);
    case "organization":
      return access.organizationIds.includes(ended.organizationId);
  }
}

/** Whether key or session still exist, and role and plan are those with which the request was let in. */
export async function isCallerAlive(ctx: CallerContext): Promise<boolean> {
  const { apiKeyId, sessionId, userId, organizationId, role, plan } = ctx.caller;
  const { db } = ctx.store;
  const now = ctx.clock.now();
  if (apiKeyId !== null && !(await isKeyAlive(db, apiKeyId, now))) return false;
  if (sessionId !== null && !(await isSessionAlive(db, sessionId, now - SESSION_IDLE_MS))) return false;
  const organization = await findOrganizationOf(db, userId, { id: organizationId });
  return organization?.role === role && organization.plan === plan;
}

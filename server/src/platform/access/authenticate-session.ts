import type { Context } from "../context.ts";
import { SESSION_IDLE_DAYS } from "../database/tables/accounts.ts";
import type { Caller } from "./caller.ts";
import { findSessionHolder, rotateSession, touchSession } from "./queries/sessions.ts";
import { hashToken, randomToken } from "./random-tokens.ts";

export const SESSION_IDLE_MS = SESSION_IDLE_DAYS * 86_400_000;
const ROTATE_AFTER_MS = 86_400_000;
/** Requests sent before the new cookie arrived still carry the old one. */
const PREVIOUS_GRACE_MS = 60_000;
/** A session's last use is written at most this often. */
const TOUCH_INTERVAL_MS = 60_000;

interface SessionCaller {
  caller: Caller;
  /** Set when the session got a new token, which the cookie must now carry. */
  newToken: string | null;
}

/** Null: unknown, idle for 30 days, or the membership ended. The token rotates daily; a copy dies a minute later. */
export async function authenticateSession(
  ctx: Context,
  token: string,
  request: { id: string; address: string },
): Promise<SessionCaller | null> {
  const tokenHash = hashToken(token);
  const holder = await findSessionHolder(ctx.store.db, tokenHash);
  const now = ctx.clock.now();
  if (!holder || now - holder.seenAt > SESSION_IDLE_MS) return null;
  if (holder.previous && now - holder.rotatedAt > PREVIOUS_GRACE_MS) return null;
  let newToken: string | null = null;
  if (!holder.previous && now - holder.rotatedAt >= ROTATE_AFTER_MS) {
    const fresh = randomToken();
    const hashes = { from: tokenHash, to: hashToken(fresh) };
    if (await rotateSession(ctx.store.db, holder.id, hashes, now)) newToken = fresh;
  } else if (now - holder.seenAt >= TOUCH_INTERVAL_MS) {
    await touchSession(ctx.store.db, holder.id, now);
  }
  const caller: Caller = {
    kind: "session",
    userId: holder.userId,
    organizationId: holder.organizationId,
    apiKeyId: null,
    keyExpiresAt: null,
    sessionId: holder.id,
    allOrganizations: true,
    role: holder.role,
    scopes: ["*:*"],
    plan: holder.plan,
    reports: holder.reports,
    requestId: request.id,
    address: request.address,
  };
  return { caller, newToken };
}

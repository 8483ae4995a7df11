import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { deleteOtherSessions, deleteSession } from "../store/queries/sessions.ts";
import { recordEndedAccess } from "./ended-access.ts";

/** Ends one of the caller's sessions. Throws 404 for an unknown one. */
export async function endSession(ctx: CallerContext, input: { id: number }): Promise<void> {
  const { userId } = ctx.caller;
  await ctx.store.transaction(async (trx) => {
    if (!(await deleteSession(trx, userId, input.id))) throw notFound();
    recordEndedAccess(trx, { of: "session", sessionId: input.id }, ctx.clock.now());
  });
  ctx.live.wake();
}

/** Ends all of the caller's sessions but the present one. */
export async function endOtherSessions(ctx: CallerContext): Promise<void> {
  await ctx.store.transaction((trx) => dropOtherSessions(ctx, trx));
  ctx.live.wake();
}

/** The same as the last part of another verb's transaction; call `ctx.live.wake()` after it commits. */
export async function dropOtherSessions(ctx: CallerContext, trx: Db): Promise<void> {
  const { userId, sessionId } = ctx.caller;
  await deleteOtherSessions(trx, userId, sessionId);
  recordEndedAccess(trx, { of: "sessions", userId, keptId: sessionId }, ctx.clock.now());
}

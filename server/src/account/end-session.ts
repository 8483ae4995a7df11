import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { deleteOtherSessions, deleteSession } from "../store/queries/sessions.ts";

/** Ends one of the caller's sessions. Throws 404 for an unknown one. */
export async function endSession(ctx: CallerContext, input: { id: number }): Promise<void> {
  if (!(await deleteSession(ctx.store.db, ctx.caller.userId, input.id))) throw notFound();
}

/** Ends all of the caller's sessions but the present one. */
export const endOtherSessions = (ctx: CallerContext): Promise<void> =>
  deleteOtherSessions(ctx.store.db, ctx.caller.userId, ctx.caller.sessionId);

import type { Context } from "../context.ts";
import { deleteSession, findSessionHolder } from "../store/queries/sessions.ts";
import { recordEndedAccess } from "./ended-access.ts";
import { hashToken } from "./token.ts";

/** Ends the session of a cookie; does nothing when it has ended already. */
export async function signOut(ctx: Context, input: { token: string }): Promise<void> {
  const session = await findSessionHolder(ctx.store.db, hashToken(input.token));
  if (!session) return;
  await ctx.store.transaction(async (trx) => {
    await deleteSession(trx, session.userId, session.id);
    recordEndedAccess(trx, { of: "session", sessionId: session.id }, ctx.clock.now());
  });
  ctx.live.wake();
}

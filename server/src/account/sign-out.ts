import type { Context } from "../context.ts";
import { deleteSession, findSessionHolder } from "../store/queries/sessions.ts";
import { hashToken } from "./token.ts";

/** Ends the session of a cookie; does nothing when it has ended already. */
export async function signOut(ctx: Context, input: { token: string }): Promise<void> {
  const session = await findSessionHolder(ctx.store.db, hashToken(input.token));
  if (session) await deleteSession(ctx.store.db, session.userId, session.id);
}

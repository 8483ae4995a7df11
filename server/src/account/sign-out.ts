import { Type } from "typebox";
import { deleteSession, findSessionHolder } from "../store/queries/sessions.ts";
import { type Running, verb } from "../verb/verb.ts";
import { endAccess } from "./ended-access.ts";
import { hashToken } from "./token.ts";

/** Ends the session that the visitor comes with; does nothing when it has ended already. */
export const signOut = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: null,
  input: Type.Object({}),
  output: Type.Object({}),
  async run(ctx) {
    await dropSession(ctx);
    return {};
  },
});

/** The same within another verb. */
export async function dropSession(ctx: Running<"anyone">): Promise<void> {
  const { token } = ctx.visitor;
  const session = token && (await findSessionHolder(ctx.db, hashToken(token)));
  if (!session) return;
  await deleteSession(ctx.db, session.userId, session.id);
  endAccess(ctx, { of: "session", sessionId: session.id });
}

import { Type } from "typebox";
import { SESSION_IDLE_MS } from "../platform/access/authenticate-session.ts";
import { endAccess } from "../platform/access/ended-access.ts";
import {
  deleteOtherSessions,
  deleteSession,
  findSessionHolder,
  listSessions as querySessions,
} from "../platform/access/queries/sessions.ts";
import { hashToken } from "../platform/access/random-tokens.ts";
import { notFound } from "../platform/errors.ts";
import { Deleted, IdParams, parseId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { AuthSession, projectSession } from "./schemas/auth.ts";

/** Does nothing when the session has ended already. */
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

export async function dropSession(ctx: Running<"anyone">): Promise<void> {
  const { token } = ctx.visitor;
  const session = token && (await findSessionHolder(ctx.db, hashToken(token)));
  if (!session) return;
  await deleteSession(ctx.db, session.userId, session.id);
  endAccess(ctx, { of: "session", sessionId: session.id });
}

const own = { resource: null, by: "session" } as const;

/** Latest first. */
export const listSessions = verb({
  ...own,
  action: "read",
  input: Type.Object({}),
  output: Type.Array(AuthSession),
  async run({ db, caller, clock }) {
    const sessions = await querySessions(db, caller.userId, clock.now() - SESSION_IDLE_MS);
    return sessions.map((session) => projectSession(session, caller.sessionId));
  },
});

/** Throws 404 for an unknown one. */
export const endSession = verb({
  ...own,
  action: "write",
  audit: "end session",
  input: IdParams,
  output: Deleted,
  async run(ctx, input) {
    const key = parseId(input.id);
    if (!("id" in key) || !(await deleteSession(ctx.db, ctx.caller.userId, key.id))) throw notFound();
    endAccess(ctx, { of: "session", sessionId: key.id });
    return key;
  },
});

export const endOtherSessions = verb({
  ...own,
  action: "write",
  audit: "end other sessions",
  input: Type.Object({}),
  output: Type.Object({}),
  async run(ctx) {
    await dropOtherSessions(ctx);
    return {};
  },
});

export async function dropOtherSessions(ctx: Running): Promise<void> {
  const { userId, sessionId } = ctx.caller;
  await deleteOtherSessions(ctx.db, userId, sessionId);
  endAccess(ctx, { of: "sessions", userId, exceptId: sessionId });
}

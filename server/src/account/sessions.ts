import { Type } from "typebox";
import { notFound } from "../errors.ts";
import {
  deleteOtherSessions,
  deleteSession,
  listSessions as querySessions,
} from "../store/queries/sessions.ts";
import { type Running, verb } from "../verb/verb.ts";
import { AuthSession, projectSession } from "../wire/auth.ts";
import { Deleted, IdParams, parseId } from "../wire/field.ts";
import { SESSION_IDLE_MS } from "./authenticate-session.ts";
import { endAccess } from "./ended-access.ts";

const own = { resource: null, by: "session" } as const;

/** Where the caller is signed in, the latest first. */
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

/** Ends one of the caller's sessions. Throws 404 for an unknown one. */
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

/** Ends all of the caller's sessions but the present one. */
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

/** The same as the last part of another verb. */
export async function dropOtherSessions(ctx: Running): Promise<void> {
  const { userId, sessionId } = ctx.caller;
  await deleteOtherSessions(ctx.db, userId, sessionId);
  endAccess(ctx, { of: "sessions", userId, keptId: sessionId });
}

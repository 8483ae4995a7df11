import { Type } from "typebox";
import { SESSION_IDLE_MS } from "../platform/access/authenticate-token.ts";
import {
  deleteOtherSessions,
  deleteSession,
  findSessionHolder,
  listSessions as querySessions,
} from "../platform/access/queries/sessions.ts";
import { hashToken } from "../platform/access/token.ts";
import { appendEvents, INTERNAL_ORGANIZATION } from "../platform/database/events.ts";
import { notFound } from "../platform/errors.ts";
import { Deleted, IdParams, parseId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { AuthSession, projectSession } from "./schemas/auth.ts";

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

/** Tells every server that access has ended, which at once ends what relies on it (live streams); part of a verb. */
export function endAccess(ctx: Pick<Running, "db" | "clock" | "live" | "after">, ended: EndedAccess): void {
  const event = { organizationId: INTERNAL_ORGANIZATION, type: "access.ended", payload: ended } as const;
  appendEvents(ctx.db, [event], ctx.clock.now());
  ctx.after(() => ctx.live.wake());
}

/** Whose access a long-lived request relies on. */
export interface LastingAccess {
  userId: number;
  apiKeyId: number | null;
  sessionId: number | null;
  /** The organizations whose rights it relies on: that of the key or session, and the one being viewed. */
  organizationIds: readonly number[];
}

/** Whether this access is among what has ended. */
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
  endAccess(ctx, { of: "sessions", userId, exceptId: sessionId });
}

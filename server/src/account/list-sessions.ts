import type { CallerContext } from "../context.ts";
import { listSessions as querySessions, type Session } from "../store/queries/sessions.ts";
import { SESSION_IDLE_MS } from "./authenticate-session.ts";

/** Where the caller is signed in, the latest first. */
export const listSessions = (ctx: CallerContext): Promise<Session[]> =>
  querySessions(ctx.store.db, ctx.caller.userId, ctx.clock.now() - SESSION_IDLE_MS);

import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { endOtherSessions, endSession } from "../../account/end-session.ts";
import { listSessions } from "../../account/list-sessions.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { AuthSession, projectSession } from "../../wire/auth.ts";
import { Deleted, IdParams, parseId } from "../../wire/id.ts";
import { defineRoute } from "../define-route.ts";

const person = { family: "legacy", tag: "auth", resource: null, by: "session" } as const;

/** Where a person is signed in. */
export function registerSessions(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...person,
    method: "GET",
    url: "/api/auth/sessions",
    summary: "Where you are signed in",
    description:
      "All of your sessions, each with its address, browser and times; `current` marks the one that makes this request.",
    response: Type.Array(AuthSession),
    async handler(own) {
      const sessions = await listSessions(own);
      return { data: sessions.map((session) => projectSession(session, own.caller.sessionId)) };
    },
  });
  defineRoute(app, ctx, {
    ...person,
    method: "DELETE",
    url: "/api/auth/sessions/:id",
    audit: "end session",
    summary: "End one of your sessions",
    description: "Whoever uses it has to sign in again. Ending the current session signs you out.",
    params: IdParams,
    response: Deleted,
    async handler(own, { params }) {
      const key = parseId(params.id);
      if (!("id" in key)) throw notFound();
      await endSession(own, key);
      return { data: key, message: "Session ended." };
    },
  });
  defineRoute(app, ctx, {
    ...person,
    method: "DELETE",
    url: "/api/auth/sessions",
    audit: "end other sessions",
    summary: "End all of your sessions but this one",
    description: "Signs you out everywhere else. API keys stay as they are.",
    response: Type.Object({}),
    async handler(own) {
      await endOtherSessions(own);
      return { data: {}, message: "Other sessions ended." };
    },
  });
}

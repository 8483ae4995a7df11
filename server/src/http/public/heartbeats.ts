import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { tellHeartbeat } from "../../monitor/tell-heartbeat.ts";
import { defineRoute } from "../define-route.ts";
import { routeOf } from "../listing.ts";

/** Many jobs may be behind one address. */
const LIMIT = { group: "heartbeats", perMinute: 1200 };

/** Where jobs say that they have run. What they send along is not read, whatever it is. */
export async function registerHeartbeats(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    for (const method of ["GET", "POST"] as const) {
      const route = routeOf({
        verb: tellHeartbeat,
        method,
        url: "/api/heartbeats/:id/:token",
        limit: LIMIT,
        summary: `Send a heartbeat by ${method === "GET" ? "GET or HEAD" : method}`,
        description:
          "For services of protocol heartbeat. Every request counts as one check that passed; a body is not read. Answers 503 with Retry-After while heartbeats cannot be stored.",
        failures: [404],
      });
      defineRoute(scope, ctx, { ...route, family: "public" });
    }
  });
}

import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { tellHeartbeat } from "../../monitor/tell-heartbeat.ts";
import { Timestamp, timestamp } from "../../wire/field.ts";
import { IdText, parseId } from "../../wire/id.ts";
import { defineRoute } from "../define-route.ts";

const HeartbeatParams = Type.Object({
  id: IdText,
  token: Type.String({
    description: "The service's `protocolConfig.token`; whoever has it can send heartbeats.",
  }),
});

const Heartbeat = Type.Object(
  {
    receivedAt: Timestamp,
    counted: Type.Boolean({ description: "False while the service is paused." }),
  },
  { title: "Heartbeat" },
);

/** Many jobs may be behind one address. */
const LIMIT = { group: "heartbeats", perMinute: 1200 };

/** Where jobs say that they have run. What they send along is not read, whatever it is. */
export async function registerHeartbeats(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    for (const method of ["GET", "POST"] as const) {
      defineRoute(scope, ctx, {
        method,
        url: "/api/heartbeats/:id/:token",
        family: "public",
        resource: null,
        limit: LIMIT,
        summary: `Send a heartbeat by ${method === "GET" ? "GET or HEAD" : method}`,
        description:
          "For services of protocol heartbeat. Every request counts as one check that passed; a body is not read. Answers 503 with Retry-After while heartbeats cannot be stored.",
        failures: [404],
        params: HeartbeatParams,
        response: Heartbeat,
        async handler(own, { params, raw }) {
          const heard = await tellHeartbeat(own, {
            ref: parseId(params.id),
            token: params.token,
            address: raw.ip,
          });
          return { data: { ...heard, receivedAt: timestamp(heard.receivedAt) } };
        },
      });
    }
  });
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../platform/context.ts";
import { readBeginning } from "../../platform/http/body/read-body.ts";
import { defineRoute } from "../../platform/http/define-route.ts";
import { routeOf } from "../../platform/http/listing.ts";
import { anySiteMay } from "../../platform/http/security-headers.ts";
import { heartbeatMessage, MAX_MESSAGE_BYTES, receiveHeartbeat } from "../heartbeats.ts";
import { HeartbeatInput } from "../schemas/services.ts";

/** Many jobs may be behind one address. */
const LIMIT = { group: "heartbeats", perMinute: 1200 };
const ADDRESS = "/api/heartbeats/:id/:token";
const Query = Type.Object({ rid: HeartbeatInput.properties.rid });

const WORDS = {
  [ADDRESS]: {
    summary: "Send a heartbeat",
    description:
      "For services of protocol heartbeat: the job has run, which counts as one check that passed. What a POST sends along, up to 10 kB of text, is stored as the message of this heartbeat. Answers 503 with Retry-After while heartbeats cannot be stored.",
  },
  [`${ADDRESS}/:signal`]: {
    summary: "Say that a job starts, has failed, or how it ended",
    description:
      "`start`: a run begins; how long it takes is measured, and it is late once it has taken longer than `maxRuntime`. `fail`, or an exit code of 1 to 255: it failed, which counts as one check that failed. 0: it ended well. `log`: only what is sent along is stored. What a POST sends along, up to 10 kB of text, is stored as the message.",
  },
};

/** A job may be a script on a web page: anyone who knows the address may send heartbeats, and no cookie counts here. */
const FOR_ANY_SITE = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

/** Where jobs say how they are doing, with whatever they send along. */
export async function registerHeartbeats(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    // Refusals too, so that a script can read why: also of what comes before this scope's own hooks.
    scope.addHook("onSend", async (_request, reply) => void reply.headers(FOR_ANY_SITE));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request: FastifyRequest) => readBeginning(request, MAX_MESSAGE_BYTES));
    for (const [url, { summary, description }] of Object.entries(WORDS)) {
      scope.options(url, { schema: { hide: true } as never }, async (_request, reply) =>
        reply.status(204).headers(anySiteMay("GET, HEAD, POST")).send(),
      );
      for (const method of ["GET", "POST"] as const) {
        const by = method === "GET" ? "GET or HEAD" : method;
        const words = { summary: `${summary}, by ${by}`, description, failures: [404] };
        const route = routeOf({ verb: receiveHeartbeat, method, url, limit: LIMIT, ...words });
        const { body: _, handler, ...rest } = route;
        defineRoute(scope, ctx, {
          ...rest,
          family: "public",
          querystring: Query,
          handler(own, request, reply) {
            const signal = { ...(request.query as object), ...messageOf(request.body) };
            return handler(own, { ...request, query: signal, body: signal }, reply);
          },
        });
      }
    }
  });
}

function messageOf(body: unknown): { message?: string; cut?: boolean } {
  const message = body instanceof Uint8Array ? heartbeatMessage(body) : null;
  return message ? { message: message.text, cut: message.isCut } : {};
}

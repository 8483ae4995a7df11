import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { heartbeatMessage, MAX_MESSAGE_BYTES, receiveHeartbeat } from "../../monitors/heartbeats.ts";
import { HeartbeatInput } from "../../monitors/schemas/services.ts";
import type { Context } from "../../platform/context.ts";
import { readMeta } from "../../platform/database/installation.ts";
import { readBeginning } from "../../platform/http/body/read-body.ts";
import { defineRawRoute, defineRoute } from "../../platform/http/define-route.ts";
import { routeOf } from "../../platform/http/listing.ts";
import { oneOf, Timestamp, timestamp } from "../../platform/operations/field.ts";
import { anySiteMay } from "../../status-pages/http/front.ts";

const Health = Type.Object(
  {
    status: oneOf(["ok", "unavailable"]),
    timestamp: Timestamp,
    store: Type.Optional(oneOf(["ok", "unavailable"])),
    engine: Type.Optional(oneOf(["ok", "unavailable"], { description: "Whether checks are being run." })),
    clock: Type.Optional(
      oneOf(["ok", "doubtful"], {
        description:
          "doubtful: it is more than a day away from where it can be. Until it is corrected, no history is removed and no notifications about certificates are sent.",
      }),
    ),
  },
  { title: "Health" },
);
const READY_LIMIT_MS = 2_000;

/** Liveness for a supervisor; with `ready=1`, readiness for a load balancer. */
export function registerHealth(app: FastifyInstance, ctx: Context): void {
  defineRawRoute(app, ctx, {
    method: "GET",
    url: "/api/health",
    aliases: ["/v2/health"],
    family: "public",
    resource: null,
    tag: "health",
    limit: null,
    summary: "Whether the server is alive; with ready=1, whether store and engine work",
    description: "Of readiness 503 when something is not ready.",
    querystring: Type.Object({
      ready: Type.Optional(oneOf(["0", "1"], { description: "1: also look at the store and the engine." })),
    }),
    content: { "application/json": Health },
    answers: { 503: Health },
    async handler(own, { query }, reply) {
      const now = timestamp(own.clock.now());
      if (query.ready !== "1") return { status: "ok", timestamp: now };
      const store = await isStoreReady(own);
      const { ticking: engine, isClockTrusted } = own.engine.health();
      const ready = store && engine;
      reply.status(ready ? 200 : 503);
      const clock = isClockTrusted ? "ok" : "doubtful";
      return { status: word(ready), timestamp: now, store: word(store), engine: word(engine), clock };
    },
  });
}

const word = (fine: boolean): "ok" | "unavailable" => (fine ? "ok" : "unavailable");

async function isStoreReady(ctx: Context): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, READY_LIMIT_MS, false);
  readMeta(ctx.store.db, "any").then(
    () => resolve(true),
    () => resolve(false),
  );
  return promise.finally(() => clearTimeout(timer));
}

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

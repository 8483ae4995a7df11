import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../platform/context.ts";
import { readMeta } from "../../platform/database/installation.ts";
import { defineRawRoute } from "../../platform/http/define-route.ts";
import { oneOf, Timestamp, timestamp } from "../../platform/operations/field.ts";

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

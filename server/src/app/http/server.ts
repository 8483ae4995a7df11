import { getIconImage } from "../../monitors/find-icon.ts";
import { sendMessage } from "../../status-pages/http/html-pages.ts";
import "../../platform/http/types.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import net from "node:net";
import { join } from "node:path";
import { constants as zlib } from "node:zlib";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import pino from "pino";
import { Type } from "typebox";
import { registerMcp } from "../../assistant/mcp/routes.ts";
import { receiveDeploymentWebhook } from "../../integrations/deployments/receive-webhook.ts";
import { registerAgentDownloads, registerAgents } from "../../monitors/routes/agents.ts";
import { registerHeartbeats } from "../../monitors/routes/heartbeats.ts";
import type { Context } from "../../platform/context.ts";
import { isUnavailable } from "../../platform/database/errors.ts";
import { installSerialization } from "../../platform/http/answer.ts";
import { beginInTurns } from "../../platform/http/begin-in-turns.ts";
import { readBody, readJsonBodies } from "../../platform/http/body/read-body.ts";
import { inBoth } from "../../platform/http/both-families.ts";
import { defineRawRoute, defineRoute } from "../../platform/http/define-route.ts";
import {
  BODY_LIMIT_BYTES,
  handleErrors,
  REQUEST_LIMITS,
  type RequestLimits,
} from "../../platform/http/errors.ts";
import { routeOf } from "../../platform/http/listing.ts";
import { createGuessLimits, createLimiter } from "../../platform/http/rate-limits.ts";
import { containFaults, guardEdge, requestIdOf } from "../../platform/http/request-edge.ts";
import { answerBadAddress, installValidation } from "../../platform/http/route-schema.ts";
import { addSecurityHeaders } from "../../platform/http/security-headers.ts";
import { ownTurn } from "../../platform/turns.ts";
import { registerMetrics } from "../../reports/routes/metrics.ts";
import { createVisitorFront, keepForPrograms } from "../../status-pages/http/front.ts";
import { registerStatusPages } from "../../status-pages/http/routes.ts";
import { registerEvents } from "../live/events.ts";
import { DESCRIBED } from "./described.ts";
import { registerHealth } from "./health.ts";
import { registerOpenApi } from "./openapi.ts";
import { registerWeb, sendPeopleToPages, withoutTrailingSlash } from "./web.ts";

/** Git providers send from a few addresses, for many organizations. */
const LIMIT = { group: "deployment-webhooks", perMinute: 600 };
const MAX_BODY_BYTES = 1 << 20;

/** Where Git providers report deployments. The signature is over the raw bytes, so they are not parsed before. */
async function registerDeploymentWebhooks(app: FastifyInstance, ctx: Context): Promise<void> {
  const route = routeOf({
    verb: receiveDeploymentWebhook,
    method: "POST",
    url: "/api/webhooks/deployments/:id",
    tag: "public",
    limit: LIMIT,
    failures: [400, 401, 404, 422],
    bodyLimitBytes: MAX_BODY_BYTES,
    summary: "Report a deployment by webhook",
    description:
      "For GitHub (events `deployment` and `deployment_status`, signed by `X-Hub-Signature-256`) and GitLab (deployment events, with `X-Gitlab-Token` or a signature by Standard Webhooks). What comes twice changes nothing.",
    message: "Received.",
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request: FastifyRequest) => readBody(request));
    const { body: _, handler, ...rest } = route;
    defineRoute(scope, ctx, {
      ...rest,
      family: "public",
      params: Type.Object({ id: Type.String({ format: "uuid", description: "The webhook: its uuid." }) }),
      handler(own, request, reply) {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const body = bytes.toString("latin1");
        const headers = Object.fromEntries(
          Object.entries(request.raw.headers).map(([name, value]) => [name, String(value)]),
        );
        return handler(own, { ...request, query: { body, headers }, body: { body, headers } }, reply);
      },
    });
  });
}

const IconParams = Type.Object({
  token: Type.String({ maxLength: 64, description: "From `iconUrl`; anyone with it can see the picture." }),
});

/** A picture that was found stays the same at its address; a letter goes by the monitor's name. */
const CACHING = { found: "private, max-age=31536000, immutable", letter: "private, max-age=86400" };

/** Pictures of monitored sites from our own origin; an SVG from outside must stay a picture, hence the policy. */
function registerIcons(app: FastifyInstance, ctx: Context): void {
  defineRawRoute(app, ctx, {
    method: "GET",
    url: "/icons/:token",
    family: "public",
    resource: null,
    limit: null,
    summary: "The icon of a monitored site",
    description: "As found on the site, or a picture of the first letter of its name.",
    params: IconParams,
    content: { "image/*": Type.String({ contentEncoding: "binary" }) },
    async handler(own, { params }, reply) {
      const icon = await getIconImage(own, params.token);
      reply
        .type(icon.contentType)
        .header("Cache-Control", CACHING[icon.found ? "found" : "letter"])
        .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header("X-Content-Type-Options", "nosniff");
      return icon.data;
    },
  });
}

/**
 * Each file exports `register…(app, ctx)`, or, where described.ts lists it, `describe…(define)` for both
 * families.
 */
const RESOURCES: readonly ((app: FastifyInstance, ctx: Context) => void | Promise<void>)[] = [
  ...DESCRIBED.flatMap(inBoth),
  registerHealth,
  registerMetrics,
  registerEvents,
  registerAgents,
  registerHeartbeats,
  registerDeploymentWebhooks,
  registerIcons,
  registerMcp,
];

async function registerRoutes(app: FastifyInstance, ctx: Context): Promise<void> {
  for (const register of RESOURCES) await register(app, ctx);
  // What the assistant has written so far is saved before anything closes.
  app.addHook("preClose", async () => ctx.assistant?.answers.endAll());
}

/** What is under way when the server closes may take this long; slower readers are cut off. */
const LIMIT_MS = 8_000;

/**
 * Makes closing wait until every answer under way has reached its client. Node's own close ends a
 * connection as soon as its answer is written, though a large one is still being sent. Register it
 * after the hooks that end live streams: preClose hooks run in order.
 */
function closeGracefully(app: FastifyInstance): void {
  const underWay = new Set<object>();
  let onDone = () => {};
  // Before Fastify sees it, and also of what never gets there (status-pages/http/front.ts).
  app.server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    response.once("close", () => {
      underWay.delete(response);
      if (underWay.size === 0) onDone();
    });
  });
  app.addHook("preClose", async () => {
    // Only stops listening; http's close would also end the connections.
    net.Server.prototype.close.call(app.server);
    const { promise, resolve } = Promise.withResolvers<void>();
    onDone = resolve;
    if (underWay.size === 0) resolve();
    const limit = setTimeout(() => app.server.closeAllConnections(), LIMIT_MS);
    await promise;
    clearTimeout(limit);
  });
}

/**
 * 2 MB take 2 ms at once, but 9 as a stream through another thread, with the garbage collections of its
 * copies. Larger answers still go that way, so that others wait no longer.
 */
const COMPRESSED_AT_ONCE_BYTES = 4 * 1024 * 1024;
const LARGE_BYTES = 128 * 1024;
/** What `npm run build -w web` makes. */
const WEB_DIST = join(import.meta.dirname, "../../../../web/dist");

/**
 * Not listening yet; `more` adds routes, `limits` shortens waiting (tests). `close()` ends live streams and
 * waits for requests.
 */
export async function createServer(
  ctx: Context,
  more?: (app: FastifyInstance, ctx: Context) => void,
  limits: RequestLimits = REQUEST_LIMITS,
): Promise<FastifyInstance> {
  const app = createApp(ctx, limits);
  app.decorate("faults", containFaults(app));
  const visitors = createVisitorFront(app, ctx);
  app.decorate("statusPages", visitors.pages);
  app.decorate("answeredFromMemory", visitors.answered);
  keepForPrograms(app, ctx, visitors);
  app.decorateRequest("caller", null);
  app.decorateRequest("agent", null);
  const limiter = createLimiter(ctx);
  app.decorate("limiter", limiter);
  app.decorate("guessLimits", createGuessLimits(limiter, ctx.clock));
  app.decorate("routeList", []);
  handleErrors(app, isUnavailable, (reply, language) => sendMessage(reply, 404, "missing", language));
  installValidation(app);
  installSerialization(app);
  readJsonBodies(app);
  logRequests(app);
  await registerPlugins(app, ctx);
  guardEdge(app, limits);
  app.decorate("turns", beginInTurns(app, limits.waiting));
  sendPeopleToPages(app);
  await registerOpenApi(app, ctx);
  await registerRoutes(app, ctx);
  registerStatusPages(app, ctx, visitors);
  registerAgentDownloads(app, ctx);
  more?.(app, ctx);
  closeGracefully(app);
  await registerWeb(app, { distFolder: WEB_DIST });
  await app.ready();
  return app;
}

function createApp(ctx: Context, limits: RequestLimits): FastifyInstance {
  return fastify({
    // Fastify's own default is none.
    requestTimeout: limits.requestMs,
    // Node looks at what has left the machine, not only at what was written: a slow reader goes on.
    connectionTimeout: limits.stallMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Refused by guardEdge, in our envelope.
      requireHostHeader: false,
    },
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: ctx.config.trustedProxies.length > 0 ? ctx.config.trustedProxies : false,
    rewriteUrl: ({ url = "/" }) => withoutTrailingSlash(url),
    genReqId: requestIdOf,
    requestIdHeader: false,
    loggerInstance: "child" in ctx.log ? (ctx.log as unknown as FastifyBaseLogger) : undefined,
    // One line a request instead of two (logRequests).
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => answerBadAddress(error, request.id, reply as FastifyReply),
  });
}

async function registerPlugins(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(cookie);
  addSecurityHeaders(app, ctx.config);
  takeTurnsToSend(app);
  await app.register(compress, {
    globalCompression: true,
    // It unpacks in streams that tear down the request with them (body/read-body.ts).
    globalDecompression: false,
    threshold: 1024,
    syncThreshold: COMPRESSED_AT_ONCE_BYTES,
    encodings: ["br", "gzip"],
    // 2 MB of numbers: 2 ms each instead of 13 (gzip 6) and 5 (br 4), for a third more bytes.
    zlibOptions: { level: zlib.Z_BEST_SPEED },
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } },
  });
}

/** What is compressed at once takes some milliseconds: of many such answers at the same moment each has a turn. */
function takeTurnsToSend(app: FastifyInstance): void {
  app.addHook("onSend", async (_request, _reply, payload) => {
    const isLarge =
      (typeof payload === "string" || payload instanceof Uint8Array) && payload.length > LARGE_BYTES;
    if (isLarge) await ownTurn();
    return payload;
  });
}

function logRequests(app: FastifyInstance): void {
  // Its fields are flat and none is a secret: searching each for those was three quarters of the line's cost.
  const lines = app.log.child({}, { redact: [] });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    // A route with a level of its own (the API browser's files) is not worth a line.
    if (request.log.level !== lines.level) return done();
    lines.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        elapsedMs: Math.round(reply.elapsedTime),
        address: request.ip,
        userId: request.caller?.userId ?? null,
        organizationId: request.caller?.organizationId ?? null,
      },
      "request",
    );
    done();
  });
}

/** Anything that looks like one of our tokens, anywhere in a line. */
const TOKEN = /\b(vd[tap]_|whsec_)[\w+/=-]{8,}/g;
const SESSION = /(vedette_(?:session|device_\w+)=)[\w.-]+/g;

/** The program's log, as JSON lines on standard error; no token ever reaches it. */
export function createLogger(level: string, destination: pino.DestinationStream = pino.destination(2)) {
  return pino(
    {
      level,
      redact: {
        paths: ["*.password", "*.token", "*.authorization", "*.cookie", "*.authConfig", "password", "token"],
        censor: "…",
      },
      hooks: {
        streamWrite: (line) => line.replaceAll(TOKEN, "$1…").replaceAll(SESSION, "$1…"),
      },
    },
    destination,
  );
}

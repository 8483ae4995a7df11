import { join } from "node:path";
import { constants as zlib } from "node:zlib";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from "fastify";
import type { Context } from "../context.ts";
import { isUnavailable } from "../store/errors.ts";
import { ownTurn } from "../turns.ts";
import { registerAgentDownloads } from "./agent/downloads.ts";
import { beginInTurns } from "./begin-in-turns.ts";
import { readJsonBodies } from "./body/json-body.ts";
import { closeGracefully } from "./close-gracefully.ts";
import { containFaults } from "./contain-faults.ts";
import { handleErrors } from "./errors.ts";
import { createGuessLimits } from "./guess-limits.ts";
import { createLimiter } from "./limiter.ts";
import { registerOpenApi } from "./openapi.ts";
import { keepForPrograms } from "./public/status/for-programs.ts";
import { createVisitorFront } from "./public/status/front.ts";
import { registerStatusPages } from "./public/status/routes.ts";
import { registerWeb, sendPeopleToPages, withoutTrailingSlash } from "./public/web.ts";
import { BODY_LIMIT_BYTES } from "./refusals.ts";
import { guardEdge } from "./request-edge.ts";
import { requestIdOf } from "./request-id.ts";
import { REQUEST_LIMITS, type RequestLimits } from "./request-limits.ts";
import { registerRoutes } from "./routes.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { installSerialization } from "./serialization.ts";
import "./types.ts";
import { answerBadAddress } from "./unreadable.ts";
import { installValidation } from "./validation.ts";

/**
 * 2 MB take 2 ms at once, in this thread. As a stream through another they took 9, counting the collections of the
 * whole heap that its copies set off. Larger answers still go that way, so that nobody waits longer.
 */
const COMPRESSED_AT_ONCE_BYTES = 4 * 1024 * 1024;
const LARGE_BYTES = 128 * 1024;
/** What `npm run build -w web` makes. */
const WEB_DIST = join(import.meta.dirname, "../../../web/dist");

/**
 * The whole API, not listening yet; `more` adds routes and `limits` makes waiting shorter (tests). `close()` ends
 * live streams and waits for requests under way.
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
  handleErrors(app, isUnavailable);
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
    // 2 MB of figures: 2 ms each instead of 13 (gzip 6) and 5 (br 4), for a third more bytes.
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

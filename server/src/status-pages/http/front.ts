import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Context } from "../../platform/context.ts";
import { type Answer, answerWith } from "../../platform/http/answer.ts";
import { hasBody, routeInTurns } from "../../platform/http/begin-in-turns.ts";
import { REQUEST_LIMITS } from "../../platform/http/errors.ts";
import { namesTwoHosts } from "../../platform/http/request-edge.ts";
import { anySiteMay, securityHeaders } from "../../platform/http/security-headers.ts";
import { wantedLanguages } from "../../platform/i18n/render.ts";
import { keepRecent, type Recent } from "../../platform/lru-cache.ts";
import { isForEverybody } from "../access/admit.ts";
import type { CachedPage } from "../document/cached-page.ts";
import { createPageCache, findFormerPages, type PageCache } from "../document/page-cache.ts";
import { type PageHosts, pageHosts } from "../domain/custom-domain.ts";
import { followPageChanges } from "../found-page.ts";
import { MACHINE_RENDERINGS } from "../render/machine-renderings.ts";
import { prepareAnswer, type ReadyAnswer, sendReady } from "./send.ts";

/** In either family (front.ts). */
const JSON_URLS = ["/api", "/v2", "/api/v2"].map((family) => `${family}/status-pages/:slug/public`);

/**
 * CORS preflights for public pages only: other sites must not read restricted pages through the browsers of
 * people who may see them.
 */
export function registerPreflights(
  app: FastifyInstance,
  admittedTo: (request: FastifyRequest, reply: FastifyReply) => Promise<CachedPage | "locked" | null>,
): void {
  const urls = [...MACHINE_RENDERINGS.map(({ path }) => `/status/:slug${path}`), ...JSON_URLS];
  for (const url of urls) {
    app.options(url, { schema: { hide: true } }, async (request, reply) => {
      const cached = await admittedTo(request, reply);
      if (cached === null || cached === "locked" || !isForEverybody(cached.page)) return reply.callNotFound();
      return reply.status(204).headers(anySiteMay("GET, HEAD")).send();
    });
  }
}

const PREFIX = "/status/";
/** For people and for programs. */
const PREFIXES = [PREFIX, "/api/status-pages/", "/v2/status-pages/", "/api/v2/status-pages/"] as const;
/**
 * Per page: addresses with their languages; those with a query, of which clients can invent any number,
 * apart.
 */
const MAX_READY = 500;
const MAX_KEY_LENGTH = 500;

/**
 * Answers public pages from memory before the router, without the hooks of other requests, of which they need
 * none (docs/adr/0048). The router gets everything else.
 */
export interface VisitorFront {
  pages: PageCache;
  hosts: PageHosts;
  /** Since the start. */
  answered(): number;
  /** Caches an answer until the page is read again, if it is public. */
  keep(cached: CachedPage, request: IncomingMessage, answer: Answer): void;
}

interface Ready {
  plain: Recent<string, ReadyAnswer>;
  queried: Recent<string, ReadyAnswer>;
}

const readyFor = ({ url = "" }: IncomingMessage, own: Ready | undefined) =>
  url.includes("?") ? own?.queried : own?.plain;

/** Call it before other listeners are added. */
export function createVisitorFront(app: FastifyInstance, ctx: Context): VisitorFront {
  const pages = findFormerPages(createPageCache(ctx), ctx);
  const hosts = pageHosts(ctx);
  followPageChanges(ctx.live, { pages, hosts });
  const ready = new WeakMap<CachedPage, Ready>();
  const send = sendReady(securityHeaders(ctx.config));
  let isClosing = false;
  let answered = 0;
  app.addHook("preClose", async () => {
    isClosing = true;
  });

  const serve: Serve = (request, response) => {
    // On closing, Fastify announces that the connection ends; a pipelined answer has to wait for the one
    // before.
    if (isClosing || response.socket === null) return false;
    const slug = slugIn(request.url ?? "");
    if (slug === null || !isPlain(request)) return false;
    const cached = pages.peek(slug);
    const found = cached && readyFor(request, ready.get(cached))?.get(keyOf(request));
    if (!found || !send(request, response, found, ctx.clock.now())) return false;
    answered += 1;
    return true;
  };
  const [router] = app.server.listeners("request") as [RequestListener];
  app.server.off("request", router);
  const route = routeInTurns(router.bind(app.server), REQUEST_LIMITS.waiting);
  app.addHook("onReady", async () => interceptRequests(app, { serve, hosts, route }));
  return {
    pages,
    hosts,
    answered: () => answered,
    keep(cached, request, answer) {
      if (!isForEverybody(cached.page)) return;
      const own = ready.get(cached) ?? { plain: keepRecent(MAX_READY), queried: keepRecent(MAX_READY) };
      ready.set(cached, own);
      const key = keyOf(request);
      if (key.length <= MAX_KEY_LENGTH) readyFor(request, own)?.set(key, { cached, answer, heads: {} });
    },
  };
}

/** False: left to the router. */
type Serve = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Front {
  serve: Serve;
  hosts: PageHosts;
  route: RequestListener;
}

/**
 * Runs before what tracks requests (begin-in-turns.ts): its answers are complete, so nothing
 * has to wait for them.
 */
function interceptRequests({ server }: FastifyInstance, { serve, hosts, route }: Front): void {
  const followers = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  const follow: RequestListener = (request, response) => {
    for (const follower of followers) follower.call(server, request, response);
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // A body would arrive before anything listens, and its errors would be lost.
    const found = hosts.find(request.headers.host, !hasBody(request));
    if (found instanceof Promise) {
      follow(request, response);
      found
        .then((slug) => {
          if (slug !== null) move(request, slug);
          if (!serve(request, response)) route(request, response);
        })
        // No answer was sent, and none will be.
        .catch(() => response.destroy());
      return;
    }
    if (found !== null) move(request, found);
    const isServed = serve(request, response);
    if (!isServed || (response.socket?.writableLength ?? 0) > 0) follow(request, response);
    if (!isServed) route(request, response);
  });
}

const ON_PAGES_HOST = Symbol("on a page's own host");

function move(request: IncomingMessage & { [ON_PAGES_HOST]?: true }, slug: string): void {
  const { url = "/" } = request;
  request.url = PREFIX + slug + (/^\/(?:\?|$)/.test(url) ? url.slice(1) : url);
  request[ON_PAGES_HOST] = true;
}

/** There the page's addresses have no prefix. */
export const isOnPagesHost = (request: IncomingMessage & { [ON_PAGES_HOST]?: true }): boolean =>
  request[ON_PAGES_HOST] === true;

/** Whether no hook has to inspect the request. */
function isPlain({ method, headers, rawHeaders }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (headers.host === undefined) return false;
  if (headers["content-length"] ?? headers["transfer-encoding"] ?? headers.expect) return false;
  return !namesTwoHosts(rawHeaders);
}

/** All that an answer depends on; of Accept-Language only our own languages, since it may hold anything. */
const keyOf = (request: IncomingMessage): string =>
  `${isOnPagesHost(request) ? "@" : ""}${request.url}\n${wantedLanguages(request.headers["accept-language"])}`;

function slugIn(url: string): string | null {
  const prefix = PREFIXES.find((one) => url.startsWith(one));
  if (prefix === undefined) return null;
  let end = prefix.length;
  while (end < url.length && url[end] !== "/" && url[end] !== "?") end++;
  return url.slice(prefix.length, end);
}

/** Requests to a proxy have the origin before the path. */
const HOST = /^https?:\/\/.*?(?=\/)/i;
/** Temporary: a former slug may become another page's. */
const OPEN = {
  "cache-control": "public, max-age=15",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};
const CLOSED = { "cache-control": "private, no-store", "x-robots-tag": "noindex" };

/** The present address of what was requested at a former slug; null: the slug is present. */
export function presentAddress({ page }: CachedPage, request: FastifyRequest): string | null {
  const { slug } = request.params as { slug: string };
  // Addresses on the page's own host have no slug.
  if (page.slug === slug || isOnPagesHost(request.raw)) return null;
  // From the route: the request can encode it in other ways, and name another host.
  const [before = ""] = request.routeOptions.url?.split(":slug") ?? [];
  const [own = "", ...below] = request.url
    .replace(HOST, "")
    .split("/")
    .slice(before.split("/").length - 1);
  return [before + page.slug + own.replace(/^[^?#]*/, ""), ...below].join("/");
}

/** The page's address without a trailing slash; null: it had none. */
export function withoutSlash({ page }: CachedPage, request: FastifyRequest): string | null {
  const { slug, "*": below } = request.params as { slug: string; "*"?: string };
  if (below !== "" || page.slug !== slug || isOnPagesHost(request.raw)) return null;
  return `/status/${slug}${/\?[^#]*/.exec(request.url)?.[0] ?? ""}`;
}

/** Redirects (308), whatever body is sent with it. */
export const leadOn = (reply: FastifyReply, { page }: CachedPage, address: string): FastifyReply =>
  reply
    .status(308)
    .headers({ ...(isForEverybody(page) ? OPEN : CLOSED), location: address })
    .removeHeader("content-type");

/** Scripts of other sites may read public pages. */
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Compresses the public JSON of a page once and answers it from memory, like its documents. Call it before
 * routes are registered.
 */
export function keepForPrograms(
  app: FastifyInstance,
  ctx: Pick<Context, "clock">,
  front: VisitorFront,
): void {
  const answers = new WeakMap<CachedPage, Map<string, Answer>>();
  /** The same bytes are cached once, for all addresses. */
  const answerOnce = (cached: CachedPage, bytes: string): Answer => {
    const own = answers.get(cached) ?? new Map<string, Answer>();
    answers.set(cached, own);
    const made = answerWith(bytes, isForEverybody(cached.page) ? HEADERS : {});
    const known = own.get(made.etag) ?? made;
    own.set(made.etag, known);
    return known;
  };
  const onSend = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { pageShown: cached } = request;
    if (!cached || reply.statusCode !== 200 || typeof payload !== "string") return payload;
    const present = presentAddress(cached, request);
    if (present) {
      leadOn(reply, cached, present);
      return "";
    }
    const answer = answerOnce(cached, payload);
    front.keep(cached, request.raw, answer);
    return prepareAnswer({ cached, answer, now: ctx.clock.now() }, request, reply);
  };
  app.decorateRequest("pageShown", null);
  app.addHook("onRoute", (route: RouteOptions) => {
    if (JSON_URLS.includes(route.url) && (route.method === "GET" || route.method === "HEAD"))
      Object.assign(route, { compress: false, onSend });
  });
}

declare module "fastify" {
  interface FastifyRequest {
    pageShown: CachedPage | null;
  }
  interface FastifyInstance {
    statusPages: PageCache;
    /** Visitors of status pages answered before the router, since the start. */
    answeredFromMemory(): number;
  }
}

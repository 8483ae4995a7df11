import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { ownHostOf } from "../../platform/config-values.ts";
import type { Context } from "../../platform/context.ts";
import { type Answer, answerWith } from "../../platform/http/answer.ts";
import { routeInTurns } from "../../platform/http/begin-in-turns.ts";
import { hasBody } from "../../platform/http/exchanges.ts";
import { REQUEST_LIMITS } from "../../platform/http/refusals.ts";
import { namesTwoHosts } from "../../platform/http/request-edge.ts";
import { securityHeaders } from "../../platform/http/security-headers.ts";
import { wantedLanguages } from "../../platform/i18n/languages.ts";
import { keepRecent, type Recent } from "../../platform/lru-cache.ts";
import { withTimeout } from "../../platform/with-timeout.ts";
import { isForEverybody } from "../access/admit.ts";
import type { CachedPage } from "../document/cached-page.ts";
import { findFormerPages } from "../document/former-pages.ts";
import { createPageCache, type PageCache } from "../document/page-cache.ts";
import { ownHosts } from "../domain/custom-domain.ts";
import { followPageChanges } from "../found-page.ts";
import { JSON_URLS } from "./preflight.ts";
import { prepareAnswer, type ReadyAnswer, sendReady } from "./send.ts";

/** So long nobody asks the store which hosts there are. */
const FRESH_MS = 15_000;
/** Nobody waits longer for the store. */
const TIMEOUT_MS = 1_000;
/** A host name of 253 characters, its last dot, and a port. */
const MAX_LENGTH = 260;

/** Which hosts belong to a status page, and to which. */
interface PageHosts {
  /**
   * The slug of the page whose host this is (as the Host header has it); null: it is the installation's, or nobody's. Who
   * may not wait gets what was last known.
   */
  find(header: string | undefined, mayWait: boolean): string | null | Promise<string | null>;
  /** What is set of a page has changed, which may be its host or its slug. */
  renew(): void;
}

/**
 * All of them are kept, and read anew once in a while: whichever hosts are asked for, in whatever number, the store is asked
 * no more often. While it is away, what was last known holds; nobody waits for it again until it has answered.
 */
export function pageHosts(ctx: Pick<Context, "store" | "clock" | "log" | "config">): PageHosts {
  const installation = ownHostOf(ctx.config.publicUrl);
  let slugs: ReadonlyMap<string, string> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let isAway = false;
  /** What those who ask wait for, while the store is asked. */
  let reading: Promise<unknown> | null = null;
  let changes = 0;
  const readOnce = async () => {
    try {
      slugs = await ownHosts(ctx.store.db);
      isAway = false;
    } catch (error) {
      isAway = true;
      ctx.log.warn({ err: error }, "the hosts of status pages could not be read");
    }
  };
  const read = async () => {
    let before: number;
    do {
      before = changes;
      await readOnce();
      // What was being read when something changed may be what was there before.
    } while (before !== changes && !isAway);
    freshUntil = ctx.clock.now() + FRESH_MS;
    reading = null;
  };
  const startReading = () => {
    reading ??= withTimeout(read(), TIMEOUT_MS, () => {
      isAway = true;
    });
  };
  return {
    find(header = "", mayWait) {
      if (ctx.clock.now() >= freshUntil) startReading();
      else if (slugs?.size === 0) return null;
      const host = hostOf(header);
      const slug = slugs?.get(host) ?? null;
      // Who is known need not wait; nor need anybody for names that no page can have.
      if (reading === null || isAway || slug !== null || !mayWait) return slug;
      if (host === installation || !host.includes(".") || /^[\d.]+$/.test(host)) return slug;
      return reading.then(() => slugs?.get(host) ?? null);
    },
    renew() {
      changes += 1;
      freshUntil = Number.NEGATIVE_INFINITY;
      startReading();
    },
  };
}

/** A Host header's name as the store has it; empty for what is none. */
const hostOf = (header: string): string => {
  if (header.length > MAX_LENGTH) return "";
  const [, name = ""] = /^([a-z0-9.-]+?)\.?(?::\d*)?$/i.exec(header) ?? [];
  return name.toLowerCase();
};

const PREFIX = "/status/";
/** Before a page's slug, for people and for programs. */
const PREFIXES = [PREFIX, "/api/status-pages/", "/v2/status-pages/", "/api/v2/status-pages/"] as const;
/** Of a page: addresses, with the languages that were asked for; those with a query, which anybody can make up, apart from the others. */
const MAX_READY = 500;
const MAX_KEY_LENGTH = 500;

/**
 * What stands before the router: visitors of pages that are for everybody get what is in memory without the hooks that every
 * other request goes through, of which it needs none (docs/adr/0048). Everything else goes on to
 * the router: what is not in memory, what is not for everybody, and every request that needs a closer look.
 */
export interface VisitorFront {
  pages: PageCache;
  hosts: PageHosts;
  /** How many answers came from memory, since the start. */
  answered(): number;
  /** Answers the same request alike from now on, until the page is read again, where it is for everybody. */
  keep(cached: CachedPage, request: IncomingMessage, answer: Answer): void;
}

interface Ready {
  plain: Recent<string, ReadyAnswer>;
  queried: Recent<string, ReadyAnswer>;
}

const readyFor = ({ url = "" }: IncomingMessage, own: Ready | undefined) =>
  url.includes("?") ? own?.queried : own?.plain;

/** Call it before anything else listens for the server's requests. */
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
    // Fastify says that the connection ends; and an answer that waits for the one before it has to be waited for.
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

/** Answers a request, or does not. */
type Serve = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Front {
  serve: Serve;
  hosts: PageHosts;
  /** The router's own. */
  route: RequestListener;
}

/**
 * Puts the front before all that follows requests from their beginning to their end (exchanges.ts, close-gracefully.ts): what
 * has been answered by then, to the last byte, needs nobody to wait for it.
 */
function interceptRequests({ server }: FastifyInstance, { serve, hosts, route }: Front): void {
  const followers = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  const follow: RequestListener = (request, response) => {
    for (const follower of followers) follower.call(server, request, response);
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // A body would come before anybody listens, and what is wrong with it be told to nobody.
    const found = hosts.find(request.headers.host, !hasBody(request));
    if (found instanceof Promise) {
      follow(request, response);
      found
        .then((slug) => {
          if (slug !== null) move(request, slug);
          if (!serve(request, response)) route(request, response);
        })
        // Nothing has been answered, and nobody else will.
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

/** Whether a request came to a host that is a page's own, where the page's addresses begin with nothing. */
export const isOnPagesHost = (request: IncomingMessage & { [ON_PAGES_HOST]?: true }): boolean =>
  request[ON_PAGES_HOST] === true;

/** Whether there is nothing about a request that a hook would have to look at. */
function isPlain({ method, headers, rawHeaders }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (headers.host === undefined) return false;
  if (headers["content-length"] ?? headers["transfer-encoding"] ?? headers.expect) return false;
  return !namesTwoHosts(rawHeaders);
}

/** All that an answer depends on; of Accept-Language, in which anybody can write anything, our own languages in its order. */
const keyOf = (request: IncomingMessage): string =>
  `${isOnPagesHost(request) ? "@" : ""}${request.url}\n${wantedLanguages(request.headers["accept-language"])}`;

function slugIn(url: string): string | null {
  const prefix = PREFIXES.find((one) => url.startsWith(one));
  if (prefix === undefined) return null;
  let end = prefix.length;
  while (end < url.length && url[end] !== "/" && url[end] !== "?") end++;
  return url.slice(prefix.length, end);
}

/** What stands before a path in requests that are meant for a proxy. */
const HOST = /^https?:\/\/.*?(?=\/)/i;
/** A former slug may be another page's one day. */
const OPEN = {
  "cache-control": "public, max-age=15",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};
const CLOSED = { "cache-control": "private, no-store", "x-robots-tag": "noindex" };

/** Where a visitor who may see the page finds what they ask for, if that is at a slug which it had before; else null. */
export function presentAddress({ page }: CachedPage, request: FastifyRequest): string | null {
  const { slug } = request.params as { slug: string };
  // A host of the page's own has no slug in its addresses.
  if (page.slug === slug || isOnPagesHost(request.raw)) return null;
  // As the route has it: a request can spell this in other ways, and name another host.
  const [before = ""] = request.routeOptions.url?.split(":slug") ?? [];
  const [own = "", ...below] = request.url
    .replace(HOST, "")
    .split("/")
    .slice(before.split("/").length - 1);
  return [before + page.slug + own.replace(/^[^?#]*/, ""), ...below].join("/");
}

/** The page's own address, where somebody has put a slash behind it; else null. */
export function withoutSlash({ page }: CachedPage, request: FastifyRequest): string | null {
  const { slug, "*": below } = request.params as { slug: string; "*"?: string };
  if (below !== "" || page.slug !== slug || isOnPagesHost(request.raw)) return null;
  return `/status/${slug}${/\?[^#]*/.exec(request.url)?.[0] ?? ""}`;
}

/** Has the reply lead there (308), whatever is sent with it. */
export const leadOn = (reply: FastifyReply, { page }: CachedPage, address: string): FastifyReply =>
  reply
    .status(308)
    .headers({ ...(isForEverybody(page) ? OPEN : CLOSED), location: address })
    .removeHeader("content-type");

/** Other people's pages may read by script what everybody may read. */
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Treats what the API says of a page to its visitors as what people are shown: compressed once, kept where it is for everybody,
 * and answered before the router from then on. Call it before the routes are there.
 */
export function keepForPrograms(
  app: FastifyInstance,
  ctx: Pick<Context, "clock">,
  front: VisitorFront,
): void {
  const answers = new WeakMap<CachedPage, Map<string, Answer>>();
  /** The same bytes are kept once, in however many ways they are asked for. */
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
    /** The status page that its answer is about, as it was read. */
    pageShown: CachedPage | null;
  }
  interface FastifyInstance {
    statusPages: PageCache;
    /** How many visitors of status pages were answered before the router, since the start. */
    answeredFromMemory(): number;
  }
}

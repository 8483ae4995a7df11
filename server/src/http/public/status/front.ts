import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { isForEverybody } from "../../../page/access/admit.ts";
import { findFormerPages } from "../../../page/document/former-pages.ts";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import { type KeptPages, keepPages } from "../../../page/document/kept-pages.ts";
import { followPageChanges } from "../../../page/follow-changes.ts";
import { keepRecent, type Recent } from "../../../recent.ts";
import { wantedLanguages } from "../../../texts/languages.ts";
import type { Answer } from "../../answer.ts";
import { hasBody } from "../../exchanges.ts";
import { namesTwoHosts } from "../../request-edge.ts";
import { securityHeaders } from "../../security-headers.ts";
import { type PageHosts, pageHosts } from "./page-hosts.ts";
import { type ReadyAnswer, sendReady } from "./ready.ts";

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
  pages: KeptPages;
  hosts: PageHosts;
  /** How many answers came from memory, since the start. */
  answered(): number;
  /** Answers the same request alike from now on, until the page is read again, where it is for everybody. */
  keep(kept: KeptPage, request: IncomingMessage, answer: Answer): void;
}

interface Ready {
  plain: Recent<string, ReadyAnswer>;
  queried: Recent<string, ReadyAnswer>;
}

const readyFor = ({ url = "" }: IncomingMessage, own: Ready | undefined) =>
  url.includes("?") ? own?.queried : own?.plain;

/** Call it before anything else listens for the server's requests. */
export function createVisitorFront(app: FastifyInstance, ctx: Context): VisitorFront {
  const pages = findFormerPages(keepPages(ctx), ctx);
  const hosts = pageHosts(ctx);
  followPageChanges(ctx.live, { pages, hosts });
  const ready = new WeakMap<KeptPage, Ready>();
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
    const kept = pages.peek(slug);
    const found = kept && readyFor(request, ready.get(kept))?.get(keyOf(request));
    if (!found || !send(request, response, found, ctx.clock.now())) return false;
    answered += 1;
    return true;
  };
  const [route] = app.server.listeners("request") as [RequestListener];
  app.server.off("request", route);
  app.addHook("onReady", async () => standBefore(app, { serve, hosts, route }));
  return {
    pages,
    hosts,
    answered: () => answered,
    keep(kept, request, answer) {
      if (!isForEverybody(kept.page)) return;
      const own = ready.get(kept) ?? { plain: keepRecent(MAX_READY), queried: keepRecent(MAX_READY) };
      ready.set(kept, own);
      const key = keyOf(request);
      if (key.length <= MAX_KEY_LENGTH) readyFor(request, own)?.set(key, { kept, answer, heads: {} });
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
function standBefore({ server }: FastifyInstance, { serve, hosts, route }: Front): void {
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
          if (!serve(request, response)) route.call(server, request, response);
        })
        // Nothing has been answered, and nobody else will.
        .catch(() => response.destroy());
      return;
    }
    if (found !== null) move(request, found);
    const isServed = serve(request, response);
    if (!isServed || (response.socket?.writableLength ?? 0) > 0) follow(request, response);
    if (!isServed) route.call(server, request, response);
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

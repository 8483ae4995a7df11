import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Context } from "../../../context.ts";
import { type KeptPage, type KeptPages, keepPages } from "../../../page/kept-pages.ts";
import { hasBody } from "../../exchanges.ts";
import { namesTwoHosts } from "../../request-edge.ts";
import { requestIdOf } from "../../request-id.ts";
import { securityHeaders } from "../../security-headers.ts";
import { type Answer, type Coding, codingFor, isKnown } from "./answers.ts";
import { type PageHosts, pageHosts } from "./page-hosts.ts";

/** What an answer depends on besides its address. */
export const VARY = "accept-encoding, accept-language";
const PREFIX = "/status/";
/** Of a page: addresses, with the languages that were asked for. */
const MAX_READY = 1_000;
const MAX_KEY_LENGTH = 500;
const DAY_SECONDS = 86_400;

/**
 * What stands before the router: visitors of pages that are for everybody get what is in memory without the hooks that every
 * other request goes through, of which it needs none (docs/adr/0048). Everything else goes on to
 * the router: what is not in memory, what is not for everybody, and every request that needs a closer look.
 */
export interface VisitorFront {
  pages: KeptPages;
  /** Answers the same request alike from now on, until the page is read again. */
  keep(kept: KeptPage, request: IncomingMessage, answer: Answer): void;
}

/** Call it before anything else listens for the server's requests. */
export function createVisitorFront(app: FastifyInstance, ctx: Context): VisitorFront {
  const pages = keepPages(ctx);
  const hosts = pageHosts(ctx);
  const ready = new WeakMap<KeptPage, Map<string, Answer>>();
  const security = securityHeaders(ctx.config);
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });

  const serve = (request: IncomingMessage, response: ServerResponse): boolean => {
    // Fastify says then that the connection ends.
    if (isClosing || !isPlain(request)) return false;
    const kept = pages.peek(slugIn(request.url ?? ""));
    const answer = kept && ready.get(kept)?.get(keyOf(request));
    return kept && answer
      ? sendReady(request, response, { answer, kept, security, now: ctx.clock.now() })
      : false;
  };

  const [route] = app.server.listeners("request") as [RequestListener];
  app.server.off("request", route);
  app.server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const go = () => {
      if (!serve(request, response)) route.call(app.server, request, response);
    };
    const moved = moveToPage(hosts, request);
    if (moved) void moved.then(go);
    else go();
  });
  return {
    pages,
    keep(kept, request, answer) {
      const own = ready.get(kept) ?? new Map<string, Answer>();
      ready.set(kept, own);
      const key = keyOf(request);
      if (own.size < MAX_READY && key.length <= MAX_KEY_LENGTH) own.set(key, answer);
    },
  };
}

/** On a page's own host every address is one of the page. */
function moveToPage(hosts: PageHosts, request: IncomingMessage): Promise<void> | undefined {
  // A body would come before anybody listens, and what is wrong with it be told to nobody.
  const found = hosts.find(request.headers.host, !hasBody(request));
  if (found instanceof Promise) return found.then((slug) => void (slug !== null && move(request, slug)));
  if (found !== null) move(request, found);
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
function isPlain({ method, url = "", headers, rawHeaders }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (!url.startsWith(PREFIX) || headers.host === undefined) return false;
  if (headers["content-length"] ?? headers["transfer-encoding"] ?? headers.expect) return false;
  return !namesTwoHosts(rawHeaders);
}

function slugIn(url: string): string {
  let end = PREFIX.length;
  while (end < url.length && url[end] !== "/" && url[end] !== "?") end++;
  return url.slice(PREFIX.length, end);
}

/** All that an answer depends on. */
const keyOf = (request: IncomingMessage): string =>
  `${isOnPagesHost(request) ? "@" : ""}${request.url}\n${request.headers["accept-language"] ?? ""}`;

/** How long a page may be kept elsewhere: as long as it is here, and for a day where it cannot be had any more. */
export const freshness = ({ freshUntil }: KeptPage, now: number): string =>
  `public, max-age=${Math.max(0, Math.ceil((freshUntil - now) / 1000))}, stale-if-error=${DAY_SECONDS}`;

interface Ready {
  answer: Answer;
  kept: KeptPage;
  security: Readonly<Record<string, string>>;
  now: number;
}

/** Names and values as Node takes them without a copy. What differs from request to request is filled in at its place. */
interface Head {
  known: string[];
  fresh: string[];
}

const heads = new WeakMap<Answer, Partial<Record<Coding, Head>>>();
const ID_AT = 1;
const FRESHNESS_AT = 3;

/** Sends an answer whose bytes are there; false: they have yet to be made. */
function sendReady(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, kept, security, now }: Ready,
): boolean {
  const coding = codingFor(answer, request.headers["accept-encoding"]);
  const body = answer.bodies[coding];
  if (!body) return false;
  const made = heads.get(answer) ?? {};
  heads.set(answer, made);
  made[coding] ??= headOf(answer, coding, { security, length: body.length });
  const isSame = isKnown(answer, request.headers);
  const head = made[coding][isSame ? "known" : "fresh"];
  head[ID_AT] = requestIdOf(request);
  head[FRESHNESS_AT] = answer.headers["cache-control"] ?? freshness(kept, now);
  response.writeHead(isSame ? 304 : 200, head);
  response.end(isSame || request.method === "HEAD" ? undefined : body);
  return true;
}

function headOf(
  { headers: own, etag, isFramed }: Answer,
  coding: Coding,
  { security, length }: { security: Readonly<Record<string, string>>; length: number },
): Head {
  const { "cache-control": _, ...headers }: Record<string, string> = {
    ...security,
    vary: VARY,
    ...own,
    etag,
  };
  if (isFramed) delete headers["x-frame-options"];
  if (coding !== "identity") headers["content-encoding"] = coding;
  const known = ["x-request-id", "", "cache-control", "", ...Object.entries(headers).flat()];
  return { known, fresh: [...known, "content-length", String(length)] };
}

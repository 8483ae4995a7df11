import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.ts";
import { type Answer, bodyIn, type Coding, codingFor, isKnown } from "../../platform/http/answer.ts";
import { authenticate, cookieAttributes } from "../../platform/http/authenticate.ts";
import { requestIdOf } from "../../platform/http/request-edge.ts";
import { ENTRY_MS, entryToken, isForEverybody, type PageVisitor } from "../access/admit.ts";
import type { CachedPage } from "../document/cached-page.ts";
import type { StatusPage } from "../queries/status-pages.ts";
import { VARY } from "./html-pages.ts";

const BASIC = /^Basic +([A-Za-z0-9+/]{1,2000}={0,2})$/i;

/** `slug`: present or former. */
export function pageVisitor(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  slug: string,
): PageVisitor {
  return {
    address: request.ip,
    signedIn: () => authenticate(ctx, request, reply),
    entry: request.cookies[cookieOf(slug)],
    password: passwordIn(request.headers.authorization),
    guesses: (present) => guessesAt(request, reply, present),
  };
}

/** Like guesses at accounts, but by address alone: a page has no e-mail. */
export const guessesAt = (request: FastifyRequest, reply: FastifyReply, slug: string) =>
  request.server.guessLimits({
    request,
    reply,
    email: `status page ${slug}`,
    isShared: true,
    deviceId: null,
  });

/** HTTP Basic (RFC 7617), with any user name. */
function passwordIn(header: string | undefined): string | undefined {
  const [, encoded] = BASIC.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  return pair.slice(pair.indexOf(":") + 1);
}

/** Valid for a week below `path`: the page's present slug, or a former one. */
export function setEntryCookie(
  ctx: Pick<Context, "config" | "clock" | "secrets">,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, slug, path }: { page: StatusPage; slug: string; path: string },
): void {
  const token = entryToken(ctx.secrets, page, ctx.clock.now() + ENTRY_MS);
  const attributes = { ...cookieAttributes(ctx.config, request), path, maxAge: ENTRY_MS / 1000 };
  reply.setCookie(cookieOf(slug), token, attributes);
}

const cookieOf = (slug: string): string => `vedette_page_${slug}`;

const DAY_SECONDS = 86_400;
const ID_AT = 1;
const FRESHNESS_AT = 3;

/** In Node's raw form, which it takes without a copy; values that differ by request are filled in. */
interface Head {
  known: string[];
  fresh: string[];
}

/** Rendered and compressed. */
export interface ReadyAnswer {
  cached: CachedPage;
  answer: Answer;
  heads: Partial<Record<Coding, Head>>;
}

/** Other caches may store a page for as long as this one, and for a day while it is unavailable. */
const freshness = ({ freshUntil }: CachedPage, now: number): string =>
  `public, max-age=${Math.max(0, Math.ceil((freshUntil - now) / 1000))}, stale-if-error=${DAY_SECONDS}`;

/** False: the accepted encoding has yet to be made. `security`: the headers of every answer. */
export const sendReady =
  (security: Readonly<Record<string, string>>) =>
  (
    request: IncomingMessage,
    response: ServerResponse,
    { cached, answer, heads }: ReadyAnswer,
    now: number,
  ): boolean => {
    const { headers, method } = request;
    const coding = codingFor(answer, headers["accept-encoding"]);
    const body = answer.bodies[coding];
    if (!body) return false;
    heads[coding] ??= headOf(answer, coding, { security, length: body.length });
    const isSame = isKnown(answer, headers["if-none-match"]);
    const head = heads[coding][isSame ? "known" : "fresh"];
    head[ID_AT] = requestIdOf(request);
    head[FRESHNESS_AT] = answer.headers["cache-control"] ?? freshness(cached, now);
    response.writeHead(isSame ? 304 : 200, head);
    response.end(isSame || method === "HEAD" ? undefined : body);
    return true;
  };

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

/** Restricted pages are neither cached nor indexed. */
const CLOSED = { "cache-control": "private, no-store", "x-robots-tag": "noindex" };
/** Headers that let other sites read an answer. */
const LENDING = new Set(["access-control-allow-origin", "cross-origin-resource-policy"]);

/** Without LENDING: restricted pages must not be read by other sites through their visitors' browsers. */
function forItself(headers: Answer["headers"]): Answer["headers"] {
  const own = Object.entries(headers).filter(([name]) => !LENDING.has(name));
  return Object.fromEntries(
    own.map(([name, value]) => [name, value.replace("frame-ancestors *", "frame-ancestors 'none'")]),
  );
}

interface VisitorAnswer {
  cached: CachedPage;
  answer: Answer;
  now: number;
}

/** Sets the headers and returns the bytes; null: the client has this version (304). */
export async function prepareAnswer(
  { cached, answer, now }: VisitorAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | null> {
  const isOpen = isForEverybody(cached.page);
  reply.headers({
    vary: isOpen ? VARY : `${VARY}, authorization, cookie`,
    "cache-control": freshness(cached, now),
    ...(isOpen ? { ...answer.headers, etag: answer.etag } : { ...forItself(answer.headers), ...CLOSED }),
  });
  if (isOpen && answer.isFramed) reply.removeHeader("x-frame-options");
  if (isOpen && isKnown(answer, request.headers["if-none-match"])) {
    reply.status(304);
    return null;
  }
  const coding = codingFor(answer, request.headers["accept-encoding"]);
  if (coding !== "identity") reply.header("content-encoding", coding);
  return bodyIn(answer, coding);
}

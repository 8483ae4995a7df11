import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { PublicError } from "../../../errors.ts";
import { admit, isForEverybody } from "../../../page/admit.ts";
import type { KeptPage } from "../../../page/kept-pages.ts";
import { messagePage } from "../../../page/render/message-page.ts";
import type { Asked, Rendering } from "../../../page/render/rendering.ts";
import { RENDERINGS } from "../../../page/render/renderings.ts";
import type { RenderOptions } from "../../../page/render/view.ts";
import { isUnavailable } from "../../../store/errors.ts";
import { LANGUAGES, type Language, preferredLanguage } from "../../../texts/languages.ts";
import { authenticate } from "../../authenticate.ts";
import { clientNetwork } from "../../client-network.ts";
import { type Answer, answerOf, bodyIn, codingFor, isKnown } from "./answers.ts";
import { freshness, isOnPagesHost, VARY, type VisitorFront } from "./front.ts";

/** Of pages that are not in memory: each costs a look into the store, and may be a guess. */
const LIMIT = { group: "status-pages", perMinute: 120 };

/** Everything that visitors of status pages can get, below `/status/` and on hosts of pages' own. */
export function registerStatusPages(app: FastifyInstance, ctx: Context, front: VisitorFront): void {
  const visitors = { app, ctx, front };
  // What is sent was compressed once, for all.
  const options = { schema: { hide: true }, compress: false } as const;
  for (const rendering of RENDERINGS) {
    app.get(`/status/:slug${rendering.path}`, options, (request, reply) =>
      visit(visitors, rendering, request, reply),
    );
  }
  for (const url of ["/status", "/status/*"]) {
    app.get(url, options, (request, reply) => {
      const wantsPage = request.headers.accept?.includes("text/html") ?? false;
      return wantsPage ? sendMessage(reply, 404, "missing", languageOf(request)) : reply.callNotFound();
    });
  }
}

interface Visitors {
  app: FastifyInstance;
  ctx: Context;
  front: VisitorFront;
}

async function visit(visitors: Visitors, rendering: Rendering, request: FastifyRequest, reply: FastifyReply) {
  try {
    const kept = await admittedTo(visitors, request, reply);
    const answer = kept && answerTo(kept, rendering, request);
    if (kept && answer) {
      if (isForEverybody(kept.page)) visitors.front.keep(kept, request.raw, answer);
      return await send(visitors.ctx, kept, answer, request, reply);
    }
    if (!rendering.isDocument) return void reply.callNotFound();
    return await sendMessage(reply, 404, "missing", languageOf(request));
  } catch (error) {
    if (!rendering.isDocument || error instanceof PublicError) throw error;
    const away = isUnavailable(error);
    request.log[away ? "warn" : "error"](
      { err: error, reqId: request.id },
      "a status page could not be shown",
    );
    return sendMessage(reply, away ? 503 : 500, "away", languageOf(request));
  }
}

/** The page that the address means, if there is one and its visitor may see it. Throws 429 for somebody who tries many. */
async function admittedTo(
  { app, ctx, front: { pages } }: Visitors,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { slug } = request.params as { slug: string };
  if (!pages.has(slug)) {
    await app.limiter.take(reply, LIMIT.group, `address:${clientNetwork(request.ip)}`, LIMIT.perMinute);
  }
  const kept = await pages.find(slug);
  if (!kept) return null;
  const visitor = { address: request.ip, signedIn: () => authenticate(ctx, request, reply) };
  return (await admit(ctx.store.db, kept.page, visitor)) === "admitted" ? kept : null;
}

function answerTo(kept: KeptPage, rendering: Rendering, request: FastifyRequest): Answer | null {
  const { slug, ...params } = request.params as Record<string, string>;
  const query = request.query as Record<string, unknown>;
  const asked: [string, string][] = Object.entries(params);
  for (const name of rendering.query ?? []) {
    const value = query[name];
    if (typeof value === "string") asked.push([name, value]);
  }
  const options = {
    ...chosenLanguage(kept, request),
    base: isOnPagesHost(request.raw) ? "" : `/status/${slug}`,
    isOld: kept.isOld,
  };
  return answerOf(kept, rendering, options, Object.fromEntries(asked) satisfies Asked);
}

function chosenLanguage(
  { document }: KeptPage,
  request: FastifyRequest,
): Pick<RenderOptions, "language" | "isChosen"> {
  const { languages } = document.appearance;
  const offered = languages.length === 0 ? LANGUAGES : languages;
  const { lang } = request.query as { lang?: unknown };
  const chosen = offered.find((one) => one === lang);
  if (chosen) return { language: chosen, isChosen: true };
  return { language: preferredLanguage(request.headers["accept-language"], offered), isChosen: false };
}

function languageOf(request: FastifyRequest): Language {
  const { lang } = request.query as { lang?: unknown };
  return LANGUAGES.find((one) => one === lang) ?? preferredLanguage(request.headers["accept-language"]);
}

async function send(
  ctx: Context,
  kept: KeptPage,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const isOpen = isForEverybody(kept.page);
  reply.headers({
    vary: isOpen ? VARY : `${VARY}, authorization, cookie`,
    "cache-control": isOpen ? freshness(kept, ctx.clock.now()) : "private, no-cache",
    ...(!isOpen && { "x-robots-tag": "noindex" }),
    ...answer.headers,
    etag: answer.etag,
  });
  if (answer.isFramed) reply.removeHeader("x-frame-options");
  if (isKnown(answer, request.headers)) return reply.status(304).send();
  const coding = codingFor(answer, request.headers["accept-encoding"]);
  if (coding !== "identity") reply.header("content-encoding", coding);
  return reply.send(await bodyIn(answer, coding));
}

function sendMessage(reply: FastifyReply, status: number, kind: "missing" | "away", language: Language) {
  const { body, headers } = messagePage(kind, language);
  return reply
    .status(status)
    .headers({ ...headers, vary: VARY })
    .type("text/html; charset=utf-8")
    .send(body);
}

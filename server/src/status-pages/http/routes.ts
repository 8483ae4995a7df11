import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.ts";
import { isUnavailable } from "../../platform/database/errors.ts";
import { PublicError } from "../../platform/errors.ts";
import { type Answer, answerWith } from "../../platform/http/answer.ts";
import { fieldOf, fieldsOf, readForms } from "../../platform/http/body/read-body.ts";
import { SUBSCRIBE_LIMIT } from "../../platform/http/rate-limits.ts";
import { languageOf, prefersHtml } from "../../platform/http/security-headers.ts";
import { clientNetwork, visitorOf } from "../../platform/http/visitor.ts";
import { formatMessage } from "../../platform/i18n/format-message.ts";
import { LANGUAGES, preferredLanguage } from "../../platform/i18n/render.ts";
import { keepRecent, type Recent } from "../../platform/lru-cache.ts";
import { callVerb } from "../../platform/operations/call.ts";
import { admit, isForEverybody, lockedPage } from "../access/admit.ts";
import { type CachedPage, createLogoCache } from "../document/cached-page.ts";
import type { PageCache } from "../document/page-cache.ts";
import type { PageLogo } from "../queries/page-domains.ts";
import { choseNothing, confirmationSentPage, subscribeForm } from "../render/form-pages.ts";
import { FAREWELL_WORKER, type QueryParameters, type Rendering } from "../render/page-frame.ts";
import { RENDERINGS } from "../render/renderings.ts";
import { type RenderOptions, viewOf } from "../render/view.ts";
import { kindsOffered } from "../subscriber/channels/registry.ts";
import { SUBSCRIBER_KINDS } from "../subscriber/kinds.ts";
import { subscribe } from "../subscriber/subscribe.ts";
import {
  isOnPagesHost,
  leadOn,
  presentAddress,
  registerPreflights,
  type VisitorFront,
  withoutSlash,
} from "./front.ts";
import { sendMessage, sendRendered } from "./html-pages.ts";
import { addressIn, baseOf, registerPasswordGate, sendPasswordForm } from "./password-gate.ts";
import { pageVisitor, prepareAnswer } from "./send.ts";
import { registerSubscriptionLinks } from "./subscription-links.ts";

function registerSubscriptions(app: FastifyInstance, ctx: Context, pages: PageCache): void {
  app.register(async (scope) => {
    readForms(scope);
    scope.post("/status/:slug/subscribe", { schema: { hide: true } }, async (request, reply) => {
      if (await isRateLimited(app, request, reply))
        return sendMessage(reply, 429, "many", languageOf(request));
      return subscribeByForm(ctx, pages, request, reply);
    });
    registerSubscriptionLinks(scope, ctx);
  });
}

/** Counts a sent form; once there are too many, sets Retry-After. */
async function isRateLimited(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const { group, perMinute } = SUBSCRIBE_LIMIT;
  try {
    await app.limiter.take(reply, group, `address:${clientNetwork(request.ip)}`, perMinute);
    return false;
  } catch (error) {
    if (!(error instanceof PublicError) || error.kind !== "rate_limited") throw error;
    reply.header("retry-after", error.retryAfterSeconds);
    return true;
  }
}

function inputOf(request: FastifyRequest, known: ReadonlySet<string>) {
  const { body } = request;
  const { slug } = request.params as { slug: string };
  const kind = SUBSCRIBER_KINDS.find((one) => one === fieldOf(body, "kind")) ?? "email";
  const chosen = fieldsOf(body, "component[]").filter((uuid) => known.has(uuid));
  const isNothing = choseNothing({ field: (name) => fieldOf(body, name), chosen });
  // All of them, including future ones.
  const isAll = chosen.length === known.size || (chosen.length === 0 && !isNothing);
  const components = isAll ? null : chosen;
  return {
    slug,
    kind,
    components,
    address: fieldOf(body, "address").slice(0, 2_048),
    language: languageOf(request),
  };
}

async function subscribeByForm(ctx: Context, pages: PageCache, request: FastifyRequest, reply: FastifyReply) {
  const { slug } = request.params as { slug: string };
  const language = languageOf(request);
  const cached = await pages.find(slug);
  const components = cached?.document.groups.flatMap((group) => group.components) ?? [];
  const input = inputOf(request, new Set(components.map(({ uuid }) => uuid)));
  const visitor = {
    ...(await visitorOf(input, { request })),
    atPage: pageVisitor(ctx, request, reply, slug),
  };
  let problem: PublicError | null = null;
  try {
    await callVerb({ ...ctx, visitor }, subscribe, { ...input, address: input.address || " " });
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    problem = error;
  }
  const isHidden = problem?.kind === "not_found" || problem?.kind === "unauthenticated";
  if (!cached || isHidden) return sendMessage(reply, 404, "missing", language);
  const view = viewOf(cached.document, {
    ...{ base: baseOf(request, cached.page.slug), language, isChosen: true, isOld: cached.isOld },
    offered: kindsOffered(ctx.config),
  });
  if (!problem) return sendRendered(reply, 200, confirmationSentPage(view, input.kind));
  const at = problem.fields?.["components"] ? "components" : "address";
  const [message] = problem.fields?.[at] ?? [problem.descriptor];
  const attempt = { ...input, at, problem: formatMessage(language, message ?? problem.descriptor) } as const;
  const form = subscribeForm(view, attempt);
  if (!form) return sendMessage(reply, 404, "missing", language);
  if (problem.retryAfterSeconds) reply.header("retry-after", problem.retryAfterSeconds);
  return sendRendered(reply, problem.kind === "rate_limited" ? 429 : 422, form);
}

/** For pages that are not in memory: each costs a query, and may be a guess. */
const LIMIT = { group: "status-pages", perMinute: 120 };

/** Below `/status/` and on pages' own hosts. */
export function registerStatusPages(app: FastifyInstance, ctx: Context, front: VisitorFront): void {
  const visitors = { app, ctx, front };
  const logos = createLogoCache(ctx);
  // Answers are compressed once, for all.
  const options = { schema: { hide: true }, compress: false } as const;
  for (const rendering of RENDERINGS) {
    app.get(`/status/:slug${rendering.path}`, options, (request, reply) =>
      visit(visitors, rendering, request, reply),
    );
  }
  registerPasswordGate(app, ctx, front.pages);
  registerPreflights(app, (request, reply) => admittedTo(visitors, request, reply));
  app.get("/status/:slug/logo", options, async (request, reply) => {
    const cached = await admittedTo(visitors, request, reply);
    if (cached === "locked") throw lockedPage();
    const present = cached && presentAddress(cached, request);
    if (present) return leadOn(reply, cached, present).send();
    const logo = cached && (await logos.find(cached));
    return logo ? sendLogo(cached, logo, request, reply) : reply.callNotFound();
  });
  // For the proxy in front, before it obtains a certificate.
  app.get("/status/allowed-host", options, async (request, reply) => {
    const { domain } = request.query as { domain?: unknown };
    const slug = typeof domain === "string" ? await front.hosts.find(domain, true) : null;
    return slug === null ? reply.callNotFound() : reply.type("text/plain").send("");
  });
  registerSubscriptions(app, ctx, front.pages);
  const answerNothing = (request: FastifyRequest, reply: FastifyReply) =>
    visit(visitors, { ...NOTHING, isDocument: prefersHtml(request) }, request, reply);
  app.get("/status/:slug/*", options, answerNothing);
  // For browsers that had the app at the host before and request its worker, whatever the page's access.
  app.get("/status/:slug/offline.js", options, (request, reply) =>
    isOnPagesHost(request.raw) ? sendFarewell(reply) : answerNothing(request, reply),
  );
  for (const url of ["/status", "/status/*"]) {
    app.get(url, options, (request, reply) =>
      prefersHtml(request) ? sendMessage(reply, 404, "missing", languageOf(request)) : reply.callNotFound(),
    );
  }
}

const sendFarewell = (reply: FastifyReply) =>
  reply.type("text/javascript; charset=utf-8").header("cache-control", "no-cache").send(FAREWELL_WORKER);

const NOTHING = { path: "/*", type: "text/html; charset=utf-8", render: () => null } as const;

interface Visitors {
  app: FastifyInstance;
  ctx: Context;
  front: VisitorFront;
}

async function visit(visitors: Visitors, rendering: Rendering, request: FastifyRequest, reply: FastifyReply) {
  try {
    const cached = await admittedTo(visitors, request, reply);
    if (cached === "locked") {
      if (!rendering.isDocument) throw lockedPage();
      return await sendPasswordForm(request, reply, null);
    }
    const present = cached && (presentAddress(cached, request) ?? withoutSlash(cached, request));
    if (present) return await leadOn(reply, cached, present).send();
    const answer = cached && answerTo(visitors.ctx, cached, rendering, request);
    if (cached && answer) {
      visitors.front.keep(cached, request.raw, answer);
      const lent = { cached, answer, now: visitors.ctx.clock.now() };
      return await reply.send(await prepareAnswer(lent, request, reply));
    }
    if (!rendering.isDocument) return reply.callNotFound();
    return await sendMessage(reply, 404, "missing", languageOf(request), cached && addressIn(request));
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

/** Null: unknown or hidden; `locked`: the password is required. Throws 429 after many attempts. */
async function admittedTo(
  { app, ctx, front: { pages } }: Visitors,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { slug } = request.params as { slug: string };
  const countGuess = () =>
    app.limiter.take(reply, LIMIT.group, `address:${clientNetwork(request.ip)}`, LIMIT.perMinute);
  const isInMemory = pages.has(slug);
  if (!isInMemory) await countGuess();
  const cached = await pages.find(slug);
  if (!cached) return null;
  const { clock, secrets, store } = ctx;
  const visitor = pageVisitor(ctx, request, reply, slug);
  const admission = await admit({ clock, secrets, db: store.db }, cached.page, visitor);
  if (admission === "locked") return admission;
  // The same answer as for an unknown page, to the last header.
  if (admission === "hidden" && isInMemory) await countGuess();
  return admission === "admitted" ? cached : null;
}

function answerTo(
  { config }: Context,
  cached: CachedPage,
  rendering: Rendering,
  request: FastifyRequest,
): Answer | null {
  const { slug, ...params } = request.params as Record<string, string>;
  const query = request.query as Record<string, unknown>;
  const parameters: [string, string][] = Object.entries(params);
  for (const name of rendering.query ?? []) {
    const value = query[name];
    if (typeof value === "string") parameters.push([name, value]);
  }
  const options = {
    ...chosenLanguage(cached, request),
    base: isOnPagesHost(request.raw) ? "" : `/status/${slug}`,
    isOld: cached.isOld,
    offered: cached.page.isPublic ? kindsOffered(config) : [],
  };
  return answerOf(cached, rendering, options, Object.fromEntries(parameters) satisfies QueryParameters);
}

function chosenLanguage(
  { document }: CachedPage,
  request: FastifyRequest,
): Pick<RenderOptions, "language" | "isChosen"> {
  const { languages } = document.appearance;
  const offered = languages.length === 0 ? LANGUAGES : languages;
  const { lang } = request.query as { lang?: unknown };
  const chosen = offered.find((one) => one === lang);
  if (chosen) return { language: chosen, isChosen: true };
  return { language: preferredLanguage(request.headers["accept-language"], offered), isChosen: false };
}

const YEAR_SECONDS = 31_536_000;
const SECONDS = 15;
/** An uploaded SVG must stay a picture, also when its address is opened. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Its address contains the hash, so it never changes. */
function sendLogo(cached: CachedPage, logo: PageLogo, request: FastifyRequest, reply: FastifyReply) {
  const { v } = request.query as { v?: unknown };
  const seconds = v === logo.hash ? `${YEAR_SECONDS}, immutable` : String(SECONDS);
  const etag = `"${logo.hash}"`;
  const isOpen = isForEverybody(cached.page);
  reply.headers({
    "cache-control": isOpen ? `public, max-age=${seconds}` : "private, no-store",
    "content-security-policy": POLICY,
    "cross-origin-resource-policy": isOpen ? "cross-origin" : "same-origin",
    etag,
  });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.status(304).send();
  return reply.type(logo.contentType).send(Buffer.from(logo.data));
}

/**
 * Per page: documents in their languages; those with a query, of which clients can invent any number, apart.
 */
const MAX_DOCUMENTS = 300;
const MAX_QUERIED = 100;
const MAX_KEY_LENGTH = 500;

interface AnswerCaches {
  documents: Recent<string, Answer>;
  queried: Recent<string, Answer>;
}

const answers = new WeakMap<CachedPage, AnswerCaches>();

/** Rendered once for each version; null: nothing at that address. */
export function answerOf(
  cached: CachedPage,
  rendering: Rendering,
  options: RenderOptions,
  parameters: QueryParameters,
): Answer | null {
  const own = answers.get(cached) ?? {
    documents: keepRecent(MAX_DOCUMENTS),
    queried: keepRecent(MAX_QUERIED),
  };
  answers.set(cached, own);
  const known = rendering.query ? own.queried : own.documents;
  const key = JSON.stringify([rendering.path, options, parameters]);
  const found = known.get(key);
  if (found) return found;
  const rendered = rendering.render(cached.document, options, parameters);
  if (rendered === null) return null;
  const answer = answerWith(rendered.body, { "content-type": rendering.type, ...rendered.headers });
  if (key.length <= MAX_KEY_LENGTH) known.set(key, answer);
  return answer;
}

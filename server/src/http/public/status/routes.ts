import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { PublicError } from "../../../errors.ts";
import { admit, lockedPage } from "../../../page/access/admit.ts";
import { keepLogos } from "../../../page/document/kept-logos.ts";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import { FAREWELL_WORKER } from "../../../page/render/farewell-worker.ts";
import type { Asked, Rendering } from "../../../page/render/rendering.ts";
import { RENDERINGS } from "../../../page/render/renderings.ts";
import type { RenderOptions } from "../../../page/render/view.ts";
import { kindsOffered } from "../../../page/subscriber/channel/registry.ts";
import { isUnavailable } from "../../../store/errors.ts";
import { LANGUAGES, preferredLanguage } from "../../../texts/languages.ts";
import type { Answer } from "../../answer.ts";
import { clientNetwork } from "../../client-network.ts";
import { languageOf, prefersHtml, sendMessage } from "../../html-pages.ts";
import { pageVisitor } from "../../page-visitor.ts";
import { answerOf } from "./answers.ts";
import { addressIn, askForPassword, registerEntrance } from "./entrance.ts";
import { isOnPagesHost, type VisitorFront } from "./front.ts";
import { sendLogo } from "./logo.ts";
import { leadOn, presentAddress, withoutSlash } from "./moved.ts";
import { registerPreflights } from "./preflight.ts";
import { prepareAnswer } from "./send.ts";
import { registerSubscriptions } from "./subscriptions.ts";

/** Of pages that are not in memory: each costs a look into the store, and may be a guess. */
const LIMIT = { group: "status-pages", perMinute: 120 };

/** Everything that visitors of status pages can get, below `/status/` and on hosts of pages' own. */
export function registerStatusPages(app: FastifyInstance, ctx: Context, front: VisitorFront): void {
  const visitors = { app, ctx, front };
  const logos = keepLogos(ctx);
  // What is sent was compressed once, for all.
  const options = { schema: { hide: true }, compress: false } as const;
  for (const rendering of RENDERINGS) {
    app.get(`/status/:slug${rendering.path}`, options, (request, reply) =>
      visit(visitors, rendering, request, reply),
    );
  }
  registerEntrance(app, ctx, front.pages);
  registerPreflights(app, (request, reply) => admittedTo(visitors, request, reply));
  app.get("/status/:slug/logo", options, async (request, reply) => {
    const kept = await admittedTo(visitors, request, reply);
    if (kept === "locked") throw lockedPage();
    const present = kept && presentAddress(kept, request);
    if (present) return leadOn(reply, kept, present).send();
    const logo = kept && (await logos.find(kept));
    return logo ? sendLogo(kept, logo, request, reply) : reply.callNotFound();
  });
  // For the proxy in front, before it asks for a certificate.
  app.get("/status/allowed-host", options, async (request, reply) => {
    const { domain } = request.query as { domain?: unknown };
    const slug = typeof domain === "string" ? await front.hosts.find(domain, true) : null;
    return slug === null ? reply.callNotFound() : reply.type("text/plain").send("");
  });
  registerSubscriptions(app, ctx, front.pages);
  const answerNothing = (request: FastifyRequest, reply: FastifyReply) =>
    visit(visitors, { ...NOTHING, isDocument: prefersHtml(request) }, request, reply);
  app.get("/status/:slug/*", options, answerNothing);
  // Browsers that had the app at the host before ask for its worker: whoever the page is for.
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

/** At addresses that a page does not have. */
const NOTHING = { path: "/*", type: "text/html; charset=utf-8", render: () => null } as const;

interface Visitors {
  app: FastifyInstance;
  ctx: Context;
  front: VisitorFront;
}

async function visit(visitors: Visitors, rendering: Rendering, request: FastifyRequest, reply: FastifyReply) {
  try {
    const kept = await admittedTo(visitors, request, reply);
    if (kept === "locked") {
      if (!rendering.isDocument) throw lockedPage();
      return await askForPassword(request, reply, null);
    }
    const present = kept && (presentAddress(kept, request) ?? withoutSlash(kept, request));
    if (present) return await leadOn(reply, kept, present).send();
    const answer = kept && answerTo(visitors.ctx, kept, rendering, request);
    if (kept && answer) {
      visitors.front.keep(kept, request.raw, answer);
      const told = { kept, answer, now: visitors.ctx.clock.now() };
      return await reply.send(await prepareAnswer(told, request, reply));
    }
    if (!rendering.isDocument) return reply.callNotFound();
    return await sendMessage(reply, 404, "missing", languageOf(request), kept && addressIn(request));
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

/** The page that the address means, if there is one and its visitor may see it; `locked`: not without its password. Throws 429 for somebody who tries many. */
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
  const kept = await pages.find(slug);
  if (!kept) return null;
  const { clock, secrets, store } = ctx;
  const visitor = pageVisitor(ctx, request, reply, slug);
  const admission = await admit({ clock, secrets, db: store.db }, kept.page, visitor);
  if (admission === "locked") return admission;
  // As if there were none, to the last header.
  if (admission === "hidden" && isInMemory) await countGuess();
  return admission === "admitted" ? kept : null;
}

function answerTo(
  { config }: Context,
  kept: KeptPage,
  rendering: Rendering,
  request: FastifyRequest,
): Answer | null {
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
    offered: kept.page.isPublic ? kindsOffered(config) : [],
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.ts";
import { PublicError } from "../../platform/errors.ts";
import { fieldOf, readForms } from "../../platform/http/body/read-body.ts";
import { languageOf, namedLanguage } from "../../platform/http/security-headers.ts";
import { admit, isRightPassword } from "../access/admit.ts";
import type { PageCache } from "../document/page-cache.ts";
import { passwordPage, type Refusal } from "../render/form-pages.ts";
import { addressOf } from "../render/view.ts";
import { isOnPagesHost } from "./front.ts";
import { sendMessage, sendRendered } from "./html-pages.ts";
import { guessesAt, pageVisitor, setEntryCookie } from "./send.ts";

export function registerPasswordGate(app: FastifyInstance, ctx: Context, pages: PageCache): void {
  app.register(async (scope) => {
    readForms(scope);
    scope.post("/status/:slug/unlock", { schema: { hide: true } }, (request, reply) =>
      enter(ctx, pages, request, reply),
    );
  });
}

async function enter(ctx: Context, pages: PageCache, request: FastifyRequest, reply: FastifyReply) {
  const { slug } = request.params as { slug: string };
  const { clock, secrets, store } = ctx;
  const page = (await pages.find(slug))?.page;
  const visitor = { ...pageVisitor(ctx, request, reply, slug), password: undefined };
  const admission = page && (await admit({ clock, secrets, db: store.db }, page, visitor));
  if (!page || admission === "hidden") return sendMessage(reply, 404, "missing", languageOf(request));
  if (admission === "locked") {
    const refusal = await refusalOf(ctx, page, request, reply);
    if (refusal) return sendPasswordForm(request, reply, refusal);
    // A former address redirects to the present one.
    for (const one of new Set([slug, page.slug]))
      setEntryCookie(ctx, request, reply, { page, slug: one, path: baseOf(request, one) || "/" });
  }
  // Without the form: going back does not send it again.
  return reply.redirect(addressIn(request, wantedIn(request)), 303);
}

/** Null: the password is correct. */
async function refusalOf(
  { clock }: Context,
  page: Parameters<typeof isRightPassword>[0] & { slug: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Refusal | null> {
  const guesses = guessesAt(request, reply, page.slug);
  const password = fieldOf(request.body, "password");
  try {
    return (await isRightPassword(page, password, { guesses, now: clock.now() })) ? null : "wrong";
  } catch (error) {
    if (error instanceof PublicError && error.kind === "rate_limited") {
      reply.header("retry-after", error.retryAfterSeconds);
      return "many";
    }
    throw error;
  }
}

/** The prefix of the page's addresses. */
export const baseOf = (request: FastifyRequest, slug: string): string =>
  isOnPagesHost(request.raw) ? "" : `/status/${slug}`;

/** Addresses below the page's own: nothing outside it, and no other host. */
const BELOW = /^(?:\/[a-z0-9][a-z0-9.-]{0,99}){1,3}$/i;

/** The address that the visitor requested before the password form; empty: the page itself. */
function wantedIn(request: FastifyRequest): string {
  const { slug } = request.params as { slug: string };
  const [path = ""] = request.url.split("?");
  const requestedPath = path.startsWith(`/status/${slug}`) ? path.slice(`/status/${slug}`.length) : path;
  const wanted = request.method === "POST" ? fieldOf(request.body, "wanted") : requestedPath;
  return BELOW.test(wanted) && wanted !== "/unlock" ? wanted : "";
}

/** In the language chosen so far. */
export function addressIn(request: FastifyRequest, path = ""): string {
  const { slug } = request.params as { slug: string };
  const language = namedLanguage(request);
  const isChosen = language !== undefined;
  return addressOf({ base: baseOf(request, slug), language: language ?? "en", isChosen }, path);
}

/** Browsers ignore an unknown scheme and show the form. */
const CHALLENGE = 'Cookie realm="Status page"';

export function sendPasswordForm(request: FastifyRequest, reply: FastifyReply, refusal: Refusal | null) {
  const action = addressIn(request, "/unlock");
  const form = passwordPage(languageOf(request), { action, wanted: wantedIn(request), refusal });
  reply.headers({ "x-robots-tag": "noindex", "www-authenticate": CHALLENGE });
  return sendRendered(reply, refusal === "many" ? 429 : 401, form);
}

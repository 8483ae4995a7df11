import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.ts";
import { PublicError } from "../../platform/errors.ts";
import { fieldOf, fieldsOf } from "../../platform/http/body/read-body.ts";
import { languageOf, prefersHtml } from "../../platform/http/security-headers.ts";
import { clientNetwork, visitorOf } from "../../platform/http/visitor.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { callVerb } from "../../platform/operations/call.ts";
import { uuidsIn } from "../contents/arrangement.ts";
import { pageUrl } from "../page-url.ts";
import {
  choseNothing,
  gonePage,
  managePage,
  outcomePage,
  promptPage,
  type SubscriptionView,
} from "../render/form-pages.ts";
import type { Rendered } from "../render/page-frame.ts";
import { LINK_PATHS, subscriberOfToken } from "../subscriber/address.ts";
import {
  type ConfirmationState,
  changeSubscription,
  confirmSubscription,
  endSubscription,
  readConfirmation,
  readSubscription,
  type Subscription,
} from "../subscriber/by-link.ts";
import { sendRendered } from "./html-pages.ts";

/** Mail providers end many subscriptions from one address. */
const LIMIT = { group: "subscription-links", perMinute: 300 };

interface Link {
  ctx: Context;
  request: FastifyRequest;
  token: string;
}

interface Answer {
  status: number;
  page: Rendered;
}

/** GET only reads: mail scanners open links before people do. */
export function registerSubscriptionLinks(scope: FastifyInstance, ctx: Context): void {
  const { confirm, manage, end } = LINK_PATHS;
  const define = (method: "GET" | "POST", path: string, answer: (link: Link) => Promise<Answer>) =>
    scope.route({
      method,
      url: `${path}/:token`,
      schema: { hide: true },
      async handler(request, reply) {
        const who = `address:${clientNetwork(request.ip)}`;
        await scope.limiter.take(reply, LIMIT.group, who, LIMIT.perMinute);
        const { token } = request.params as { token: string };
        return respond(reply, request, await found(request, () => answer({ ctx, request, token })));
      },
    });
  define("GET", confirm, showConfirmPrompt);
  define("POST", confirm, confirmNow);
  define("GET", manage, showChoice);
  define("POST", manage, saveChoice);
  define("GET", end, showUnsubscribePrompt);
  define("POST", end, endNow);
}

/** People get a page; programs, such as mail providers and webhooks, only the status. */
function respond(reply: FastifyReply, request: FastifyRequest, { status, page }: Answer) {
  reply.header("x-robots-tag", "noindex").header("referrer-policy", "no-referrer");
  if (isPerson(request)) return sendRendered(reply, status, page);
  return reply.status(status).send({ success: status < 300 });
}

const isPerson = (request: FastifyRequest): boolean => request.method === "GET" || prefersHtml(request);

/** 404 for an unknown link; programs get it in the API's form. */
async function found(request: FastifyRequest, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!isPerson(request) || !(error instanceof PublicError) || error.kind === "unavailable") throw error;
    return { status: 404, page: gonePage(languageOf(request)) };
  }
}

const calling = async ({ ctx, request }: Link) => ({
  ...ctx,
  visitor: await visitorOf(null, { request }),
});

const viewOf = ({ ctx }: Link, { subscriber, page }: Subscription) => ({
  ...{ language: subscriber.language, address: subscriber.address, page: page.name },
  pageUrl: page.isPublic ? pageUrl(page, ctx.config.publicUrl) : null,
});

async function showConfirmPrompt(link: Link): Promise<Answer> {
  const confirmation = await callVerb(await calling(link), readConfirmation, { token: link.token });
  const view = viewOf(link, confirmation);
  if (confirmation.state === "waiting") return { status: 200, page: promptPage("confirm", view) };
  return answered(view, confirmation);
}

async function confirmNow(link: Link): Promise<Answer> {
  const confirmation = await callVerb(await calling(link), confirmSubscription, { token: link.token });
  const view = viewOf(link, confirmation);
  if (confirmation.state === "waiting") return { status: 200, page: outcomePage("confirmed", view) };
  return answered(view, confirmation);
}

const answered = (view: SubscriptionView, { state }: { state: ConfirmationState }): Answer =>
  state === "active"
    ? { status: 409, page: outcomePage("again", view) }
    : { status: 410, page: outcomePage("expired", view) };

const choiceOf = (link: Link, subscription: Subscription) => ({
  ...viewOf(link, subscription),
  groups: subscription.groups,
  chosen: subscription.subscriber.components,
  notifiedIn: subscription.subscriber.language,
  endUrl: `${LINK_PATHS.end}/${link.token}`,
});

const managed = (link: Link, subscription: Subscription, isSaved: boolean): Answer => ({
  status: 200,
  page: managePage({ ...choiceOf(link, subscription), isSaved }),
});

/** An empty choice would mean all components, so it is rejected with a way to unsubscribe. */
const notManaged = (link: Link, subscription: Subscription): Answer => ({
  status: 422,
  page: managePage({ ...choiceOf(link, subscription), chosen: [], isSaved: false, isNothing: true }),
});

async function showChoice(link: Link): Promise<Answer> {
  return managed(link, await callVerb(await calling(link), readSubscription, { token: link.token }), false);
}

async function saveChoice(link: Link): Promise<Answer> {
  const { token, request } = link;
  const calls = await calling(link);
  const { groups, subscriber } = await callVerb(calls, readSubscription, { token });
  const known = uuidsIn(groups);
  const ticked = fieldsOf(request.body, "component[]");
  // Components that were removed from the page meanwhile.
  const chosen = ticked.filter((uuid) => known.includes(uuid));
  const isNothing = choseNothing({ field: (name) => fieldOf(request.body, name), chosen });
  if (known.length > 1 && (isNothing || (ticked.length > 0 && chosen.length === 0))) {
    return notManaged(link, await callVerb(calls, readSubscription, { token }));
  }
  const isAll = known.every((uuid) => chosen.includes(uuid));
  // Without a choice of components, it stays as it was.
  const components = known.length < 2 ? subscriber.components : isAll || chosen.length === 0 ? null : chosen;
  const language = LANGUAGES.find((one) => one === fieldOf(request.body, "language")) ?? subscriber.language;
  const changed = await callVerb(calls, changeSubscription, { token, components, language });
  return managed(link, changed, true);
}

async function showUnsubscribePrompt(link: Link): Promise<Answer> {
  const subscription = await callVerb(await calling(link), readSubscription, { token: link.token });
  return { status: 200, page: promptPage("end", viewOf(link, subscription)) };
}

/** One-click unsubscription (RFC 8058), without confirmation. */
async function endNow(link: Link): Promise<Answer> {
  try {
    const ended = await callVerb(await calling(link), endSubscription, { token: link.token });
    return { status: 200, page: outcomePage("ended", viewOf(link, ended)) };
  } catch (error) {
    // A mail provider that repeats the click must not get an error.
    if (!hasEnded(link, error) || isPerson(link.request)) throw error;
    return { status: 200, page: gonePage(languageOf(link.request)) };
  }
}

/** The token is ours, but its subscriber is gone. */
const hasEnded = ({ ctx, token }: Link, error: unknown): boolean =>
  error instanceof PublicError &&
  error.kind === "not_found" &&
  subscriberOfToken(ctx.secrets, token) !== null;

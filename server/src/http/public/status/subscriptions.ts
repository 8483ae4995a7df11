import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { PublicError } from "../../../errors.ts";
import type { KeptPages } from "../../../page/document/kept-pages.ts";
import { askedPage, choseNothing, subscribeForm } from "../../../page/render/subscribe-form.ts";
import { viewOf } from "../../../page/render/view.ts";
import { kindsOffered } from "../../../page/subscriber/channel/registry.ts";
import { SUBSCRIBER_KINDS } from "../../../page/subscriber/kinds.ts";
import { subscribe } from "../../../page/subscriber/subscribe.ts";
import { sayFact } from "../../../texts/say-fact.ts";
import { callVerb } from "../../../verb/call.ts";
import { fieldOf, fieldsOf, readForms } from "../../body/form-body.ts";
import { clientNetwork } from "../../client-network.ts";
import { languageOf, sendMessage, sendRendered } from "../../html-pages.ts";
import { pageVisitor } from "../../page-visitor.ts";
import { SUBSCRIBE_LIMIT } from "../../subscribe-limit.ts";
import { visitorOf } from "../../visitor.ts";
import { baseOf } from "./entrance.ts";
import { registerSubscriptionLinks } from "./subscription-links.ts";

/** Where visitors have themselves told what a page says, and where the links of their messages lead. */
export function registerSubscriptions(app: FastifyInstance, ctx: Context, pages: KeptPages): void {
  app.register(async (scope) => {
    readForms(scope);
    scope.post("/status/:slug/subscribe", { schema: { hide: true } }, async (request, reply) => {
      if (await asksTooOften(app, request, reply))
        return sendMessage(reply, 429, "many", languageOf(request));
      return subscribeByForm(ctx, pages, request, reply);
    });
    registerSubscriptionLinks(scope, ctx);
  });
}

/** Whether somebody sends the form too often: then they hear it in the same words, whatever page it is. */
async function asksTooOften(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
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

/** What stands in the form, for the verb. */
function inputOf(request: FastifyRequest, known: ReadonlySet<string>) {
  const { body } = request;
  const { slug } = request.params as { slug: string };
  const kind = SUBSCRIBER_KINDS.find((one) => one === fieldOf(body, "kind")) ?? "email";
  const chosen = fieldsOf(body, "component[]").filter((uuid) => known.has(uuid));
  const isNothing = choseNothing({ field: (name) => fieldOf(body, name), chosen });
  // All of them, those that are still to come too.
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

async function subscribeByForm(ctx: Context, pages: KeptPages, request: FastifyRequest, reply: FastifyReply) {
  const { slug } = request.params as { slug: string };
  const language = languageOf(request);
  const kept = await pages.find(slug);
  const components = kept?.document.groups.flatMap((group) => group.components) ?? [];
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
  if (!kept || isHidden) return sendMessage(reply, 404, "missing", language);
  const view = viewOf(kept.document, {
    ...{ base: baseOf(request, kept.page.slug), language, isChosen: true, isOld: kept.isOld },
    offered: kindsOffered(ctx.config),
  });
  if (!problem) return sendRendered(reply, 200, askedPage(view, input.kind));
  const at = problem.fields?.["components"] ? "components" : "address";
  const [fact] = problem.fields?.[at] ?? [problem.fact];
  const attempt = { ...input, at, problem: sayFact(language, fact ?? problem.fact) } as const;
  const form = subscribeForm(view, attempt);
  if (!form) return sendMessage(reply, 404, "missing", language);
  if (problem.retryAfterSeconds) reply.header("retry-after", problem.retryAfterSeconds);
  return sendRendered(reply, problem.kind === "rate_limited" ? 429 : 422, form);
}

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Context } from "../../../context.ts";
import { isForEverybody } from "../../../page/access/admit.ts";
import type { KeptPage } from "../../../page/document/kept-page.ts";
import { type Answer, answerWith } from "../../answer.ts";
import type { VisitorFront } from "./front.ts";
import { leadOn, presentAddress } from "./moved.ts";
import { JSON_URLS } from "./preflight.ts";
import { prepareAnswer } from "./send.ts";

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
  const answers = new WeakMap<KeptPage, Map<string, Answer>>();
  /** The same bytes are kept once, in however many ways they are asked for. */
  const answerOnce = (kept: KeptPage, bytes: string): Answer => {
    const own = answers.get(kept) ?? new Map<string, Answer>();
    answers.set(kept, own);
    const made = answerWith(bytes, isForEverybody(kept.page) ? HEADERS : {});
    const known = own.get(made.etag) ?? made;
    own.set(made.etag, known);
    return known;
  };
  const onSend = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const { pageShown: kept } = request;
    if (!kept || reply.statusCode !== 200 || typeof payload !== "string") return payload;
    const present = presentAddress(kept, request);
    if (present) {
      leadOn(reply, kept, present);
      return "";
    }
    const answer = answerOnce(kept, payload);
    front.keep(kept, request.raw, answer);
    return prepareAnswer({ kept, answer, now: ctx.clock.now() }, request, reply);
  };
  app.decorateRequest("pageShown", null);
  app.addHook("onRoute", (route: RouteOptions) => {
    if (JSON_URLS.includes(route.url) && (route.method === "GET" || route.method === "HEAD"))
      Object.assign(route, { compress: false, onSend });
  });
}

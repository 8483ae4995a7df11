import type { FastifyRequest } from "fastify";
import type { AnonymousClient } from "../account/caller.ts";
import type { Context } from "../context.ts";
import { preferredLanguage } from "../texts/languages.ts";
import { assertOwnOrigin } from "./origin.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";

/** Who asks, where nobody need be known. */
export const visitorOf = async (
  _: unknown,
  { request }: { request: FastifyRequest },
): Promise<AnonymousClient> => ({
  requestId: request.id,
  address: request.ip,
  userAgent: request.headers["user-agent"] ?? "",
  language: preferredLanguage(request.headers["accept-language"]),
  token: request.cookies[SESSION_COOKIE],
});

/** A visitor to our own pages. Throws 403 for one that another site sends. */
export function ownVisitor(
  input: unknown,
  http: { ctx: Pick<Context, "config">; request: FastifyRequest },
): Promise<AnonymousClient> {
  assertOwnOrigin(http.ctx.config, http.request);
  return visitorOf(input, http);
}

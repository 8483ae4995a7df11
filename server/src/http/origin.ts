import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { PublicError } from "../errors.ts";

/**
 * Cross-site request forgery ends here (beside SameSite=Lax): an unsafe request with a cookie must
 * say that it comes from our own pages, by Origin or, where a browser sends none, Sec-Fetch-Site.
 * Throws 403.
 */
export function assertSameOrigin(config: Config, request: FastifyRequest): void {
  const { origin } = request.headers;
  const own = [`${request.protocol}://${request.host}`, config.publicUrl && new URL(config.publicUrl).origin];
  if (origin !== undefined ? own.includes(origin) : request.headers["sec-fetch-site"] === "same-origin")
    return;
  throw new PublicError(
    "scope_required",
    "This request does not come from this installation's own pages: its Origin header is missing or names another site.",
  );
}

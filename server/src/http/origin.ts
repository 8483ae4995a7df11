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
  if (origin === undefined ? request.headers["sec-fetch-site"] === "same-origin" : isOwn(config, request))
    return;
  throw foreign();
}

/** For requests that carry no session yet: a browser on another site must not sign anybody in or out. Throws 403. */
export function assertOwnOrigin(config: Config, request: FastifyRequest): void {
  if (request.headers.origin === undefined || isOwn(config, request)) return;
  throw foreign();
}

function isOwn(config: Config, request: FastifyRequest): boolean {
  const { origin } = request.headers;
  const published = config.publicUrl === null ? null : new URL(config.publicUrl).origin;
  return origin === `${request.protocol}://${request.host}` || origin === published;
}

const foreign = () =>
  new PublicError(
    "scope_required",
    "This request does not come from this installation's own pages: its Origin header is missing or names another site.",
  );

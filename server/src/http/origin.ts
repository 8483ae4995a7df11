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
  throw foreign(config);
}

/** For requests that carry no session yet: a browser on another site must not sign anybody in or out. Throws 403. */
export function assertOwnOrigin(config: Config, request: FastifyRequest): void {
  if (request.headers.origin === undefined || isOwn(config, request)) return;
  throw foreign(config);
}

/** Where a public address is published, it alone; otherwise the one that the request was made to. */
function isOwn({ publicUrl }: Config, request: FastifyRequest): boolean {
  const own = publicUrl === null ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin;
  return request.headers.origin === own;
}

const foreign = ({ publicUrl }: Config) =>
  new PublicError(
    "scope_required",
    publicUrl === null
      ? "This request does not come from this installation's own pages: its Origin header is missing or names another site."
      : `This request does not come from this installation's own pages. Open it at ${publicUrl}.`,
  );

import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";

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

/**
 * The address under which this installation is reached, without a slash at the end: the published one, else that of
 * the request. A Host header is the client's word, so only what is an origin is taken of it.
 */
export function ownAddress({ publicUrl }: Config, request: FastifyRequest): string {
  if (publicUrl !== null) return publicUrl;
  const { localAddress = "127.0.0.1", localPort, localFamily } = request.socket;
  const listening = localFamily === "IPv6" ? `[${localAddress}]` : localAddress;
  return URL.parse(`${request.protocol}://${request.host}`)?.origin ?? `http://${listening}:${localPort}`;
}

/** Where a public address is published, it alone; otherwise the one that the request was made to. */
function isOwn({ publicUrl }: Config, request: FastifyRequest): boolean {
  const own = publicUrl === null ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin;
  return request.headers.origin === own;
}

const foreign = ({ publicUrl }: Config) =>
  new PublicError(
    "forbidden",
    publicUrl === null ? fact("request.foreign") : fact("request.foreign_open", { address: publicUrl }),
  );

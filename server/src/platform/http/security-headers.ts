import type { FastifyInstance, FastifyRequest } from "fastify";
import helmet from "helmet";
import Negotiator from "negotiator";
import type { Config } from "../config.ts";
import { PublicError } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import { LANGUAGES, type Language, preferredLanguage } from "../i18n/render.ts";

const JSON_TYPE = "application/json";

const HTML_TYPE = "text/html";

type Requested = Pick<FastifyRequest, "method" | "headers">;

/** RFC 9110, 12.5.1; programs that take anything get JSON. */
export const prefersHtml = ({ headers: { accept } }: Pick<FastifyRequest, "headers">): boolean =>
  accept !== undefined &&
  new Negotiator({ headers: { accept } }).mediaType([JSON_TYPE, HTML_TYPE]) === HTML_TYPE;

/** A person's browser gets a page to read, programs get JSON. */
export const isNavigation = (request: Requested): boolean =>
  (request.method === "GET" || request.method === "HEAD") &&
  request.headers.authorization === undefined &&
  prefersHtml(request);

export function namedLanguage(request: FastifyRequest): Language | undefined {
  const { lang } = request.query as { lang?: unknown };
  return LANGUAGES.find((one) => one === lang);
}

/** Of the address, else of the browser. */
export const languageOf = (request: FastifyRequest): Language =>
  namedLanguage(request) ?? preferredLanguage(request.headers["accept-language"]);

/**
 * Helmet's headers are always the same, so they are computed once. Answers may not be cached unless they say
 * so: proxies go by the end of an address, such as `.csv`, and by no cookie.
 */
export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = { ...securityHeaders(config), "cache-control": "no-store" };
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

export function securityHeaders(config: Config): Record<string, string> {
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        // Charts and the API browser set style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Of this host only: its subdomains are not ours to decide.
    strictTransportSecurity: config.publicUrl?.startsWith("https:")
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
    xFrameOptions: { action: "deny" },
  });
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  };
  apply({} as never, answer as never, () => {});
  return headers;
}

/**
 * Beside SameSite=Lax: an unsafe request with a cookie must come from our own pages by its Origin or, where a
 * browser sends none, Sec-Fetch-Site. Throws 403.
 */
export function assertSameOrigin(config: Config, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined ? request.headers["sec-fetch-site"] === "same-origin" : isOwn(config, request))
    return;
  throw foreign(config);
}

/** Without a session yet: a browser on another site must not sign anybody in or out. Throws 403. */
export function assertOwnOrigin(config: Config, request: FastifyRequest): void {
  if (request.headers.origin === undefined || isOwn(config, request)) return;
  throw foreign(config);
}

/**
 * Without a slash at the end: the published one, else the request's. A Host header is the client's word, so
 * only an origin is taken of it.
 */
export function ownAddress({ publicUrl }: Config, request: FastifyRequest): string {
  if (publicUrl !== null) return publicUrl;
  const { localAddress = "127.0.0.1", localPort, localFamily } = request.socket;
  const listening = localFamily === "IPv6" ? `[${localAddress}]` : localAddress;
  return URL.parse(`${request.protocol}://${request.host}`)?.origin ?? `http://${listening}:${localPort}`;
}

function isOwn({ publicUrl }: Config, request: FastifyRequest): boolean {
  const own = publicUrl === null ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin;
  return request.headers.origin === own;
}

const foreign = ({ publicUrl }: Config) =>
  new PublicError(
    "forbidden",
    publicUrl === null ? msg("request.foreign") : msg("request.foreign_open", { address: publicUrl }),
  );

/** For scripts of any site (CORS). All headers but credentials, which `*` does not include. */
export const anySiteMay = (methods: string) => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": methods,
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
});

import { excerpt, fact } from "../texts/fact.ts";
import type { RedirectStep } from "./check.ts";
import { type Cookies, identityOf, keepCookies, withCookies } from "./cookies.ts";
import { DEFAULT_REDIRECTS } from "./http-config.ts";
import { type HttpRequest, RequestError, redirectRequest } from "./http-request.ts";
import type { Answer } from "./http-running.ts";
import type { Reason } from "./reasons.ts";

/** A request and the redirects that have led on from it. */
export interface RedirectTrail {
  /** The latest request, without the servers' cookies. */
  request: HttpRequest;
  /** The same with them, as it is sent. */
  sent: HttpRequest;
  /** Null until a redirect sets one. */
  cookies: Cookies | null;
  redirects: RedirectStep[];
  /** The requests that were answered by a redirect (identityOf). */
  visited: string[];
}

/** What holds for the redirects of a request. */
export interface RedirectRules {
  /** At most so many are followed; default: 10, as the form of a domain has it. */
  maxRedirects?: number | undefined;
  /** None leads from https to http. */
  requireTls?: boolean | undefined;
}

export const newTrail = (request: HttpRequest): RedirectTrail => ({
  request,
  sent: request,
  cookies: null,
  redirects: [],
  visited: [],
});

const isRedirect = (code: number): boolean =>
  code === 301 || code === 302 || code === 303 || code === 307 || code === 308;

/** Whether an answer leads on: one with such a status that does not say where to is an answer like any other, as in browsers. */
export const leadsOn = (statusCode: number, header: (name: string) => string | undefined): boolean =>
  isRedirect(statusCode) && (header("location") ?? "") !== "";

/** Keeps the cookies of a redirect for the requests after it; null when it sets none, so that nobody has to wait. */
export function takeCookies(trail: RedirectTrail, answer: Answer): Promise<void> | null {
  const setCookies = answer.setCookies();
  if (setCookies.length === 0) return null;
  return keepCookies(trail.cookies, trail.request.url, setCookies).then((cookies) => {
    trail.cookies = cookies;
  });
}

/**
 * Makes the request that an answer which leads on asks for the trail's latest. Returns null, or why it is not to be
 * made: too many have been, it was made before, or it would go without TLS.
 */
export function followRedirect(
  trail: RedirectTrail,
  answer: Answer,
  { maxRedirects = DEFAULT_REDIRECTS, requireTls = false }: RedirectRules,
): Reason | null {
  const { statusCode: status } = answer;
  const text = Buffer.from(answer.header("location") ?? "", "latin1").toString("utf8");
  if (trail.redirects.length >= maxRedirects) {
    return fact("redirect.too_many", { count: maxRedirects, url: excerpt(text) });
  }
  const wasSecure = trail.request.origin.secure;
  trail.visited.push(identityOf(trail.sent));
  try {
    trail.request = redirectRequest(trail.request, status, text);
    trail.sent = withCookies(trail.request, trail.cookies);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return fact("redirect.unfit", { status, url: excerpt(text), ...error.unfit });
  }
  const { href } = trail.request.url;
  if (requireTls && wasSecure && !trail.request.origin.secure) {
    return fact("redirect.downgrade", { status, url: excerpt(href) });
  }
  if (trail.visited.includes(identityOf(trail.sent))) {
    return fact("redirect.loop", { url: excerpt(href) });
  }
  trail.redirects.push({ statusCode: status, url: href });
  return null;
}

import { excerpt, fact } from "../texts/fact.ts";
import type { RedirectStep } from "./check.ts";
import { type Cookies, identityOf, keepCookies, withCookies } from "./cookies.ts";
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

const MAX_REDIRECTS = 5;

export const newTrail = (request: HttpRequest): RedirectTrail => ({
  request,
  sent: request,
  cookies: null,
  redirects: [],
  visited: [],
});

export const isRedirect = (code: number): boolean =>
  code === 301 || code === 302 || code === 303 || code === 307 || code === 308;

/** Keeps the cookies of a redirect for the requests after it; null when it sets none, so that nobody has to wait. */
export function takeCookies(trail: RedirectTrail, answer: Answer): Promise<void> | null {
  const setCookies = answer.setCookies();
  if (setCookies.length === 0) return null;
  return keepCookies(trail.cookies, trail.request.url, setCookies).then((cookies) => {
    trail.cookies = cookies;
  });
}

/**
 * Makes the request that a redirect leads to the trail's latest. Returns null, or why it is not to be
 * made: at most five redirects are followed, and none to a request that was made before.
 */
export function followRedirect(trail: RedirectTrail, answer: Answer): Reason | null {
  const location = answer.header("location");
  const { statusCode: status } = answer;
  if (location === undefined || location === "") {
    return fact("redirect.nowhere", { status });
  }
  const text = Buffer.from(location, "latin1").toString("utf8");
  if (trail.redirects.length >= MAX_REDIRECTS) {
    return fact("redirect.too_many", { count: MAX_REDIRECTS, url: excerpt(text) });
  }
  trail.visited.push(identityOf(trail.sent));
  try {
    trail.request = redirectRequest(trail.request, status, text);
    trail.sent = withCookies(trail.request, trail.cookies);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return fact("redirect.unfit", { status, url: excerpt(text), ...error.unfit });
  }
  const { href } = trail.request.url;
  if (trail.visited.includes(identityOf(trail.sent))) {
    return fact("redirect.loop", { url: excerpt(href) });
  }
  trail.redirects.push({ statusCode: status, url: href });
  return null;
}

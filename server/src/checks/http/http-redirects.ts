import type { Cookie, CookieJar } from "tough-cookie";
import { excerpt, msg } from "../../platform/i18n/message.ts";
import type { RedirectStep } from "../check.ts";
import type { Reason } from "../reasons.ts";
import { DEFAULT_REDIRECTS, HEADER_VALUE_PATTERN } from "./http-config.ts";
import { composeRequest, type HttpRequest, RequestError, redirectRequest } from "./http-request.ts";
import type { Answer } from "./http-running.ts";

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

/** Stores the cookies of a redirect for the requests after it; null when it sets none, so that no caller has to wait. */
export function takeCookies(trail: RedirectTrail, answer: Answer): Promise<void> | null {
  const setCookies = answer.setCookies();
  if (setCookies.length === 0) return null;
  return keepCookies(trail.cookies, trail.request.url, setCookies).then((cookies) => {
    trail.cookies = cookies;
  });
}

/** Null, or why the redirect must not be followed: too many, sent before, or without TLS. */
export function followRedirect(
  trail: RedirectTrail,
  answer: Answer,
  { maxRedirects = DEFAULT_REDIRECTS, requireTls = false }: RedirectRules,
): Reason | null {
  const { statusCode: status } = answer;
  const text = Buffer.from(answer.header("location") ?? "", "latin1").toString("utf8");
  if (trail.redirects.length >= maxRedirects) {
    return msg("redirect.too_many", { count: maxRedirects, url: excerpt(text) });
  }
  const wasSecure = trail.request.origin.secure;
  trail.visited.push(identityOf(trail.sent));
  try {
    trail.request = redirectRequest(trail.request, status, text);
    trail.sent = withCookies(trail.request, trail.cookies);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return msg("redirect.unfit", { status, url: excerpt(text), ...error.unfit });
  }
  const { href } = trail.request.url;
  if (requireTls && wasSecure && !trail.request.origin.secure) {
    return msg("redirect.downgrade", { status, url: excerpt(href) });
  }
  if (trail.visited.includes(identityOf(trail.sent))) {
    return msg("redirect.loop", { url: excerpt(href) });
  }
  trail.redirects.push({ statusCode: status, url: href });
  return null;
}

/** The cookies that servers set within one check; they go with its redirects and are forgotten after. */
interface Cookies {
  jar: CookieJar;
  /** How many Set-Cookie headers were looked at. */
  seen: number;
}

const MAX_SEEN = 100;
const MAX_COOKIE_LENGTH = 4096;
const MAX_HEADER_LENGTH = 16_384;
const VALUE = new RegExp(HEADER_VALUE_PATTERN);

/**
 * RFC 6265: for its own host and domains above it that are no public suffixes; malformed or excessive ones
 * are left out. Loads the library with the first cookie: most targets set none.
 */
export async function keepCookies(
  cookies: Cookies | null,
  url: URL,
  setCookies: readonly string[],
): Promise<Cookies> {
  const state = cookies ?? { jar: await newJar(), seen: 0 };
  for (const line of setCookies.slice(0, MAX_SEEN - state.seen)) {
    state.seen += 1;
    if (line.length > MAX_COOKIE_LENGTH || !VALUE.test(line)) continue;
    try {
      state.jar.setCookieSync(line, url.href, { ignoreError: true });
    } catch {
      // One that the library cannot take must not stop the others.
    }
  }
  return state;
}

async function newJar(): Promise<CookieJar> {
  const { CookieJar } = await import("tough-cookie");
  return new CookieJar(undefined, { allowSecureOnLocal: false });
}

/** Behind the monitor's own Cookie header, of which a cookie that the server has set anew replaces one. */
export function withCookies(request: HttpRequest, cookies: Cookies | null): HttpRequest {
  const found = cookies === null ? [] : cookiesFor(request.url, cookies);
  if (found.length === 0) return request;
  const names = new Set(found.map(({ key }) => key));
  const own = request.headers.find(([name]) => name === "cookie")?.[1] ?? "";
  const pairs = own
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0] ?? ""));
  let length = 0;
  for (const cookie of found) {
    const pair = cookie.cookieString();
    length += pair.length + 2;
    if (length <= MAX_HEADER_LENGTH) pairs.push(pair);
  }
  const others = request.headers.filter(([name]) => name !== "cookie");
  return composeRequest(request.url, request.method, [...others, ["cookie", pairs.join("; ")]], request.body);
}

/** None where the library refuses a host: it throws at names such as `test` and `local`, which can have none. */
function cookiesFor(url: URL, { jar }: Cookies): Cookie[] {
  try {
    return jar.getCookiesSync(url.href);
  } catch {
    return [];
  }
}

/** What distinguishes a request from one made before: with other cookies it may lead elsewhere. */
const identityOf = ({ method, url, headers }: HttpRequest): string =>
  `${method} ${url.href} ${headers.find(([name]) => name === "cookie")?.[1] ?? ""}`;

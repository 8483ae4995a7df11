import type { Cookie, CookieJar } from "tough-cookie";
import { HEADER_VALUE_PATTERN } from "./http-config.ts";
import { composeRequest, type HttpRequest } from "./http-request.ts";

/** The cookies that servers set within one check; they go with its redirects and are forgotten after. */
export interface Cookies {
  jar: CookieJar;
  /** How many Set-Cookie headers were looked at. */
  seen: number;
}

const MAX_SEEN = 100;
const MAX_COOKIE_LENGTH = 4096;
const MAX_HEADER_LENGTH = 16_384;
const VALUE = new RegExp(HEADER_VALUE_PATTERN);

/**
 * Keeps the cookies that an answer from `url` sets (RFC 6265), as far as it may: for its own host and the domains
 * above it that are not public suffixes. Those that are malformed, too long or too many are left out. The library is
 * loaded when the first cookie arrives: most targets set none.
 */
export async function keepCookies(
  cookies: Cookies | null,
  url: URL,
  setCookies: readonly string[],
): Promise<Cookies> {
  const kept = cookies ?? { jar: await newJar(), seen: 0 };
  for (const line of setCookies.slice(0, MAX_SEEN - kept.seen)) {
    kept.seen += 1;
    if (line.length > MAX_COOKIE_LENGTH || !VALUE.test(line)) continue;
    try {
      kept.jar.setCookieSync(line, url.href, { ignoreError: true });
    } catch {
      // One that the library cannot take must not stop the others.
    }
  }
  return kept;
}

async function newJar(): Promise<CookieJar> {
  const { CookieJar } = await import("tough-cookie");
  return new CookieJar(undefined, { allowSecureOnLocal: false });
}

/**
 * The request with the cookies that belong to its URL, behind those of the monitor's own Cookie header; one
 * that the server has set anew replaces the monitor's of that name.
 */
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
export const identityOf = ({ method, url, headers }: HttpRequest): string =>
  `${method} ${url.href} ${headers.find(([name]) => name === "cookie")?.[1] ?? ""}`;

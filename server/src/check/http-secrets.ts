import { HARMLESS_HEADERS, type HttpConfig } from "./http-config.ts";
import type { HttpRequest } from "./http-request.ts";

/** Of a body's own values: shorter ones are words rather than credentials. */
const LONG_VALUE = 8;

/** A header whose value is nobody's business, whoever sends it. */
const PRIVATE_HEADER =
  /cookie|authori[sz]ation|authentication|token|secret|api-?key|passw|session|csrf|xsrf|signature|credential/i;

export const isPrivateHeader = (name: string): boolean => PRIVATE_HEADER.test(name);

/** All that a request carries and nobody is to read where a server quotes it: the monitor's secrets, and its cookies. */
export function secretsOf(config: HttpConfig, sent: HttpRequest): string[] {
  const { username = "", password = "", token = "", value = "" } = config.authConfig ?? {};
  const own = [...Object.entries(config.headers ?? {}), ...sent.headers];
  const headers = own.filter(([name]) => !HARMLESS_HEADERS.has(name.toLowerCase()));
  return [
    ...[password, token, value, `${username}:${password}`],
    ...userInformation(config.url),
    ...headers.flatMap(([name, text]) => [
      text,
      ...(name === "cookie" ? cookieValues(text) : afterScheme(text)),
    ]),
    ...secretsOfBody(config.body ?? ""),
  ];
}

/** What stands behind `Bearer` or `Basic`. */
const afterScheme = (value: string) => /^[A-Za-z-]{1,32} +(\S.*)$/.exec(value)?.slice(1) ?? [];

const cookieValues = (header: string) =>
  header.split(";").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());

function userInformation(text: string): string[] {
  const url = URL.parse(text);
  if (url === null || url.password === "") return [];
  try {
    return [
      decodeURIComponent(url.password),
      `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
    ];
  } catch {
    return [url.password];
  }
}

/** The body itself, and the longer values in it: a server may quote a single one. */
function secretsOfBody(body: string): string[] {
  if (body === "") return [];
  const found = [body];
  const collect = (value: unknown) => {
    if (typeof value === "string" && value.length >= LONG_VALUE) found.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(body));
  } catch {
    collect(Object.fromEntries(new URLSearchParams(body)));
  }
  return found;
}

import { normaliseHost, serverNameProblem } from "../check/host.ts";
import type { AuthConfig, HttpConfig } from "../check/http-config.ts";
import { siteOf } from "../check/http-request.ts";
import { fact } from "../texts/fact.ts";
import { reportAssertions } from "./assertion-problems.ts";
import type { Changed, ConfigChange, Report } from "./config-change.ts";
import { unmaskedHeaders } from "./stored-secrets.ts";
import { normaliseUrl } from "./url.ts";

/** What may be sent of it: an API client may name the parts of the URL instead. */
export interface HttpInput extends HttpConfig {
  host?: string;
  port?: number;
  path?: string;
}

type AuthType = NonNullable<HttpConfig["authType"]>;

/** What was sent applied. What belongs together (authentication) is judged together. */
export function changeHttp(change: ConfigChange<HttpInput>, report: Report): Changed<HttpConfig> {
  const { stored, sent } = change;
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const {
    authConfig: _,
    url: __,
    host,
    port,
    path,
    ...check
  }: Partial<HttpInput> = { ...change.kept, ...given };
  if (sent.headers) {
    const headers = { sent: sent.headers, stored: stored.headers ?? {}, field: "headers" };
    check.headers = unmaskedHeaders(headers, report);
  }
  if (check.body === "") delete check.body;
  applyNames(check, report);
  const authType = check.authType ?? "none";
  const authConfig = applyAuth(stored, sent, authType, report);
  const byHeader = Object.keys(check.headers ?? {}).some((name) => name.toLowerCase() === "authorization");
  if (byHeader && (authType === "basic" || authType === "bearer")) {
    report("headers", fact("auth.header", { type: authType }));
  }
  if (sent.assertions !== undefined || sent.method !== undefined) reportAssertions(check, report);
  const { url, displayTarget } = applyUrl(change, report);
  return { config: { url, ...check, ...(authConfig && { authConfig }) }, displayTarget };
}

/** Of a scheme whose usual port is none that a Host header leaves out. */
const ANY_SITE = new URL("ftp://host/");

/** Names in the one form of a host; empty ones are as if nothing were said. */
function applyNames(check: Partial<HttpConfig>, report: Report): void {
  const { hostHeader, serverName } = check;
  if (hostHeader !== undefined) {
    const site = siteOf(ANY_SITE, hostHeader.trim());
    if (hostHeader.trim() === "") delete check.hostHeader;
    else if (site === null) report("hostHeader", fact("host.malformed"));
    else check.hostHeader = site.host;
  }
  if (serverName !== undefined) {
    const problem = serverNameProblem(serverName);
    if (serverName.trim() === "") delete check.serverName;
    else if (problem !== null) report("serverName", problem);
    else check.serverName = normaliseHost(serverName) ?? serverName;
  }
}

/** The URL stays, where the change is of single fields and it is not among them. */
function applyUrl({ kept, sent }: ConfigChange<HttpInput>, report: Report) {
  const { url = "" } = kept;
  const typed = sent.url ?? urlOf(sent);
  if (typed === null && url !== "") return { url };
  const result = normaliseUrl(typed ?? "");
  if (result.ok) return { url: result.url, displayTarget: result.displayUrl };
  report(sent.url === undefined && typed !== null ? "host" : "url", result.problem);
  return { url };
}

/** Ports on which TLS is expected where nobody says so. */
const TLS_PORTS = [443, 8443];

/** An address by its parts; null: there are none. */
function urlOf({ host, port, path = "" }: Partial<HttpInput>): string | null {
  if (host === undefined) return null;
  const scheme = port === undefined || TLS_PORTS.includes(port) ? "https" : "http";
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${scheme}://${name}${port === undefined ? "" : `:${port}`}${path === "" ? "" : path.replace(/^\/?/, "/")}`;
}

const NEEDED: Record<AuthType, readonly (keyof AuthConfig)[]> = {
  none: [],
  basic: ["username", "password"],
  bearer: ["token"],
  header: ["name", "value"],
};

function applyAuth(
  stored: Partial<HttpConfig>,
  sent: Partial<HttpConfig>,
  authType: AuthType,
  report: Report,
): AuthConfig | null {
  if (authType === "none") {
    if (sent.authConfig && Object.keys(sent.authConfig).length > 0) {
      report("authConfig", fact("auth.typeless"));
    }
    return null;
  }
  // A secret is never shown, so what is not sent again stays as it is while the type does.
  const kept = authType === stored.authType ? stored.authConfig : {};
  const merged = { ...kept, ...sent.authConfig };
  for (const field of NEEDED[authType]) {
    const mayBeEmpty = field === "password";
    if (merged[field] === undefined || (merged[field] === "" && !mayBeEmpty)) {
      report(`authConfig.${field}`, fact("auth.required", { field, type: authType }));
    }
  }
  if (authType === "basic" && merged.username?.includes(":")) {
    report("authConfig.username", fact("auth.colon"));
  }
  return Object.fromEntries(NEEDED[authType].map((field) => [field, merged[field]]));
}

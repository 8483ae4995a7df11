import { type Assertion, type JsonAssertion, statusInSet } from "../checks/http/http-assertion-config.ts";
import type { AuthConfig, HttpConfig } from "../checks/http/http-config.ts";
import { isHarmlessHeader, siteOf } from "../checks/http/http-request.ts";
import { normaliseHost, serverNameProblem } from "../platform/formats/host.ts";
import { normaliseUrl } from "../platform/formats/url.ts";
import { msg, type ParamsOf } from "../platform/i18n/message.ts";
import type { Changed, ConfigChange, Report } from "./announce-change.ts";
import { credentialDanger } from "./credential-danger.ts";
import { maskedHeaders, unmaskedHeaders } from "./stored-secrets.ts";

/** Why no response can meet a condition. */
type Never = ParamsOf<"expectation.never">["never"];

const CODES = Array.from({ length: 500 }, (_, at) => at + 100);

/**
 * Reports what the schema of assertions cannot say: a value that is missing or is none to compare with, and conditions that no
 * response can meet, which would be an outage for good.
 */
function reportAssertions(
  { assertions = [], method = "GET" }: Pick<HttpConfig, "assertions" | "method">,
  report: Report,
): void {
  assertions.forEach((assertion, at) => {
    const field = `assertions.${at}`;
    if (reportValue(assertion, field, report)) return;
    const never = neverAlone(assertion, method) ?? neverWith(assertion, assertions.slice(0, at));
    if (never !== null) report(field, msg("expectation.never", { never }));
  });
}

/** Whether something is wrong with what is compared with. */
function reportValue(assertion: Assertion, field: string, report: Report): boolean {
  if (assertion.type === "response_time") {
    const { degradedAboveMs, downAboveMs } = assertion;
    if (degradedAboveMs !== undefined || downAboveMs !== undefined) return false;
    report(field, msg("expectation.limit"));
    return true;
  }
  if (assertion.type !== "json" && assertion.type !== "header") return false;
  const { operator, value } = assertion;
  if (operator === "exists" || operator === "missing") return false;
  if (value === undefined) report(`${field}.value`, msg("expectation.value", { comparison: operator }));
  else if (/^[gl]te?$/.test(operator) && typeof value !== "number" && !isLargeInteger(value))
    report(`${field}.value`, msg("expectation.number", { comparison: operator }));
  else return false;
  return true;
}

/** An integer that JSON writes as a text, so that every digit of it counts. */
const isLargeInteger = (value: unknown): boolean =>
  typeof value === "string" && /^-?\d{16,400}$/.test(value) && !Number.isSafeInteger(Number(value));

function neverAlone(assertion: Assertion, method: string): Never | null {
  if (assertion.type === "status")
    return CODES.some((code) => statusInSet(code, assertion.codes)) ? null : "codes";
  if (assertion.type === "keyword")
    return method === "HEAD" && assertion.operator === "present" ? "body" : null;
  if (assertion.type === "header") {
    const { operator, value = "", allowMissing = false } = assertion;
    return operator === "eq" && value !== value.trim() && !allowMissing ? "space" : null;
  }
  return assertion.type === "json" ? neverJson(assertion, method) : null;
}

function neverJson(
  { path, operator, value, compareAs = "json", allowMissing = false }: JsonAssertion,
  method: string,
): Never | null {
  if (method === "HEAD" && compareAs === "json") return "body";
  if (path === "$" && operator === "missing") return "root";
  if (operator === "exists" || operator === "missing") return null;
  // The body itself is always there; whatever else is compared may be missing.
  if (allowMissing && path !== "$") return null;
  if (compareAs === "length") return canBeLength(operator, value) ? null : "length";
  const isTrimmed = compareAs === "integer" && path === "$" && operator === "eq";
  return isTrimmed && typeof value === "string" && value !== value.trim() ? "space" : null;
}

/** Whether there is a length that fits: they are compared as JSON writes numbers. */
function canBeLength(operator: JsonAssertion["operator"], value: JsonAssertion["value"]): boolean {
  if (operator === "eq") return /^(?:0|[1-9]\d*)$/.test(String(value));
  if (operator === "lt") return Number(value) > 0;
  return operator !== "lte" || Number(value) >= 0;
}

/** Of conditions that exclude each other the later one is reported. */
function neverWith(assertion: Assertion, before: readonly Assertion[]): Never | null {
  if (assertion.type === "status") {
    const sets = [...before, assertion].flatMap((one) => (one.type === "status" ? [one.codes] : []));
    return CODES.some((code) => sets.every((set) => statusInSet(code, set))) ? null : "codes";
  }
  if (assertion.type === "keyword") {
    const { operator, value } = assertion;
    const isExcluded = before.some((one) => {
      if (one.type !== "keyword" || one.operator === operator) return false;
      const [present, absent] = operator === "present" ? [value, one.value] : [one.value, value];
      return present.includes(absent);
    });
    return isExcluded ? "absent" : null;
  }
  if (assertion.type !== "json" || !["exists", "missing"].includes(assertion.operator)) return null;
  const opposite = assertion.operator === "exists" ? "missing" : "exists";
  const isOpposed = before.some(
    (one) => one.type === "json" && one.path === assertion.path && one.operator === opposite,
  );
  return isOpposed ? "absent" : null;
}

/** What may be sent of it: an API client may name the parts of the URL instead. */
interface HttpInput extends HttpConfig {
  host?: string;
  port?: number;
  path?: string;
}

type AuthType = NonNullable<HttpConfig["authType"]>;

/** Applies what was sent. Fields that belong together (authentication) are validated together. */
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
  }: Partial<HttpInput> = { ...change.retained, ...given };
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
    report("headers", msg("auth.header", { type: authType }));
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
    else if (site === null) report("hostHeader", msg("host.malformed"));
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
function applyUrl({ retained, sent }: ConfigChange<HttpInput>, report: Report) {
  const { url = "" } = retained;
  const typed = sent.url ?? urlOf(sent);
  if (typed === null && url !== "") return { url };
  const result = normaliseUrl(typed ?? "");
  if (result.ok) return { url: result.url, displayTarget: result.displayUrl };
  report(sent.url === undefined && typed !== null ? "host" : "url", result.problem);
  return { url };
}

/** Ports on which TLS is expected by default. */
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
      report("authConfig", msg("auth.typeless"));
    }
    return null;
  }
  // A secret is never shown, so what is not sent again stays as it is while the type does.
  const retained = authType === stored.authType ? stored.authConfig : {};
  const merged = { ...retained, ...sent.authConfig };
  for (const field of NEEDED[authType]) {
    const mayBeEmpty = field === "password";
    if (merged[field] === undefined || (merged[field] === "" && !mayBeEmpty)) {
      report(`authConfig.${field}`, msg("auth.required", { field, type: authType }));
    }
  }
  if (authType === "basic" && merged.username?.includes(":")) {
    report("authConfig.username", msg("auth.colon"));
  }
  return Object.fromEntries(NEEDED[authType].map((field) => [field, merged[field]]));
}

/**
 * A user who may change a monitor must not learn its credentials by redirecting them. If a change would send them to another
 * server or expose them in transit, the same request must contain them; headers that any host is sent after a redirect are
 * exempt. `config` is the result of the change.
 */
function validateHttpCredentials(
  { stored, sent }: ConfigChange<HttpConfig>,
  config: HttpConfig,
  report: Report,
): void {
  if (!stored.url || config.url === "") return;
  const danger = credentialDanger(stored, config);
  if (danger === null) return;
  const { authType = "none", authConfig = {}, headers = {} } = config;
  const given: object = sent.authConfig ?? {};
  if (authType !== "none" && Object.keys(authConfig).some((field) => !(field in given))) {
    report("authConfig", msg("stored.auth", { danger, config: "authConfig", type: "authType" }));
  }
  const retained = (sent.headers ? maskedHeaders(sent.headers) : Object.keys(headers)).filter(
    (name) => !isHarmlessHeader(name),
  );
  if (retained.length === 0) return;
  if (!sent.headers) {
    report("headers", msg("stored.headers", { danger, none: "{}" }));
  } else for (const name of retained) report(`headers.${name}`, msg("stored.header", { danger, name }));
}

/** What an HTTP check's configuration has beside its schema: a URL as typed, and authentication. */
export const httpRules = {
  change(change: ConfigChange<HttpInput>, report: Report): Changed<HttpConfig> {
    const changed = changeHttp(change, report);
    validateHttpCredentials(change, changed.config, report);
    return changed;
  },
  host: ({ url }: HttpConfig) => (url === "" ? null : { host: new URL(url).hostname, field: "url" }),
};

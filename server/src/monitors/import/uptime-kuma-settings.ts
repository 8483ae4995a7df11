import { DEFAULT_REDIRECTS, MAX_REDIRECTS } from "../../checks/http/http-config.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import { type Addressed, clean, monitorAt, takeHost } from "./address.ts";
import { isPlain, isSaid, listOf, lookUp, numberOf, own, type Plain, textOf } from "./monitor-names.ts";

const PAGES = ["http", "keyword", "json-query", "real-browser"];
/** Types whose conditions are converted elsewhere. */
const EVALUATED_CONDITIONS = ["dns", "mysql", "postgres"];
/** Unsupported settings, with the types that have them and their defaults. */
const UNUSED: readonly { setting: string; types?: readonly string[]; usual?: readonly unknown[] }[] = [
  { setting: "proxyId", types: [...PAGES, "websocket-upgrade"] },
  { setting: "resendInterval" },
  { setting: "domainExpiryNotification" },
  { setting: "ipFamily" },
  { setting: "cacheBust", types: PAGES },
  { setting: "retryOnlyOnStatusCodeFailure", types: ["json-query"] },
  { setting: "saveResponse", types: PAGES },
  { setting: "packetSize", types: ["ping"], usual: [56] },
  { setting: "ping_per_request_timeout", types: ["ping"], usual: [2] },
  { setting: "grpcMetadata", types: ["grpc-keyword"] },
  { setting: "wsIgnoreSecWebsocketAcceptHeader", types: ["websocket-upgrade"] },
  { setting: "databaseQuery", types: ["mongodb"] },
  { setting: "jsonPath", types: ["mongodb"], usual: ["$"] },
  { setting: "expectedValue", types: ["mongodb"] },
];

export function unusedSettings(monitor: Plain, type: string): MessageDescriptor[] {
  const settings = UNUSED.filter(({ setting, types, usual = [] }) => {
    const value = own(monitor, setting);
    return (types?.includes(type) ?? true) && isSaid(value) && !usual.includes(value);
  }).map(({ setting }) => setting);
  const notes: MessageDescriptor[] = settings.map((setting) => msg("import.setting", { setting }));
  if (!EVALUATED_CONDITIONS.includes(type)) notes.push(...conditionsOf(monitor).map(leftOut));
  const isSecure = /^https:/i.test(textOf(own(monitor, "url")) ?? "");
  const isSilent = [false, 0].includes(own(monitor, "expiryNotification") as number);
  if (PAGES.includes(type) && isSecure && isSilent) notes.push(msg("import.certificate_warning"));
  return notes;
}

interface KumaCondition {
  variable: string;
  operator: string;
  value: string;
  /** For notes. */
  text: string;
}

/** Including those within groups. */
function conditionsOf(monitor: Plain): KumaCondition[] {
  const found: KumaCondition[] = [];
  const collect = (list: unknown, depth: number): void => {
    for (const one of listOf(list)) {
      if (own(one, "type") === "group" && depth < 5) {
        collect(own(one, "children"), depth + 1);
        continue;
      }
      const [variable, operator, value] = ["variable", "operator", "value"].map(
        (name) => textOf(own(one, name)) ?? "",
      ) as [string, string, string];
      found.push({ variable, operator, value, text: `${variable} ${operator} ${value}`.trim() });
    }
  };
  const given = own(monitor, "conditions");
  collect(typeof given === "string" ? parsedList(given) : given, 0);
  return found;
}

export const hasConditions = (monitor: Plain): boolean => conditionsOf(monitor).length > 0;

/** A list as JSON text; unreadable text becomes one condition. */
function parsedList(text: string): unknown {
  try {
    return text.trim() === "" ? [] : JSON.parse(text);
  } catch {
    return [{ variable: text.slice(0, 100) }];
  }
}

const leftOut = ({ text }: KumaCondition): MessageDescriptor => msg("import.condition", { condition: text });

/**
 * The single text that conditions require of `variable`, with notes on unsupported ones. Several conditions
 * are alternatives or different texts, and none is used.
 */
export function expectedBy(
  monitor: Plain,
  variable: string,
): { expect?: string; notes: MessageDescriptor[] } {
  const conditions = conditionsOf(monitor);
  const [only] = conditions;
  if (
    conditions.length === 1 &&
    only?.variable === variable &&
    only.operator === "equals" &&
    only.value !== ""
  )
    return { expect: only.value, notes: [] };
  return { notes: conditions.map(leftOut) };
}

export type Converted =
  | (Addressed & { notes?: MessageDescriptor[] })
  | { problem: MessageDescriptor; kind: CheckedKind };

/** Supported ones. */
const AUTH_METHODS: readonly unknown[] = [undefined, null, "", "null", "none", "basic", "bearer"];
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  xml: "text/xml; charset=utf-8",
};

const hasHeader = (headers: object, wanted: string): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === wanted);

/** Null: supported. */
function authProblem(monitor: Plain): MessageDescriptor | null {
  const method = own(monitor, "authMethod");
  return AUTH_METHODS.includes(method) ? null : msg("import.auth", { method: String(method) });
}

/** `assertions`: of its type, beside the status. */
export function webPage(monitor: Plain, assertions: object[]): Converted {
  const refused = (problem: MessageDescriptor): Converted => ({ problem, kind: "domain" });
  const problem = authProblem(monitor);
  if (problem) return refused(problem);
  const found = monitorAt(textOf(own(monitor, "url")) ?? "");
  if ("problem" in found) return refused(found.problem);
  if (found.kind !== "domain") return refused(msg("import.address", { scheme: "url" }));
  const notes: MessageDescriptor[] = [];
  const headers = headersOf(monitor, notes);
  const codes = codesOf(monitor);
  const written = textOf(own(monitor, "body"));
  const body = written?.trim() === "" ? undefined : written;
  const type = lookUp(CONTENT_TYPES, textOf(own(monitor, "httpBodyEncoding")) ?? "json");
  if (body !== undefined && type !== undefined && !hasHeader(headers, "content-type"))
    headers["Content-Type"] = type;
  const request = textOf(own(monitor, "method"))?.toUpperCase();
  const redirects = numberOf(own(monitor, "maxredirects"));
  const hostHeader = takeHost(headers);
  const settings = clean({
    method: request === "GET" ? undefined : request,
    body,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    ignoreCertificate: isSaid(own(monitor, "ignoreTls")) ? true : undefined,
    hostHeader,
    followRedirects: redirects === 0 ? false : undefined,
    maxRedirects: redirects === undefined || redirects === 0 ? undefined : toMaxRedirects(redirects, notes),
    assertions: [{ type: "status", codes: codes.length > 0 ? codes.join(",") : "200-299" }, ...assertions],
  });
  // An explicit header has precedence over credentials.
  const login = hasHeader(headers, "authorization") ? {} : loginOf(monitor);
  const { authConfig } = login;
  // A login of Vedette has a user.
  if (authConfig?.username === "")
    return { kind: "domain", body: { ...found.body, ...withLogin(settings, authConfig) }, notes };
  return { kind: "domain", body: { ...found.body, ...settings, ...login }, notes };
}

const codesOf = (monitor: Plain): string[] =>
  listOf(own(monitor, "accepted_statuscodes")).flatMap((one) => textOf(one) ?? []);
/** Clamped; Kuma's default is the same. */
function toMaxRedirects(wanted: number, notes: MessageDescriptor[]): number | undefined {
  const most = Math.min(Math.trunc(wanted), MAX_REDIRECTS);
  if (most < wanted) notes.push(msg("import.changed", { setting: "maxredirects", from: wanted, to: most }));
  return most === DEFAULT_REDIRECTS || most < 0 ? undefined : most;
}

interface Login {
  authType?: "basic" | "bearer";
  authConfig?: Record<string, string>;
}

/** Versions before 1.19 have no method, only user and password. */
function loginOf(monitor: Plain): Login {
  const method = own(monitor, "authMethod");
  const token = textOf(own(monitor, "bearer_token"));
  if (method === "bearer") return { authType: "bearer", authConfig: { token: token ?? "" } };
  if (method !== "basic" && method !== undefined) return {};
  const username = textOf(own(monitor, "basic_auth_user")) ?? "";
  const password = textOf(own(monitor, "basic_auth_pass")) ?? "";
  return username + password === "" ? {} : { authType: "basic", authConfig: { username, password } };
}

const withLogin = <T extends { headers?: Record<string, string> | undefined }>(
  settings: T,
  login: Record<string, string>,
): T => ({ ...settings, headers: { ...settings.headers, Authorization: credentials(login) } });

/** Close codes of a healthy server. */
const CLOSED_WELL: readonly string[] = ["1000", "200-299"];

/** Credentials become a header. */
export function websocket(monitor: Plain): Converted {
  const refused = (problem: MessageDescriptor): Converted => ({ problem, kind: "service" });
  const problem = authProblem(monitor);
  if (problem) return refused(problem);
  const found = monitorAt(textOf(own(monitor, "url")) ?? "");
  if ("problem" in found) return refused(found.problem);
  const { protocol, protocolConfig } = found.body as { protocol?: string; protocolConfig?: object };
  if (protocol !== "websocket") return refused(msg("import.address", { scheme: "url" }));
  const notes: MessageDescriptor[] = [];
  const headers = headersOf(monitor, notes);
  if (takeHost(headers) !== undefined) notes.push(msg("import.setting", { setting: "headers.Host" }));
  const { authConfig } = loginOf(monitor);
  if (authConfig && !hasHeader(headers, "authorization")) headers["Authorization"] = credentials(authConfig);
  const subprotocol = textOf(own(monitor, "wsSubprotocol"))?.replaceAll(/\s/g, "");
  if (subprotocol && !hasHeader(headers, "sec-websocket-protocol"))
    headers["Sec-WebSocket-Protocol"] = subprotocol;
  for (const code of codesOf(monitor).filter((one) => !CLOSED_WELL.includes(one)))
    notes.push(msg("import.setting", { setting: `accepted_statuscodes: ${code}` }));
  const config = clean({
    ...protocolConfig,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    ignoreCertificate: isSaid(own(monitor, "ignoreTls")) ? true : undefined,
  });
  return { kind: "service", body: { protocol, protocolConfig: config }, notes };
}

const credentials = ({ username = "", password = "", token }: Record<string, string>): string =>
  token === undefined
    ? `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
    : `Bearer ${token}`;

/** Stored as JSON text. */
function headersOf(monitor: Plain, notes: MessageDescriptor[]): Record<string, string> {
  const text = textOf(own(monitor, "headers"));
  if (text === undefined) return {};
  try {
    const headers: unknown = JSON.parse(text);
    if (!isPlain(headers)) throw new Error("no headers");
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value) ?? ""]));
  } catch {
    notes.push(msg("import.setting", { setting: "headers" }));
    return {};
  }
}

/** JSON of a connection string; null where it is none. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Tls {
  tls?: boolean;
  ignoreCertificate?: true;
}

interface Options {
  config: Tls;
  /** Names of options that are not imported. */
  unused: string[];
}

/** Of node-postgres, for which `prefer` requires TLS, too. */
const SSL_MODES: Readonly<Record<string, Tls>> = {
  disable: { tls: false },
  prefer: { tls: true },
  require: { tls: true },
  "verify-ca": { tls: true },
  "verify-full": { tls: true },
  "no-verify": { tls: true, ignoreCertificate: true },
};
const SWITCHED: Readonly<Record<string, Tls>> = {
  ...{ true: { tls: true }, 1: { tls: true } },
  ...{ false: { tls: false }, 0: { tls: false } },
};
const MAX_NAME = 100;
/** Of MongoDB. */
const TRUSTING = ["tlsInsecure", "tlsAllowInvalidCertificates"];

/** Options after the `?` of a connection string, as the drivers of Uptime Kuma understand them. */
export function connectionOptions(address: string, protocol: string): Options {
  const options = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1] ?? "");
  const found: Options = { config: {}, unused: [] };
  for (const [name, value] of options) {
    if (name === "authSource" && protocol === "mongodb") continue;
    const tls = tlsOf(name, value, protocol);
    if (tls === null) found.unused.push(name.slice(0, MAX_NAME));
    else {
      Object.assign(found.config, tls.config);
      found.unused.push(...tls.unused);
    }
  }
  return found;
}

/** Null: another option. */
function tlsOf(name: string, value: string, protocol: string): Options | null {
  const known = (config: Tls | undefined): Options | null => (config ? { config, unused: [] } : null);
  if (name === "sslmode") return known(lookUp(SSL_MODES, value));
  if (TRUSTING.includes(name) && protocol === "mongodb")
    return known(value === "true" ? { ignoreCertificate: true } : {});
  if (name !== "ssl" && name !== "tls") return null;
  const switched = known(lookUp(SWITCHED, value));
  return switched ?? (protocol === "mysql" ? sslOfMysql(value) : null);
}

/** Settings in JSON, or the name of a set of authorities. */
function sslOfMysql(value: string): Options {
  const settings = parsedJson(value);
  if (!isPlain(settings)) return { config: { tls: true }, unused: ["ssl"] };
  const isTrusting = textOf(own(settings, "rejectUnauthorized")) === "false";
  const others = Object.keys(settings).filter((name) => name !== "rejectUnauthorized");
  return {
    config: { tls: true, ...(isTrusting && { ignoreCertificate: true }) },
    unused: others.map((name) => `ssl.${name.slice(0, MAX_NAME)}`),
  };
}

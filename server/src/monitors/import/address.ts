import { isIPv6 } from "node:net";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import { lookUp } from "./monitor-names.ts";

export interface Addressed {
  kind: CheckedKind;
  body: Record<string, unknown>;
  port?: number | string | undefined;
}

interface Parts {
  user: string | undefined;
  password: string | undefined;
  host: string | undefined;
  port: number | undefined;
  /** With its query. */
  path: string | undefined;
  query: URLSearchParams;
}

type Config = Record<string, unknown>;

interface Scheme {
  protocol: string;
  /** Settings besides host, port, user and password. */
  more?(parts: Parts): Config;
  /** Default port, where it differs from the protocol's own. */
  port?: number;
}

const security = (protocol: string, how: string, port: number): Scheme => ({
  protocol,
  port,
  more: () => ({ security: how }),
});
const requiresTls = ({ query }: Parts): boolean =>
  /^(?:require|verify-ca|verify-full|true|1)$/.test(
    query.get("sslmode") ?? query.get("ssl") ?? query.get("tls") ?? "",
  );
const databaseOf = ({ path = "" }: Parts): string | undefined =>
  decoded(path.replace(/[?#].*$/s, "").slice(1)) || undefined;
const sql = (protocol: string): Scheme => ({
  protocol,
  more: (parts) => ({ database: databaseOf(parts), tls: requiresTls(parts) }),
});
const websocket = (tls: boolean): Scheme => ({
  protocol: "websocket",
  more: ({ path }) => ({ tls, path }),
});
const grpc = (tls: boolean): Scheme => ({ protocol: "grpc", port: tls ? 443 : 80, more: () => ({ tls }) });
const withTls = (protocol: string, port: number): Scheme => ({ protocol, port, more: () => ({ tls: true }) });
const mongodb: Scheme = {
  protocol: "mongodb",
  more: (parts) => ({
    tls: requiresTls(parts),
    authDatabase: parts.user === undefined ? undefined : (parts.query.get("authSource") ?? databaseOf(parts)),
  }),
};

/** All but http and https. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  tcp: { protocol: "tcp" },
  udp: { protocol: "udp" },
  icmp: { protocol: "icmp" },
  ping: { protocol: "icmp" },
  tls: { protocol: "tls" },
  ssl: { protocol: "tls" },
  ssh: { protocol: "ssh" },
  sftp: { protocol: "ssh" },
  smtp: { protocol: "smtp" },
  smtps: security("smtp", "tls", 465),
  imap: security("imap", "starttls", 143),
  imaps: security("imap", "tls", 993),
  pop3: security("pop3", "starttls", 110),
  pop3s: security("pop3", "tls", 995),
  ftp: { protocol: "ftp" },
  ftps: security("ftp", "tls", 990),
  ws: websocket(false),
  wss: websocket(true),
  grpc: grpc(false),
  grpcs: grpc(true),
  postgres: sql("postgres"),
  postgresql: sql("postgres"),
  mysql: sql("mysql"),
  mariadb: sql("mysql"),
  redis: { protocol: "redis" },
  rediss: withTls("redis", 6379),
  mongodb,
  mqtt: { protocol: "mqtt" },
  mqtts: withTls("mqtt", 8883),
};

/** Protocols without a user. */
const ANONYMOUS: ReadonlySet<string> = new Set(["tcp", "udp", "icmp", "tls", "ssh", "websocket", "grpc"]);

const AUTHORITY = /^(?:([^/?#]*)@)?(\[[^\]/?#]*\]|[^:/?#,[\]]*)(?::(\d{1,5}))?([/?#].*)?$/s;
const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+):(\d{1,5})$/i;

/** From a URL, a host, or `host:port`. A problem never repeats the address, which may hold a password. */
export function monitorAt(typed: string): Addressed | { problem: MessageDescriptor } {
  const text = typed.trim();
  const [, scheme = "", rest = ""] = /^([a-z][\da-z+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  const name = scheme.toLowerCase();
  if (name === "") {
    const [, host, port] = HOST_AND_PORT.exec(text) ?? [];
    if (host === undefined) return { kind: "domain", body: { url: text } };
    const config = { host: bare(host), port: Number(port) };
    return { kind: "service", body: { protocol: "tcp", protocolConfig: config }, port: config.port };
  }
  if (name === "http" || name === "https") return webPage(name, rest);
  const known = lookUp(SCHEMES, name);
  if (!known) return { problem: msg("import.kind", { type: name }) };
  const parts = partsOf(isIPv6(rest) ? `[${rest}]` : rest);
  if (!parts) return { problem: msg("import.address", { scheme: name }) };
  const { protocol } = known;
  const config = clean(configOf(known, parts));
  return { kind: "service", body: { protocol, protocolConfig: config }, port: config.port };
}

function configOf({ protocol, port, more }: Scheme, parts: Parts): Config & { port?: number | undefined } {
  const { host, user, password } = parts;
  const login = ANONYMOUS.has(protocol) ? {} : { user: user || undefined, password: password || undefined };
  const own = protocol === "icmp" ? {} : { port: parts.port ?? port };
  return { host: host && bare(host), ...own, ...login, ...more?.(parts) };
}

/** User and password become basic authentication, which is stored encrypted. */
function webPage(scheme: string, rest: string): Addressed {
  const [, credentials, after = rest] = /^([^/?#]*)@(.*)$/s.exec(rest) ?? [];
  const url = `${scheme}://${after}`;
  const own = URL.parse(url)?.port || (scheme === "https" ? 443 : 80);
  const page: Addressed = { kind: "domain", body: { url }, port: Number(own) };
  if (credentials === undefined) return page;
  const [username, password] = loginOf(credentials);
  const login = { authType: "basic", authConfig: { username, password: password ?? "" } };
  return { ...page, body: { url, ...login } };
}

function partsOf(rest: string): Parts | null {
  const found = AUTHORITY.exec(rest);
  if (!found) return null;
  const [, credentials, host, port, path] = found;
  const [user, password] = credentials === undefined ? [] : loginOf(credentials);
  const query = new URLSearchParams(/\?([^#]*)/.exec(path ?? "")?.[1] ?? "");
  return { user, password, host: host || undefined, port: port ? Number(port) : undefined, path, query };
}

function loginOf(credentials: string): [user: string, password?: string] {
  const colon = credentials.indexOf(":");
  if (colon < 0) return [decoded(credentials)];
  return [decoded(credentials.slice(0, colon)), decoded(credentials.slice(colon + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** Without undefined fields. */
export const clean = <T extends object>(config: T): T =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)) as T;

/** Removes the Host header: it is a setting of its own here. */
export function takeHost(headers: Record<string, string>): string | undefined {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === "host");
  if (name === undefined) return undefined;
  const { [name]: value } = headers;
  delete headers[name];
  return value;
}

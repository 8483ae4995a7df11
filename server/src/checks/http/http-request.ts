import { isIP } from "node:net";
import { normaliseHost } from "../../platform/formats/host.ts";
import type { ParamsOf } from "../../platform/i18n/message.ts";
import {
  type AuthConfig,
  HARMLESS_HEADERS,
  HEADER_NAME_PATTERN,
  HEADER_VALUE_PATTERN,
  type HttpConfig,
} from "./http-config.ts";

export interface HttpOrigin {
  secure: boolean;
  /** Name or IP literal (without brackets), as the URL standard writes it. */
  host: string;
  port: number;
  /** Whether `host` is a literal: then there is nothing to resolve. */
  literal: boolean;
  /** Sent in the TLS handshake (SNI) and verified, in place of the host; null: the host. */
  serverName: string | null;
}

/** The server that a monitor means where its request names another host, or a different name in TLS. */
interface PinnedServer {
  /** How URLs name it: scheme, host and port as the request names them. */
  site: URL;
  /** Where it is. */
  address: URL;
  serverName: string | null;
}

export interface HttpRequest {
  /** As the server sees it, with the host of the Host header; without user information and fragment. */
  url: URL;
  origin: HttpOrigin;
  method: string;
  /** In lower case, without Host and Content-Length. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The one of them that carries the monitor's secret, whatever it is called. */
  secretHeader: string | null;
  body: Buffer | null;
  /** Null: whatever the URL names. */
  pinned: PinnedServer | null;
  /** The same as HTTP/1.1 bytes. */
  bytes: Buffer;
}

/** Why something must not become part of a request. */
export type Unfit = Pick<ParamsOf<"internal.request">, "unfit" | "name">;

export class RequestError extends Error {
  readonly unfit: Unfit;

  constructor(unfit: Unfit["unfit"], name?: string) {
    super(unfit);
    this.name = "RequestError";
    this.unfit = name === undefined ? { unfit } : { unfit, name };
  }
}

export const unfitOf = (error: unknown): Unfit =>
  error instanceof RequestError ? error.unfit : { unfit: "other" };

/** How checks over HTTP say who they are. */
export const USER_AGENT = "Vedette/0.1 (monitoring)";
const NAME = new RegExp(HEADER_NAME_PATTERN);
const VALUE = new RegExp(HEADER_VALUE_PATTERN);
const METHOD = /^[A-Z]{1,16}$/;
const LOCATION_LONGEST = 8192;
/** Whether a monitor's header goes along when a redirect leads to another origin. */
export const isHarmlessHeader = (name: string): boolean => HARMLESS_HEADERS.has(name.toLowerCase());

/** Parses an http(s) URL; throws RequestError for anything else. */
export function parseHttpUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (url === null) throw new RequestError("url");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new RequestError("scheme");
  return url;
}

const hostOf = ({ hostname }: URL) => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname);
const portOf = ({ port, protocol }: URL) => (port === "" ? (protocol === "https:" ? 443 : 80) : Number(port));

/** A redirect to the name of a pinned server stays with that server, on its own port where the name's is not another. */
function originOf(url: URL, pinned: PinnedServer | null): HttpOrigin {
  const secure = url.protocol === "https:";
  const isPinned = pinned !== null && url.hostname === pinned.site.hostname;
  const host = hostOf(isPinned ? pinned.address : url);
  const port = portOf(isPinned && url.origin === pinned.site.origin ? pinned.address : url);
  return { secure, host, port, literal: isIP(host) !== 0, serverName: isPinned ? pinned.serverName : null };
}

/** The URL with the Host header's host in place of its own; null for what is no host and port. */
export function siteOf(url: URL, hostHeader: string): URL | null {
  if (/[\s\p{Cc}/\\?#@%]/u.test(hostHeader)) return null;
  const site = URL.parse(`${url.protocol}//${hostHeader}`);
  const host = site === null ? null : normaliseHost(hostOf(site));
  if (site === null || host === null) return null;
  // The URL standard takes 10 and 0x7f.1 for addresses: a Host header means neither.
  if (isIP(host) === 4 && !hostHeader.startsWith(host)) return null;
  site.pathname = url.pathname;
  site.search = url.search;
  return site;
}

function pinnedBy(address: URL, { hostHeader = "", serverName = "" }: HttpConfig): PinnedServer | null {
  if (hostHeader === "" && serverName === "") return null;
  const site = hostHeader === "" ? address : siteOf(address, hostHeader);
  if (site === null) throw new RequestError("header", "host");
  const name = serverName === "" && hostHeader !== "" ? hostOf(site) : normaliseHost(serverName);
  return { site, address, serverName: name };
}

/** Composes a request; throws RequestError rather than let a header or method carry CR, LF or the like. */
export function composeRequest(
  url: URL,
  method: string,
  headers: readonly (readonly [string, string])[],
  body: Buffer | null,
  secretHeader: string | null = null,
  pinned: PinnedServer | null = null,
): HttpRequest {
  if (!METHOD.test(method)) throw new RequestError("method");
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`;
  for (const [name, value] of headers) {
    if (!NAME.test(name) || !VALUE.test(value)) throw new RequestError("header", name);
    head += `${name}: ${value}\r\n`;
  }
  if (body !== null) head += `content-length: ${body.length}\r\n`;
  head += "connection: close\r\n\r\n";
  const start = Buffer.from(head, "latin1");
  const bytes = body === null ? start : Buffer.concat([start, body]);
  const origin = originOf(url, pinned);
  return { url, origin, method, headers, secretHeader, body, pinned, bytes };
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;

function credentials(url: URL, config: HttpConfig): [string, string] | null {
  const { username = "", password = "", token = "", name, value = "" }: AuthConfig = config.authConfig ?? {};
  if (config.authType === "basic") return ["authorization", basic(username, password)];
  if (config.authType === "bearer") return ["authorization", `Bearer ${token}`];
  if (config.authType === "header" && name !== undefined) return [name.toLowerCase(), value];
  if (url.username === "" && url.password === "") return null;
  return ["authorization", basic(decodeURIComponent(url.username), decodeURIComponent(url.password))];
}

/** POST, PUT and PATCH always have a body, if an empty one: without its length some servers refuse them (411). */
function bodyOf({ method = "GET", body = "" }: HttpConfig): Buffer | null {
  return body === "" && !["POST", "PUT", "PATCH"].includes(method) ? null : Buffer.from(body, "utf8");
}

export function requestOf(config: HttpConfig): HttpRequest {
  const url = parseHttpUrl(config.url);
  const headers = new Map([
    ["user-agent", USER_AGENT],
    ["accept", "*/*"],
    ["accept-encoding", "gzip, deflate, br, zstd"],
  ]);
  const body = bodyOf(config);
  if (body !== null && body.length > 0)
    headers.set("content-type", config.body?.startsWith("{") ? "application/json" : "text/plain");
  for (const [name, value] of Object.entries(config.headers ?? {})) headers.set(name.toLowerCase(), value);
  const secret = credentials(url, config);
  if (secret !== null) headers.set(...secret);
  const pinned = pinnedBy(bare(url), config);
  const { site } = pinned ?? { site: bare(url) };
  return composeRequest(site, config.method ?? "GET", [...headers], body, secret?.[0] ?? null, pinned);
}

/**
 * RFC 9110 §15.4, as in browsers: POST becomes GET but after 307 and 308; another origin gets no credentials,
 * cookies or headers of the monitor. Throws RequestError when it must not be followed.
 */
export function redirectRequest(from: HttpRequest, statusCode: number, location: string): HttpRequest {
  // Checked before parsing: some long addresses are slow to parse.
  if (location.length > LOCATION_LONGEST) throw new RequestError("long");
  const url = bare(parseHttpUrl(location, from.url));
  const keeps = statusCode === 307 || statusCode === 308 || from.method === "HEAD";
  const becomesGet = !keeps && (statusCode === 303 || from.method === "POST");
  const method = becomesGet ? "GET" : from.method;
  const body = becomesGet ? null : from.body;
  const foreign = url.origin !== from.url.origin;
  if (url.href.length > LOCATION_LONGEST) throw new RequestError("long");
  if (body !== null && body.length > 0 && from.origin.secure && url.protocol === "http:") {
    throw new RequestError("unencrypted");
  }
  const mayGoOn = (name: string) => !foreign || (HARMLESS_HEADERS.has(name) && name !== from.secretHeader);
  const headers = from.headers.filter(
    ([name]) => mayGoOn(name) && (body !== null || name !== "content-type"),
  );
  return composeRequest(url, method, headers, body, foreign ? null : from.secretHeader, from.pinned);
}

function bare(url: URL): URL {
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  copy.hash = "";
  return copy;
}

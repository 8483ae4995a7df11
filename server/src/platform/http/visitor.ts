import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { AnonymousClient } from "../access/caller.ts";
import { type Config, isForThisMachineOnly } from "../config.ts";
import { bareHost, isLoopbackHost } from "../config-values.ts";
import type { Context } from "../context.ts";
import { preferredLanguage } from "../i18n/render.ts";
import { SESSION_COOKIE } from "./authenticate.ts";
import { assertOwnOrigin } from "./security-headers.ts";

/** The client of operations that need no credentials. */
export const visitorOf = async (
  _: unknown,
  { request }: { request: FastifyRequest },
): Promise<AnonymousClient> => ({
  requestId: request.id,
  address: request.ip,
  userAgent: request.headers["user-agent"] ?? "",
  language: preferredLanguage(request.headers["accept-language"]),
  token: request.cookies[SESSION_COOKIE],
});

/** Throws 403 for one that another site sends. */
export function ownVisitor(
  input: unknown,
  http: { ctx: Pick<Context, "config">; request: FastifyRequest },
): Promise<AnonymousClient> {
  assertOwnOrigin(http.ctx.config, http.request);
  return visitorOf(input, http);
}

/** What a client of IPv6 is given as a rule (RFC 6177, RFC 7934): all of it is one client. */
const CLIENT_PREFIX_BITS = 64;
/** What a site is given at most (RFC 6177). */
const SITE_PREFIX_BITS = 48;

/** IPv4 as it is, also within IPv6; of IPv6 the /64, since a client has 2^64 addresses. Other text is itself. */
export const clientNetwork = (address: string): string => networkOf(address, CLIENT_PREFIX_BITS);

/** The /48 of such a network of IPv6, which one site may have all of; of IPv4 the address. */
export const siteOfNetwork = (network: string): string =>
  networkOf(network.replace(/\/\d+$/, ""), SITE_PREFIX_BITS);

function networkOf(address: string, bits: number): string {
  const bare = address.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits}`)}/${bits}`;
}

/** The host of the request's Host header, lower case: without its port, an IPv6 address without its brackets; empty for nonsense. */
export const requestedHost = (request: FastifyRequest): string =>
  bareHost(URL.parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "");

/** What proxies add, one or another of them. */
const FORWARDED = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/** Another may hide itself. */
export const isForwarded = ({ headers }: FastifyRequest): boolean =>
  Object.keys(headers).some((name) => FORWARDED.test(name));

/**
 * Whether VEDETTE_METRICS admits it: over loopback, not passed on by a proxy, and to a loopback host (DNS
 * rebinding reaches us under another name). A proxy may hide and write any Host, so it is never trusted where
 * one may be in front.
 */
export function isTrustedLocal(config: Config, request: FastifyRequest): boolean {
  if (config.metrics !== "loopback" || !isForThisMachineOnly(config)) return false;
  if (isForwarded(request)) return false;
  return isLoopbackHost(request.socket.remoteAddress ?? "") && isLoopbackHost(requestedHost(request));
}

import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

/** What proxies add, one or another of them. */
const FORWARDED = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether the request was made on this very machine by a program that meant it: over a loopback
 * connection, not passed on by a proxy, and to a loopback host. A web page whose name was made to
 * mean 127.0.0.1 (DNS rebinding) reaches us through its visitor's browser, but under its own name.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers, socket } = request;
  if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
  return isLoopback(socket.remoteAddress ?? "") && isLoopback(hostOf(headers.host ?? ""));
}

/** The host of a Host header: without the port, and an IPv6 address without its brackets. */
const hostOf = (header: string): string =>
  (URL.parse(`http://${header}`)?.hostname ?? "").replace(/^\[(.*)\]$/, "$1");

const isLoopback = (host: string): boolean =>
  host === "localhost" || (ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback");

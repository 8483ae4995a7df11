import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";

const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** Whether the request was made on this very machine, and not passed on by a proxy on it. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress;
  if (!address || FORWARDED.some((name) => request.headers[name] !== undefined)) return false;
  return ipaddr.process(address).range() === "loopback";
}

import type { FastifyRequest } from "fastify";
import { type Config, isForThisMachineOnly } from "../config.ts";
import { isLoopbackHost } from "../config-values.ts";
import { requestedHost } from "./requested-host.ts";

/** What proxies add, one or another of them. */
const FORWARDED = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Whether the operator lets programs on this very machine in without credentials, and this request is one of
 * theirs: over a loopback connection, not passed on by a proxy, and to a loopback host. A web page whose name
 * was made to mean 127.0.0.1 (DNS rebinding) reaches us through its visitor's browser, but under its own name.
 * A proxy may hide itself and write any Host, so nothing is believed where one may be in front.
 */
export function isTrustedLocal(config: Config, request: FastifyRequest): boolean {
  if (config.metrics !== "loopback" || !isForThisMachineOnly(config)) return false;
  const { headers, socket } = request;
  if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
  return isLoopbackHost(socket.remoteAddress ?? "") && isLoopbackHost(requestedHost(request));
}

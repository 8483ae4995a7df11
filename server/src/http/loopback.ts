import type { FastifyRequest } from "fastify";
import { type Config, isForThisMachineOnly } from "../config.ts";
import { isLoopbackHost } from "../config-values.ts";
import { requestedHost } from "./requested-host.ts";

/** What proxies add, one or another of them. */
const FORWARDED = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/** Whether a proxy says that it passed the request on. Another may hide itself. */
export const isForwarded = ({ headers }: FastifyRequest): boolean =>
  Object.keys(headers).some((name) => FORWARDED.test(name));

/**
 * Whether the operator lets programs on this machine in without credentials, and this request comes from one: over a
 * loopback connection, not passed on by a proxy, and to a loopback host. A web page whose name was made to mean
 * 127.0.0.1 (DNS rebinding) reaches us through its visitor's browser, but under its own name. A proxy may hide itself
 * and write any Host, so nothing is believed where one may be in front.
 */
export function isTrustedLocal(config: Config, request: FastifyRequest): boolean {
  if (config.metrics !== "loopback" || !isForThisMachineOnly(config)) return false;
  if (isForwarded(request)) return false;
  return isLoopbackHost(request.socket.remoteAddress ?? "") && isLoopbackHost(requestedHost(request));
}

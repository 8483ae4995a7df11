import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { type Config, isForThisMachineOnly } from "../config.ts";
import { isLoopbackHost, ownHostOf } from "../config-values.ts";
import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import { isForwarded } from "./loopback.ts";
import { requestedHost } from "./requested-host.ts";

/**
 * Before its set-up an installation answers to names of its own only: a web page elsewhere whose name was made
 * to mean this server (DNS rebinding) would otherwise become its owner. These are loopback names, the host of
 * the public address and, where the server listens beyond loopback, any IP address. A server for its own machine
 * asks for no token, so that whoever comes through a proxy there could be anybody. Throws 403.
 */
export function assertSetUpHost(config: Config, request: FastifyRequest): void {
  if (isForThisMachineOnly(config) && isForwarded(request))
    throw new PublicError("forbidden", fact("request.forwarded"));
  const host = requestedHost(request);
  if (isLoopbackHost(host)) return;
  if (host !== "" && host === ownHostOf(config.publicUrl)) return;
  if (!isForThisMachineOnly(config) && isIP(host) !== 0) return;
  const address = config.publicUrl ?? `http://localhost:${config.port}`;
  throw new PublicError("forbidden", fact("request.unknown_host", { address }));
}

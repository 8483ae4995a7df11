import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { type Config, isForThisMachineOnly } from "../config.ts";
import { bareHost, isLoopbackHost } from "../config-values.ts";
import { PublicError } from "../errors.ts";
import { requestedHost } from "./requested-host.ts";

/**
 * Before its set-up an installation answers to names of its own only: a web page elsewhere whose name was made
 * to mean this server (DNS rebinding) would otherwise become its owner. These are loopback names, the host of
 * the public address and, where the server listens beyond loopback, any IP address. Throws 403.
 */
export function assertSetUpHost(config: Config, request: FastifyRequest): void {
  const host = requestedHost(request);
  if (isLoopbackHost(host)) return;
  if (config.publicUrl !== null && host === bareHost(new URL(config.publicUrl).hostname)) return;
  if (!isForThisMachineOnly(config) && isIP(host) !== 0) return;
  throw new PublicError("forbidden", sentence(config));
}

function sentence({ publicUrl, port }: Config): string {
  const where = publicUrl ?? `http://localhost:${port}`;
  return `Vedette can be set up only at an address it knows. Open it at ${where}, or set VEDETTE_PUBLIC_URL to the address that people will use.`;
}

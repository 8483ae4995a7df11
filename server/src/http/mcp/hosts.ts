import { isIP } from "node:net";
import { hostHeaderValidation } from "@modelcontextprotocol/fastify";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Config, isForThisMachineOnly } from "../../config.ts";
import { isLoopbackHost } from "../../config-values.ts";
import { ownAddress } from "../origin.ts";
import { requestedHost } from "../requested-host.ts";
import { RPC, RpcRefusal } from "./rpc-error.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses what a web page has a browser send (MCP, Streamable HTTP, Security Warning): an Origin that is not ours, and a
 * Host that we are not known by, which is how a page whose name was made to mean this machine shows (DNS rebinding).
 */
export function hostGuard(config: Config) {
  const { publicUrl } = config;
  const known =
    publicUrl !== null
      ? [...LOOPBACK, new URL(publicUrl).hostname]
      : isForThisMachineOnly(config)
        ? LOOPBACK
        : null;
  const validateHost = known && hostHeaderValidation(known);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    assertOrigin(config, request);
    if (validateHost) await validateHost(request, reply);
    else assertPlainHost(request);
  };
}

function assertOrigin(config: Config, request: FastifyRequest): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const own = URL.parse(ownAddress(config, request))?.origin;
  if (origin === own || (isForThisMachineOnly(config) && isOwnLoopback(origin, request))) return;
  throw new RpcRefusal(403, RPC.refused, "Invalid Origin: this address is not for other web sites.");
}

/** The same server under another name of this machine. */
function isOwnLoopback(origin: string, request: FastifyRequest): boolean {
  const url = URL.parse(origin);
  const port = url?.port || (url?.protocol === "https:" ? "443" : "80");
  return (
    url !== null &&
    isLoopbackHost(url.hostname.replace(/^\[|\]$/g, "")) &&
    port === String(request.socket.localPort)
  );
}

/** Where the server's own name is not known, programs may call it anything; a browser only by an address, which cannot be rebound. */
function assertPlainHost(request: FastifyRequest): void {
  if (request.headers.origin === undefined) return;
  const host = requestedHost(request);
  if (isIP(host) !== 0 || isLoopbackHost(host)) return;
  throw new RpcRefusal(403, RPC.refused, `Invalid Host: ${host.slice(0, 100)}. Set VEDETTE_PUBLIC_URL.`);
}

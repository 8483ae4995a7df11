import type { FastifyReply, FastifyRequest } from "fastify";
import { authenticateKey } from "../../account/authenticate-key.ts";
import type { AuthenticateToken } from "../../account/authenticate-token.ts";
import type { Caller } from "../../account/caller.ts";
import type { Context } from "../../context.ts";
import { preferredLanguage } from "../../texts/languages.ts";
import { ownAddress } from "../origin.ts";
import type { RpcMessage } from "./messages.ts";
import { metadataUrl } from "./metadata.ts";
import { RPC, RpcRefusal } from "./rpc-error.ts";

const BEARER = /^Bearer +(\S+)$/i;
/** What tells nothing of anybody (decisions §4). */
const OPEN = [
  "initialize",
  "ping",
  "tools/list",
  "server/discover",
  "prompts/list",
  "resources/templates/list",
];

/** Whether somebody who is not known may send it. */
export const isOpen = ({ method }: RpcMessage): boolean =>
  method === undefined || OPEN.includes(method) || method.startsWith("notifications/");

/**
 * Who calls, by API key or by a token of the configured issuer; null: they have not said. A session's cookie counts for
 * nothing, so no web page can make a browser call. Throws 401 for what is not valid.
 */
export async function authenticateAssistant(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticateToken: AuthenticateToken | null,
): Promise<Caller | null> {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  const token = BEARER.exec(header)?.[1] ?? "";
  const origin = { id: request.id, address: request.ip };
  const caller = token.startsWith("vdt_")
    ? await authenticateKey(ctx, token, origin)
    : ((await authenticateToken?.(token, origin)) ?? null);
  if (!caller) throw challenge(ctx, request, reply, { isWrong: true });
  return { ...caller, language: preferredLanguage(request.headers["accept-language"]) };
}

/** 401 that says where to get a token (RFC 9728 §5.1, RFC 6750 §3). */
export function challenge(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { isWrong = false, id = null }: { isWrong?: boolean; id?: string | number | null } = {},
): RpcRefusal {
  const [path = "/mcp"] = request.url.split("?");
  const params = [`resource_metadata="${metadataUrl(ownAddress(ctx.config, request), path)}"`];
  if (isWrong) params.unshift('error="invalid_token"', 'error_description="The token is not valid here."');
  reply.header("www-authenticate", `Bearer ${params.join(", ")}`);
  return new RpcRefusal(401, RPC.refused, "Unauthenticated.", id);
}

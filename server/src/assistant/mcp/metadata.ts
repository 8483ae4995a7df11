import { isIP } from "node:net";
import { hostHeaderValidation } from "@modelcontextprotocol/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { authenticateKey } from "../../platform/access/authenticate-key.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { type AuthenticateToken } from "../../platform/access/issuer-tokens.ts";
import { RESOURCES } from "../../platform/access/roles-and-scopes.ts";
import { type Config, isForThisMachineOnly } from "../../platform/config.ts";
import { isLoopbackHost } from "../../platform/config-values.ts";
import type { Context } from "../../platform/context.ts";
import { defineRawRoute } from "../../platform/http/define-route.ts";
import { ownAddress } from "../../platform/http/security-headers.ts";
import { requestedHost } from "../../platform/http/visitor.ts";
import { preferredLanguage } from "../../platform/i18n/render.ts";
import { RPC, type RpcMessage, RpcRefusal } from "./messages.ts";

export const MCP_PATHS = ["/api/mcp", "/mcp"] as const;
const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** RFC 9728 §3.1: the well-known path goes before the resource's own. */
const metadataUrl = (address: string, path: string): string => `${address}${WELL_KNOWN}${path}`;

const Metadata = Type.Object(
  {
    resource: Type.String({
      description: "The address that tokens are for.",
      examples: ["https://example.com/mcp"],
    }),
    authorization_servers: Type.Optional(
      Type.Array(Type.String(), { description: "Whose tokens are taken. Absent: API keys alone are." }),
    ),
    scopes_supported: Type.Array(Type.String(), { description: "What a token may be cut down to." }),
    bearer_methods_supported: Type.Array(Type.String()),
    resource_name: Type.String(),
    resource_documentation: Type.String(),
  },
  { title: "ProtectedResourceMetadata" },
);

/** RFC 9728. */
export function registerMetadata(app: FastifyInstance, ctx: Context): void {
  const { mcpIssuer } = ctx.config;
  const scopes = ["read:*", "write:*", ...RESOURCES.flatMap((name) => [`read:${name}`, `write:${name}`])];
  for (const path of ["", ...MCP_PATHS]) {
    defineRawRoute(app, ctx, {
      method: "GET",
      url: `${WELL_KNOWN}${path}`,
      family: "public",
      resource: null,
      tag: "mcp",
      summary: `How ${path === "" ? "the MCP endpoint" : path} is protected (RFC 9728)`,
      description:
        "Whose tokens the MCP endpoint takes beside API keys, and where it is. Clients find it by the 401 of a tool call.",
      content: { "application/json": Metadata },
      async handler(_own, { raw }, reply) {
        const address = ownAddress(ctx.config, raw);
        // Public: browsers request it from other origins.
        reply.header("access-control-allow-origin", "*");
        reply.type("application/json; charset=utf-8");
        return {
          resource: `${address}${path === "" ? "/mcp" : path}`,
          ...(mcpIssuer !== null && { authorization_servers: [mcpIssuer] }),
          scopes_supported: scopes,
          bearer_methods_supported: ["header"],
          resource_name: "Vedette",
          resource_documentation: `${address}/docs`,
        };
      },
    });
  }
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Rejects cross-site requests and DNS rebinding (MCP, Streamable HTTP, Security Warning): an Origin that is
 * not ours, or a Host that this server is not known by.
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

/** Without a configured name, programs may use any; browsers only an address, which cannot be rebound. */
function assertPlainHost(request: FastifyRequest): void {
  if (request.headers.origin === undefined) return;
  const host = requestedHost(request);
  if (isIP(host) !== 0 || isLoopbackHost(host)) return;
  throw new RpcRefusal(403, RPC.refused, `Invalid Host: ${host.slice(0, 100)}. Set VEDETTE_PUBLIC_URL.`);
}

const BEARER = /^Bearer +(\S+)$/i;
/** Methods that disclose nothing. */
const OPEN = [
  "initialize",
  "ping",
  "tools/list",
  "server/discover",
  "prompts/list",
  "resources/templates/list",
];

/** Whether it needs no authentication. */
export const isOpen = ({ method }: RpcMessage): boolean =>
  method === undefined || OPEN.includes(method) || method.startsWith("notifications/");

/**
 * The caller by API key or by a token of the configured issuer; null without either. Session cookies do not
 * count, so no web page can make a browser call. Throws 401 for invalid credentials.
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

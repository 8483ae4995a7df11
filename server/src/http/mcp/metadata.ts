import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { RESOURCES } from "../../account/scopes.ts";
import type { Context } from "../../context.ts";
import { defineRawRoute } from "../define-route.ts";
import { ownAddress } from "../origin.ts";

export const MCP_PATHS = ["/api/mcp", "/mcp"] as const;
const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Where the resource at a path describes itself: the path stands behind the well-known one (RFC 9728 §3.1). */
export const metadataUrl = (address: string, path: string): string => `${address}${WELL_KNOWN}${path}`;

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

/** What protects the MCP endpoints, for clients that look for it (RFC 9728). */
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
        // Clients in browsers ask for it from elsewhere; it tells nothing of anybody.
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

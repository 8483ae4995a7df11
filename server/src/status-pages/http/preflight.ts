import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isForEverybody } from "../access/admit.ts";
import type { CachedPage } from "../document/cached-page.ts";
import { MACHINE_RENDERINGS } from "../render/machines.ts";

/** In either family (front.ts). */
export const JSON_URLS = ["/api", "/v2", "/api/v2"].map((family) => `${family}/status-pages/:slug/public`);

/** For scripts of any site (CORS). All headers but credentials, which `*` does not include. */
export const anySiteMay = (methods: string) => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": methods,
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
});

/**
 * CORS preflights for public pages only: other sites must not read restricted pages through the browsers of
 * people who may see them.
 */
export function registerPreflights(
  app: FastifyInstance,
  admittedTo: (request: FastifyRequest, reply: FastifyReply) => Promise<CachedPage | "locked" | null>,
): void {
  const urls = [...MACHINE_RENDERINGS.map(({ path }) => `/status/:slug${path}`), ...JSON_URLS];
  for (const url of urls) {
    app.options(url, { schema: { hide: true } }, async (request, reply) => {
      const cached = await admittedTo(request, reply);
      if (cached === null || cached === "locked" || !isForEverybody(cached.page)) return reply.callNotFound();
      return reply.status(204).headers(anySiteMay("GET, HEAD")).send();
    });
  }
}

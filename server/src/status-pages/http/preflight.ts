import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isForEverybody } from "../access/admit.ts";
import type { CachedPage } from "../document/cached-page.ts";
import { MACHINE_RENDERINGS } from "../render/machines.ts";

/** Where the public JSON is, in either family (front.ts). */
export const JSON_URLS = ["/api", "/v2", "/api/v2"].map((family) => `${family}/status-pages/:slug/public`);

/** What scripts of any site may request (CORS). Every header but those that carry credentials: `*` does not count for these. */
export const anySiteMay = (methods: string) => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": methods,
  "access-control-allow-headers": "*",
  "access-control-max-age": "86400",
});

/**
 * Answers browsers that ask whether a program on another site may read a page (CORS). Of pages that are not for everybody it
 * says nothing: whoever can see one must not lend their eyes to the sites that they visit.
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

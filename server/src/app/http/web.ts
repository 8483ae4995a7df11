import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isNavigation, prefersHtml } from "../../platform/http/security-headers.ts";

const YEAR_SECONDS = 31_536_000;

/** The API's own addresses, as in web/public/offline.js: an unknown one below them is a 404 in the API's envelope, never a page. */
export const API_PREFIXES = [
  "/api",
  "/api-keys",
  "/v2",
  "/docs",
  "/metrics",
  "/openapi.json",
  "/mcp",
  "/check-domain",
  "/status",
  "/agent",
  "/.well-known",
];

/** The app is for those who use it; public status pages may be found. */
const ROBOTS = "User-agent: *\nAllow: /status/\nDisallow: /\n";

/** A slash behind an address of the API changes nothing: clients that add one are answered alike, whatever the method. */
export function withoutTrailingSlash(url: string): string {
  const [path = ""] = url.split("?", 1);
  const bare = path.replace(/\/$/, "");
  return bare !== path && SLASHED.some((prefix) => bare === prefix || bare.startsWith(`${prefix}/`))
    ? bare + url.slice(path.length)
    : url;
}

/** Of the others, `/docs` is a folder of files, and visitors of status pages are led on. */
const SLASHED = API_PREFIXES.filter((prefix) => prefix !== "/docs" && prefix !== "/status");

/**
 * Files with a hash in their name may be cached for ever, the page itself never, so that an upgrade shows at
 * once. All other addresses that a browser navigates to are the app's. `distFolder`: the build, else a page
 * explains it.
 */
export async function registerWeb(app: FastifyInstance, options: { distFolder: string }): Promise<void> {
  const { distFolder } = options;
  const built = existsSync(join(distFolder, "index.html"));
  if (built) {
    await app.register(fastifyStatic, {
      root: distFolder,
      wildcard: false,
      index: false,
      cacheControl: false,
      // As the build left them beside the files (web/precompress.ts).
      preCompressed: true,
      setHeaders: (reply, path) => reply.header("cache-control", cacheControl(path)),
      schemaHide: true,
    });
  }
  const hidden = { schema: { hide: true } };
  app.get("/robots.txt", hidden, (_request, reply) => reply.type("text/plain; charset=utf-8").send(ROBOTS));
  for (const url of ["/", "/*"]) {
    app.get(url, hidden, (request, reply) => {
      if (!isPageOfApp(request)) return reply.callNotFound();
      return built ? reply.sendFile("index.html") : sendNotBuilt(reply);
    });
  }
}

/** Pages of the app that the API's own addresses are mistaken for. */
const PAGES: Readonly<Record<string, string>> = { "/api-keys": "/settings/api-keys" };

/** A person who types such an address means the page. Call it before the API's routes are registered. */
export function sendPeopleToPages(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    const page = request.method === "GET" ? PAGES[request.url.split("?", 1)[0] ?? ""] : undefined;
    if (page && isNavigation(request)) await reply.redirect(page);
  });
}

function cacheControl(path: string): string {
  return /[\\/]assets[\\/]/.test(path) ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache";
}

/** Whether a client goes to an address that may be a page of the app: it prefers HTML, and names no file. */
function isPageOfApp(request: FastifyRequest): boolean {
  const path = request.url.split("?", 1)[0] ?? "";
  const isApi = API_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  return !isApi && !path.startsWith("/assets/") && (path === "/" || prefersHtml(request));
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Vedette</title>
<h1>The app is not built</h1>
<p>The API is running, but this installation lacks the app's files. In the folder of the checkout run
<code>npm run build -w web</code>, then start Vedette again. <code>npm start</code> does both.</p>
`;

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .status(503)
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(NOT_BUILT);
}

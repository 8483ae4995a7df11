import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { LANGUAGES } from "../../server/src/platform/i18n/render.ts";
import type { PublicPage } from "../../server/src/status-pages/document/public-page.ts";
import { RENDERINGS } from "../../server/src/status-pages/render/renderings.ts";
import { SUBSCRIBER_KINDS } from "../../server/src/status-pages/subscriber/kinds.ts";
import { visitorPages } from "../../server/test/status-pages/render/visitor-pages.ts";

const HTML = "text/html; charset=utf-8";

/** Status pages as they are sent, of documents that the tests make. */
export interface StatusScenes {
  url: string;
  /** Slug to page. */
  pages: Map<string, PublicPage>;
  /** The paths of all requests. */
  requests: string[];
}

/**
 * Serves pages under `/status/{slug}` for the tests of a file, and what is for one visitor alone under `/visitor/{name}`, with the
 * headers that their renderings have.
 */
export function shareStatusScenes(pages: Readonly<Record<string, PublicPage>>): StatusScenes {
  const scenes: StatusScenes = { url: "", pages: new Map(Object.entries(pages)), requests: [] };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://status.test");
    scenes.requests.push(pathname);
    const chosen = LANGUAGES.find((one) => one === searchParams.get("lang"));
    const [, name] = /^\/visitor\/([\w-]+)$/.exec(pathname) ?? [];
    const own = name === undefined ? undefined : visitorPages(chosen ?? "en")[name];
    if (own) {
      response.writeHead(200, { "content-type": HTML, ...own.headers }).end(own.body);
      return;
    }
    const [, slug = "", path = ""] = /^\/status\/([\w-]+)(\/.*)?$/.exec(pathname) ?? [];
    const page = scenes.pages.get(slug);
    const options = {
      base: `/status/${slug}`,
      language: chosen ?? "en",
      isChosen: chosen !== undefined,
      isOld: false,
      offered: SUBSCRIBER_KINDS,
    };
    for (const rendering of page ? RENDERINGS : []) {
      const pattern = new RegExp(`^${rendering.path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
      const match = pattern.exec(path);
      const rendered = match && rendering.render(page as PublicPage, options, match.groups ?? {});
      if (!rendered) continue;
      response.writeHead(200, { "content-type": rendering.type, ...rendered.headers }).end(rendered.body);
      return;
    }
    response.writeHead(404).end();
  });
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    scenes.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  return scenes;
}

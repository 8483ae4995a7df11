import { expect, test } from "vitest";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";
import { MACHINE_RENDERINGS } from "../../../src/status-pages/render/machine-renderings.ts";
import { RENDERINGS } from "../../../src/status-pages/render/renderings.ts";
import { formsOf } from "../../harness/canaries.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../../monitors/domains/factories.ts";
import { linkDomain, makePage } from "../factories.ts";
import { makeFailingPage, SECRETS } from "../failing-page.ts";

const PATHS = MACHINE_RENDERINGS.map(({ path }) => path);
const TYPES: Record<string, string> = {
  ".atom": "application/atom+xml; charset=utf-8",
  ".rss": "application/rss+xml; charset=utf-8",
  "feed.json": "application/feed+json; charset=utf-8",
  ".ics": "text/calendar; charset=utf-8",
  ".svg": "image/svg+xml",
  ".js": "text/javascript; charset=utf-8",
  "/widget": "text/html; charset=utf-8",
};
const typeOf = (path: string) =>
  Object.entries(TYPES).find(([ending]) => path.endsWith(ending))?.[1] ?? "application/json; charset=utf-8";

const get = (server: TestServer, address: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(server.url + address, { method, headers, redirect: "manual" });

eachEngine("what machines get of a status page", (engine) => {
  test("200, 304: every form has its type, may be cached for 15 seconds, and read from any site", async () => {
    const server = await serve({ engine, config: { publicUrl: "https://vedette.test" } });
    const { slug } = await makePage(server);
    for (const path of PATHS) {
      const answer = await get(server, `/status/${slug}${path}`);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, typeOf(path)]);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
      const caching = answer.headers.get("cache-control");
      const [, seconds] = /^public, max-age=(\d+)/.exec(caching ?? "") ?? [];
      expect(Number(seconds), path).toBeLessThanOrEqual(path === "/widget.js" ? 3_600 : 15);
      expect(answer.headers.get("access-control-allow-origin"), path).toBe("*");
      expect(answer.headers.get("cross-origin-resource-policy"), path).toBe("cross-origin");
      expect(answer.headers.get("content-security-policy"), path).toMatch(/^default-src 'none';/);
      expect(answer.headers.get("x-content-type-options"), path).toBe("nosniff");

      const etag = answer.headers.get("etag") ?? "";
      const again = await get(server, `/status/${slug}${path}`, { "if-none-match": etag });
      expect([path, again.status, await again.text(), again.headers.get("etag")]).toEqual([
        path,
        304,
        "",
        etag,
      ]);
      const other = await get(server, `/status/${slug}${path}`, { "if-none-match": 'W/"other"' });
      expect([path, other.status]).toEqual([path, 200]);
      await other.arrayBuffer();
      const head = await get(server, `/status/${slug}${path}`, {}, "HEAD");
      expect([path, head.status, await head.text()]).toEqual([path, 200, ""]);
    }
  });

  test("200: every feed is announced in the head of the page, with its type and in the reader's language", async () => {
    const server = await serve({ engine, config: { publicUrl: "https://vedette.test" } });
    const { slug } = await makePage(server, { name: "Shop & <Co>" });
    for (const language of LANGUAGES) {
      const html = await (
        await get(server, `/status/${slug}?lang=${language}`, { accept: "text/html" })
      ).text();
      const [head = ""] = html.split("</head>");
      const links = [
        ...head.matchAll(/<link rel="alternate" type="([^"]+)" title="([^"]*)" href="([^"]+)">/g),
      ];
      expect(links.map(([, type]) => type)).toEqual([
        "application/atom+xml",
        "application/rss+xml",
        "application/feed+json",
      ]);
      for (const [, type, title, href] of links) {
        expect(title).toContain("Shop &amp; &lt;Co&gt;");
        const feed = await get(server, new URL(href ?? "", server.url).pathname);
        expect([href, feed.status, feed.headers.get("content-type")]).toEqual([
          href,
          200,
          `${type}; charset=utf-8`,
        ]);
        await feed.arrayBuffer();
      }
    }
  });

  test("404: of pages and components that are not there, whatever the query string", async () => {
    const server = await serve({ engine });
    const [shown, other] = [await makePage(server), await makePage(server)];
    const domain = await makeDomainOn(server, other);
    for (const path of PATHS) {
      const answer = await get(server, `/status/no-such-page${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
      await answer.arrayBuffer();
    }
    const addresses = [
      `/status/${shown.slug}/badge/status.svg?component=${domain.uuid}`,
      `/status/${shown.slug}/badge/status.svg?component=nonsense`,
      `/status/${shown.slug}/badge/nothing.svg`,
      `/status/${shown.slug}/api/v2/nothing.json`,
      `/status/${shown.slug}/feed.xml`,
    ];
    for (const address of addresses) {
      const answer = await get(server, address);
      expect([address, answer.status]).toEqual([address, 404]);
      await answer.arrayBuffer();
    }
    const own = await get(
      server,
      `/status/${other.slug}/badge/status.svg?component=${domain.uuid}&label=${"x".repeat(3_000)}`,
    );
    expect(own.status).toBe(200);
    expect((await own.text()).length).toBeLessThan(3_000);
  });

  test("404: a page for members is there for no one else, and no one else may cache it", async () => {
    const server = await serve({ engine });
    const { slug } = await makePage(server, { isPublic: false });
    const outsider = await server.createKey({ plan: "expert" });
    for (const path of PATHS) {
      for (const headers of [{}, { authorization: `Bearer ${outsider}` }] as Record<string, string>[]) {
        const refused = await get(server, `/status/${slug}${path}`, headers);
        expect([path, refused.status]).toEqual([path, 404]);
        await refused.arrayBuffer();
      }
      const answer = await get(server, `/status/${slug}${path}`, { authorization: `Bearer ${server.key}` });
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.arrayBuffer();
      if (path !== "/widget.js") expect(answer.headers.get("cache-control")).toMatch(/private|no-store/);
    }
  });

  test("nothing that is not public is in any byte of any form, in any language, of a failing page", async () => {
    const { server, page, components } = await makeFailingPage(engine);
    const listed = await get(server, `/status/${page.slug}/api/v2/incidents.json`);
    const { incidents } = (await listed.json()) as { incidents: { id: string }[] };
    expect(incidents.length).toBeGreaterThanOrEqual(2);
    const fill = (path: string) =>
      path.replace(":month", "2026-11").replace(":uuid", String(incidents[0]?.id));
    const paths = RENDERINGS.map(({ path }) => fill(path)).flatMap((path) =>
      path.includes("/badge/") ? [path, `${path}?component=${components[0]}`] : [path],
    );
    const secrets = SECRETS.flatMap((secret) => formsOf(secret).map((form) => form.toLowerCase()));
    let [reported, silent] = [0, 0];
    for (const path of paths) {
      for (const language of LANGUAGES) {
        const address = `/status/${page.slug}${path}${path.includes("?") ? "&" : "?"}lang=${language}`;
        const answer = await get(server, address);
        expect([address, answer.status]).toEqual([address, 200]);
        const bytes = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
        if (bytes.includes("Payments fail for some")) reported += 1;
        if (/Machine is not available|Machine ist nicht/.test(bytes)) silent += 1;
        const lower = bytes.toLowerCase();
        expect([address, secrets.filter((secret) => lower.includes(secret))]).toEqual([address, []]);
      }
    }
    // The walk saw what people wrote for visitors: in the page, its incident, feeds and Atlassian's files.
    expect(reported).toBeGreaterThan(8 * LANGUAGES.length);
    // And the outage of a device, of which nothing else is shown.
    expect(silent).toBeGreaterThan(8);
  });
});

async function makeDomainOn(server: TestServer, page: { id: number }): Promise<{ uuid: string }> {
  const made = await server.api("POST", "/api/domains", { url: "https://shop.test" });
  return linkDomain(server, page, made.body.data);
}

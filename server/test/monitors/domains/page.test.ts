import { expect, it, onTestFinished, vi } from "vitest";
import { PageError } from "../../../src/checks/site/page.ts";
import type { Clock } from "../../../src/platform/clock.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { type Behaviour, body, redirect, respond, status } from "../../harness/behaviours.ts";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A site of several paths; any other path answers 404. */
async function startSite(paths: Record<string, Behaviour>) {
  const site = await startHttpTarget({
    handler: (socket, request) => (paths[request.path] ?? status(404))(socket, request),
  });
  onTestFinished(() => site.close());
  return site;
}

const page = (head: string) => body(`<html><head>${head}</head></html>`, { "content-type": "text/html" });

eachEngine("what a domain's own page shows", (engine) => {
  async function start(config = {}, clock?: Clock): Promise<TestServer> {
    const server = await startTestServer({ engine, config, clock });
    onTestFinished(() => server.close());
    return server;
  }

  const titleOf = (server: TestServer, url: string) =>
    server.api("GET", `/api/domains/fetch-title?url=${encodeURIComponent(url)}`);

  async function iconOf(server: TestServer, url: string) {
    const created = await server.api("POST", "/api/domains", { url, name: "Shop" });
    const answer = await server.api("GET", `/api/domains/${created.body.data.id}/icon`);
    expect(answer.status).toBe(200);
    return fetch(new URL(answer.body.data.iconUrl, server.url));
  }

  it("gives the icon's whole address: the published one, else that of the request", async () => {
    const site = await startSite({ "/": page("<title>Shop</title>") });
    const addressOf = async (server: TestServer, headers = {}) => {
      const name = `Shop ${Object.keys(headers)}`;
      const { body } = await server.api("POST", "/api/domains", { url: site.url, name });
      const answer = await server.api("GET", `/api/domains/${body.data.id}/icon`, undefined, { headers });
      return new URL(answer.body.data.iconUrl).href.replace(/\/icons\/.*/, "");
    };
    const server = await start();
    expect(await addressOf(server)).toBe(server.url);
    expect(await addressOf(server, { "x-forwarded-host": "evil.test" })).toBe(server.url);
    expect(await addressOf(await start({ publicUrl: "https://vedette.test/watch" }))).toBe(
      "https://vedette.test/watch",
    );
  });

  it("gives the title in the page's own charset, entities decoded, after redirects", async () => {
    const html = Buffer.concat([
      Buffer.from("<title> Caf"),
      Buffer.from([0xe9]),
      Buffer.from(" &amp;\n Bar </title>"),
    ]);
    const site = await startSite({
      "/": redirect("/home"),
      "/home": body(html, { "content-type": "text/html; charset=iso-8859-1" }),
    });
    const answer = await titleOf(await start(), site.url);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ title: "Café & Bar", url: `${site.url}home` });
  });

  it("names the field when the page cannot be read, or may not be", async () => {
    const site = await startSite({ "/": page("<title>Inside</title>") });
    const guarded = await titleOf(await start({ targets: "public" }), site.url);
    expect(guarded.status).toBe(422);
    expect(guarded.body.errors.url[0]).toMatch(/^Checking 127\.0\.0\.1 is not allowed: /);
    expect(site.connections()).toBe(0);
    const server = await start();
    await site.refuse();
    expect((await titleOf(server, site.url)).status).toBe(422);
    expect((await titleOf(server, (await startSite({ "/": redirect("/") })).url)).body.errors.url[0]).toMatch(
      /^The page could not be read\. Redirect loop: "http\S+" was already requested\.$/,
    );
    expect((await titleOf(server, "ftp://example.com")).body.errors.url).toHaveLength(1);
    expect((await server.api("GET", "/api/domains/fetch-title")).status).toBe(422);
  });

  it("serves the icon of the link tag from our own origin and requests it from the site once", async () => {
    const site = await startSite({
      "/": page('<link rel="icon" href="/static/i.png">'),
      "/static/i.png": body(PNG, { "content-type": "text/html" }),
    });
    const server = await start();
    const icon = await iconOf(server, site.url);
    expect(icon.status).toBe(200);
    expect(icon.headers.get("content-type")).toBe("image/png");
    expect(icon.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
    expect(icon.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    expect(Buffer.from(await icon.arrayBuffer())).toEqual(PNG);
    const count = site.requests.length;
    const domains = await server.api("GET", "/api/domains");
    await server.api("GET", `/api/domains/${domains.body.data[0].id}/icon`);
    expect(site.requests).toHaveLength(count);
  });

  it("falls back to /favicon.ico, and to the name's letter when there is no picture", async () => {
    const ico = Buffer.from("00000100010010100000", "hex");
    const site = await startSite({ "/": page(""), "/favicon.ico": body(ico) });
    expect((await iconOf(await start(), site.url)).headers.get("content-type")).toBe("image/x-icon");
    const plain = await startSite({ "/": respond(), "/favicon.ico": body("<html>not a picture</html>") });
    const letter = await iconOf(await start(), plain.url);
    expect(letter.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
    expect(letter.headers.get("cache-control")).toBe("private, max-age=86400");
    expect(await letter.text()).toContain(">S</text>");
  });

  // A page is waited for at most ten seconds.
  it("lets go of the site when the client leaves, and does not take that for no icon", {
    timeout: 8_000,
  }, async () => {
    const gone = Promise.withResolvers<void>();
    const site = await startSite({ "/": (socket) => void socket.on("close", gone.resolve) });
    const server = await start();
    const { id } = (await server.api("POST", "/api/domains", { url: site.url, name: "Shop" })).body.data;
    const path = `/api/domains/${id}/icon`;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${server.key}` };
    const reading = fetch(server.url + path, { headers, signal: leaving.signal }).catch(() => "left");
    await eventually(() => site.requests.length, Boolean);
    leaving.abort();
    expect(await reading).toBe("left");
    await gone.promise;
    site.set((socket, request) =>
      (request.path === "/favicon.ico" ? body(PNG) : status(404))(socket, request),
    );
    const { iconUrl } = (await server.api("GET", path)).body.data;
    const icon = await fetch(new URL(iconUrl, server.url));
    expect(icon.headers.get("content-type")).toBe("image/png");
  });

  it("says 503 when the reading of pages ends, and does not take that for no icon", async () => {
    const site = await startSite({ "/": page(""), "/favicon.ico": body(PNG) });
    const server = await start();
    const ended = new PageError(msg("internal.page"));
    vi.spyOn(server.ctx.pages, "read").mockRejectedValueOnce(ended);
    const { id } = (await server.api("POST", "/api/domains", { url: site.url })).body.data;
    expect((await server.api("GET", `/api/domains/${id}/icon`)).status).toBe(503);
    const { iconUrl } = (await server.api("GET", `/api/domains/${id}/icon`)).body.data;
    const icon = await fetch(new URL(iconUrl, server.url));
    expect(icon.headers.get("content-type")).toBe("image/png");
  });

  it("knows no icon of a domain of another organization", async () => {
    const server = await start();
    const created = await server.api("POST", "/api/domains", { url: "http://127.0.0.1:1/", name: "Ours" });
    const outsider = await server.createKey({ person: await server.createOrganization() });
    const path = `/api/domains/${created.body.data.id}/icon`;
    expect((await server.api("GET", path, undefined, { key: outsider })).status).toBe(404);
  });

  it("has an address that cannot be guessed, and that stays the same", async () => {
    const site = await startSite({ "/favicon.ico": body(Buffer.from("00000100010010100000", "hex")) });
    let now = Date.now();
    const server = await start({}, { now: () => now });
    const { id } = (await server.api("POST", "/api/domains", { url: site.url, name: "Shop" })).body.data;
    const { uuid } = (await server.api("GET", "/v2/domains")).body.data[0];
    const read = async () =>
      new URL((await server.api("GET", `/api/domains/${id}/icon`)).body.data.iconUrl, server.url);
    const before = await read();
    expect(before.pathname).toMatch(/^\/icons\/[\w-]{43}$/);
    expect((await fetch(before)).headers.get("cache-control")).toMatch(/^private/);
    for (const guess of [uuid, id, "x", "%00"])
      expect((await fetch(`${server.url}/icons/${guess}`)).status).toBe(404);
    now += 30 * 86_400_000;
    const after = await read();
    expect([after.pathname, after.search === before.search]).toEqual([before.pathname, false]);
    expect((await fetch(after)).status).toBe(200);
  });
});

import { expect, onTestFinished, test, vi } from "vitest";
import { RENDERINGS } from "../../../src/status-pages/render/renderings.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "../../monitors/domains/factories.ts";
import { linkDomain, makePage, newSlug, PAGES, publicOf } from "../factories.ts";

const PASSWORD = "open sesame, please";
const NOW = Date.parse("2026-11-23T09:30:20Z");
/** What other processes announce arrives within a second. */
const WAIT = { timeout: 10_000 };
const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`feed:${password}`).toString("base64")}`,
});

async function closedPage(server: TestServer, more: object) {
  const page = await makePage(server, more);
  await linkDomain(server, page, await makeDomain(server, { name: page.slug }));
  return { ...page, path: `/status/${page.slug}` };
}

const request = (
  server: TestServer,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
) =>
  fetch(server.url + path, {
    redirect: "manual",
    ...init,
    headers: { accept: "text/html", ...init.headers },
  });

const unlock = (server: TestServer, path: string, password: string, query = "", wanted = "") =>
  request(server, `${path}/unlock${query}`, {
    method: "POST",
    body: new URLSearchParams({ password, wanted }),
  });

/** Every address of a page, with something in the place of what it requests. */
const ADDRESSES = RENDERINGS.map(({ path }) => path.replace(":month", "2026-11").replace(":uuid", "x"));

eachEngine("pages that are not for everybody", (engine) => {
  test("401: request the password, in every form, and keep nothing anywhere", async () => {
    const server = await serve({ engine });
    const { path, slug, id } = await closedPage(server, { password: PASSWORD });
    const shown = await server.api("GET", `${PAGES}/${id}`);
    expect(shown.body.data).toMatchObject({ hasPassword: true, allowedNetworks: [] });
    expect(JSON.stringify(shown.body)).not.toMatch(/argon|sesame/);
    for (const address of [...ADDRESSES, "/unlock", "/nothing"]) {
      const answer = await request(server, path + address);
      expect([address, answer.status]).toEqual([address, 401]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.text()).not.toMatch(/Shop|Example/);
    }
    const api = await server.api("GET", `${PAGES}/${slug}/public`, undefined, { key: null });
    expect([api.status, api.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="Status page", charset="UTF-8"',
    ]);
    const headers = basic(PASSWORD);
    const read = await server.api("GET", `/v2/status-pages/${slug}/public`, undefined, {
      key: null,
      headers,
    });
    expect(read.body.data.groups[0].components).toMatchObject([{ name: "Shop" }]);
    for (let time = 0; time < 2; time++) {
      const feed = await request(server, `${path}/feed.atom`, { headers });
      expect([feed.status, feed.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
      expect((await request(server, `${path}/feed.atom`)).status).toBe(401);
    }
    expect((await request(server, `${path}/feed.atom`, { headers: basic("wrong") })).status).toBe(401);
    const member = await request(server, path, { headers: { authorization: `Bearer ${server.key}` } });
    expect([member.status, member.headers.get("etag")]).toEqual([200, null]);
  });

  test("303: the password lets a browser in for a week, at this page, until it changes", async () => {
    let now = NOW;
    const server = await serve({ engine, clock: { now: () => now }, alone: true });
    const { path, id } = await closedPage(server, { password: PASSWORD });
    const other = await closedPage(server, { password: PASSWORD });
    const wrong = await unlock(server, path, "wrong");
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).toContain("That is not the password.");
    const right = await unlock(server, path, PASSWORD);
    expect([right.status, right.headers.get("location")]).toEqual([303, path]);
    const set = right.headers.get("set-cookie") ?? "";
    expect(set).toMatch(new RegExp(`Path=${path}; HttpOnly; SameSite=Lax`));
    const german = await unlock(server, path, PASSWORD, "?lang=de");
    expect(german.headers.get("location")).toBe(`${path}?lang=de`);
    const cookie = set.split(";")[0] as string;
    const statusOf = async (to: string, own = cookie) =>
      (await request(server, to, { headers: { cookie: own } })).status;
    expect(await statusOf(path)).toBe(200);
    expect(await statusOf(`${path}/feed.json`)).toBe(200);
    const [name, value] = cookie.split("=") as [string, string];
    expect(await statusOf(other.path, `${name.replace(/page_.*/, `page_${other.slug}`)}=${value}`)).toBe(401);
    expect(await statusOf(path, `${name}=9${value}`)).toBe(401);
    now += 7 * 86_400_000;
    expect(await statusOf(path)).toBe(401);
    now -= 1;
    expect(await statusOf(path)).toBe(200);
    await server.api("PUT", `${PAGES}/${id}`, { password: "another password" });
    await vi.waitFor(async () => expect(await statusOf(path)).toBe(401), WAIT);
    await server.api("PUT", `${PAGES}/${id}`, { password: null });
    await vi.waitFor(async () => expect((await request(server, path)).status).toBe(200), WAIT);
  });

  test("303: the password leads to what was requested, and never out of the page", async () => {
    const server = await serve({ engine });
    const { path } = await closedPage(server, { password: PASSWORD });
    const form = await (await request(server, `${path}/incidents/some?lang=de`)).text();
    expect(form).toContain('<input type="hidden" name="wanted" value="/incidents/some">');
    const wrong = await (await unlock(server, path, "wrong", "?lang=de", "/incidents/some")).text();
    expect(wrong).toContain('name="wanted" value="/incidents/some"');
    const led = async (wanted: string, query = "") =>
      (await unlock(server, path, PASSWORD, query, wanted)).headers.get("location");
    expect(await led("/incidents/some", "?lang=de")).toBe(`${path}/incidents/some?lang=de`);
    expect(await led("/history/2026-11")).toBe(`${path}/history/2026-11`);
    for (const elsewhere of [
      "//evil.example",
      "https://evil.example",
      "/../other",
      "/\\evil",
      "/%2e%2e/x",
      "x",
      "/unlock",
    ])
      expect(await led(elsewhere), elsewhere).toBe(path);
  });

  test("429: guesses are limited, from the form and by programs together", async () => {
    const server = await startTestServer({
      ...{ engine, config: { rateLimits: true }, alone: true },
      clock: { now: () => NOW, wait: async () => {} },
    });
    onTestFinished(server.close);
    const { path } = await closedPage(server, { password: PASSWORD });
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      statuses.push((await unlock(server, path, `guess ${guess}`)).status);
      statuses.push((await request(server, path, { headers: basic(`try ${guess}`) })).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  test("200: only one's own guesses make one wait", async () => {
    const waits: number[] = [];
    const server = await startTestServer({
      ...{ engine, config: { rateLimits: true, trustedProxies: ["127.0.0.1", "::1"] }, alone: true },
      clock: { now: () => NOW, wait: async (ms) => void waits.push(ms) },
    });
    onTestFinished(server.close);
    const { path } = await closedPage(server, { password: PASSWORD });
    const from = async (address: string, password: string) => {
      const headers = { ...basic(password), "x-forwarded-for": address };
      return (await request(server, path, { headers })).status;
    };
    for (let guess = 0; guess < 8; guess++) expect(await from("192.0.2.1", `guess ${guess}`)).toBe(401);
    expect(waits).toEqual([250, 500, 1000]);
    expect(await from("192.0.2.2", PASSWORD)).toBe(200);
    expect(waits).toHaveLength(3);
    expect(await from("192.0.2.1", "guess 8")).toBe(401);
    expect(waits).toHaveLength(4);
  });

  test("404: from elsewhere than the networks that are allowed, as if there were no page", async () => {
    const server = await serve({ engine, config: { trustedProxies: ["127.0.0.1", "::1"] }, alone: true });
    const allowedNetworks = ["192.0.2.77/24", "2001:db8::/32", "192.0.2.0/24"];
    const { path, slug, id } = await closedPage(server, { allowedNetworks });
    const stored = ["192.0.2.0/24", "2001:db8::/32"];
    expect((await server.api("GET", `${PAGES}/${id}`)).body.data.allowedNetworks).toEqual(stored);
    const from = async (address: string, to = path) =>
      (await request(server, to, { headers: { "x-forwarded-for": address } })).status;
    expect(await from("192.0.2.1")).toBe(200);
    expect(await from("::ffff:192.0.2.9")).toBe(200);
    expect(await from("2001:db8:1::1")).toBe(200);
    for (const address of ADDRESSES) expect(await from("198.51.100.1", path + address)).toBe(404);
    expect(await from("2001:db9::1")).toBe(404);
    // Whom the network lets in lends their eyes to no other site.
    for (const address of ADDRESSES) {
      const headers = { "x-forwarded-for": "192.0.2.1", origin: "https://elsewhere.test" };
      const reported = (await request(server, path + address, { headers })).headers;
      expect([address, reported.get("access-control-allow-origin")]).toEqual([address, null]);
      expect([address, reported.get("cross-origin-resource-policy")]).toEqual([address, "same-origin"]);
      expect([address, reported.get("x-frame-options")]).toEqual([address, "DENY"]);
      expect(reported.get("content-security-policy")).not.toContain("frame-ancestors *");
    }
    const api = (address: string) =>
      server.api("GET", `${PAGES}/${slug}/public`, undefined, {
        ...{ key: null, headers: { "x-forwarded-for": address } },
      });
    expect((await api("192.0.2.1")).status).toBe(200);
    expect((await api("198.51.100.1")).status).toBe(404);
    await server.api("PUT", `${PAGES}/${id}`, { allowedNetworks: [] });
    expect(await publicOf(server, slug)).toMatchObject({ slug });
  });

  test("a forwarded address counts from a trusted proxy only", async () => {
    const server = await serve({ engine });
    const { path } = await closedPage(server, { allowedNetworks: ["192.0.2.0/24"] });
    const answer = await request(server, path, { headers: { "x-forwarded-for": "192.0.2.1" } });
    expect(answer.status).toBe(404);
  });

  test("422: what is no network, and a password that is too short", async () => {
    const server = await serve({ engine });
    for (const network of ["192.0.2", "0300.1.2.3", "192.0.2.0/33", "2001:db8::/129", "shop.test", "*", ""]) {
      const body = { name: "Example", slug: newSlug(), allowedNetworks: [network] };
      const { status, body: answer } = await server.api("POST", PAGES, body);
      expect([network, status, Object.keys(answer.errors)]).toEqual([network, 422, ["allowedNetworks.0"]]);
    }
    const short = await server.api("POST", PAGES, { name: "Example", slug: newSlug(), password: "short" });
    expect([short.status, Object.keys(short.body.errors)]).toEqual([422, ["password"]]);
  });
});

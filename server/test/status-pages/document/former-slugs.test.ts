import { expect, onTestFinished, test, vi } from "vitest";
import { createPageCache, findFormerPages } from "../../../src/status-pages/document/page-cache.ts";
import { RENDERINGS } from "../../../src/status-pages/render/renderings.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, NOW, serve } from "../../monitors/domains/factories.ts";
import { rawRequest, sendRaw } from "../../platform/http/raw-client.ts";
import { linkDomain, makePage, newSlug, PAGES } from "../factories.ts";
import { linksIn, startSubscribing, subscribed } from "../subscriber/subscribing.ts";

const PASSWORD = "open sesame, please";
const DAY_MS = 86_400_000;
const ADDRESSES = [
  ...RENDERINGS.map(({ path }) => path.replace(":month", "2026-11").replace(":uuid", "x")),
  "/logo",
  "/nothing",
];
const FAMILIES = ["/api", "/v2", "/api/v2"].map((family) => `${family}/status-pages`);
const basic = { authorization: `Basic ${Buffer.from(`feed:${PASSWORD}`).toString("base64")}` };

/** What other processes announce arrives within a second. */
const eventually = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 10_000 });

const request = (server: TestServer, path: string, { headers, ...init }: RequestInit = {}) =>
  fetch(server.url + path, {
    redirect: "manual",
    ...init,
    headers: { accept: "text/html", ...(headers as Record<string, string>) },
  });

const rename = async (server: TestServer, page: { id: number }, slug: string, key = server.key) =>
  (await server.api("PUT", `${PAGES}/${page.id}`, { slug }, { key })).status;

/** A page that had another slug before, which leads to it by now. */
async function movedPage(server: TestServer, settings: object = {}) {
  const page = await makePage(server, settings);
  await linkDomain(server, page, await makeDomain(server, { name: page.slug }));
  const slug = newSlug();
  expect(await rename(server, page, slug)).toBe(200);
  const member = { headers: { authorization: `Bearer ${server.key}` } };
  await eventually(async () => {
    const answer = await request(server, `/status/${page.slug}`, member);
    expect(answer.headers.get("location")).toBe(`/status/${slug}`);
  });
  return { id: page.id, old: `/status/${page.slug}`, slug, formerSlug: page.slug, path: `/status/${slug}` };
}

const leadsTo = (server: TestServer, from: string, to: string) =>
  eventually(async () => {
    const answer = await request(server, from);
    expect([answer.status, answer.headers.get("location")]).toEqual([308, to]);
  });

eachEngine("former addresses of a status page", (engine) => {
  test("308: every address below a former slug leads to the same one below the present slug", async () => {
    const server = await serve({ engine });
    const { old, path } = await movedPage(server);
    for (const address of ADDRESSES) {
      const answer = await request(server, `${old}${address}?lang=de&x=%2F`, { headers: { accept: "*/*" } });
      const { headers } = answer;
      expect([answer.status, headers.get("location")]).toEqual([308, `${path}${address}?lang=de&x=%2F`]);
      expect(headers.get("cache-control")).toBe("public, max-age=15");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      const { headers: shown } = await request(server, path + address);
      expect([address, shown.get("location")]).toEqual([address, null]);
    }
    const feed = await request(server, `${old}/feed.atom`, { redirect: "follow" });
    expect([feed.status, await feed.text()]).toEqual([200, expect.stringContaining("<feed")]);
    const preflight = await request(server, `${old}/api/v2/summary.json`, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
  });

  test("308: programs find the public JSON, in every family", async () => {
    const server = await serve({ engine });
    const { formerSlug, slug } = await movedPage(server);
    for (const family of FAMILIES) {
      const answer = await request(server, `${family}/${formerSlug}/public?language=de`);
      const to = `${family}/${slug}/public?language=de`;
      expect([answer.status, answer.headers.get("location"), await answer.text()]).toEqual([308, to, ""]);
      const followed = await request(server, `${family}/${formerSlug}/public`, { redirect: "follow" });
      expect(await followed.json()).toMatchObject({ data: { slug } });
    }
  });

  test("308: it leads to no other host and not in a circle, however an address is spelt", async () => {
    const server = await serve({ engine });
    const { formerSlug: old, slug } = await movedPage(server);
    const spelt = `%${old.charCodeAt(0).toString(16)}${old.slice(1)}`;
    for (const [from, to] of [
      [`http://evil.test/status/${old}/history?x=/`, `/status/${slug}/history?x=/`],
      [`https://evil.test/api/status-pages/${old}/public`, `/api/status-pages/${slug}/public`],
      [`/%73tatus/${spelt}/feed.atom?to=/status/x`, `/status/${slug}/feed.atom?to=/status/x`],
      [`/v2/%73tatus-pages/${old}/public?x`, `/v2/status-pages/${slug}/public?x`],
      [`/status/${old}?x=//evil.test`, `/status/${slug}?x=//evil.test`],
      [`/status/${old}//evil.test`, `/status/${slug}//evil.test`],
      [`/status/${old}/\\evil.test`, `/status/${slug}/\\evil.test`],
      [`/status/${old}/%0d%0aset-cookie:%20a=b`, `/status/${slug}/%0d%0aset-cookie:%20a=b`],
    ] as const) {
      const { status, text } = await sendRaw(server.url, rawRequest(`GET ${from}`, "Connection: close"));
      expect([from, status, /^location: (.*)\r$/im.exec(text)?.[1]]).toEqual([from, 308, to]);
    }
    for (const at of [`/status/${old}`, `/api/status-pages/${old}/public`]) {
      const head = await request(server, at, { method: "HEAD" });
      const present = at.replace(old, slug);
      expect([head.status, head.headers.get("location")]).toEqual([308, present]);
      const shown = await request(server, present, { method: "HEAD" });
      expect([shown.status, shown.headers.get("etag")]).toEqual([200, expect.stringMatching(/"/)]);
    }
  });

  test("404: no header reveals where a page is to who may not see it", async () => {
    const server = await serve({ engine });
    for (const settings of [{ isPublic: false }, { allowedNetworks: ["192.0.2.0/24"] }]) {
      const { old, slug, formerSlug } = await movedPage(server, settings);
      const reported = async ({ headers }: Response) =>
        [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
      for (const address of ADDRESSES) {
        const [answer, none] = [
          await request(server, old + address),
          await request(server, `/status/none${address}`),
        ];
        expect([address, answer.status, await reported(answer)]).toEqual([
          address,
          404,
          await reported(none),
        ]);
        expect(await answer.text()).not.toContain(slug);
      }
      const json = await request(server, `/api/status-pages/${formerSlug}/public`);
      expect([json.status, json.headers.get("location")]).toEqual([404, null]);
      const member = { headers: { authorization: `Bearer ${server.key}` } };
      const led = await request(server, `${old}/feed.rss`, member);
      expect([led.status, led.headers.get("cache-control")]).toEqual([308, "private, no-store"]);
      expect(led.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("401: a page with a password requires it at its former address, and reveals the present one to nobody else", async () => {
    const server = await serve({ engine });
    const { old, path, slug } = await movedPage(server, { password: PASSWORD });
    const locked = await request(server, `${old}/history`);
    expect([locked.status, locked.headers.get("location")]).toEqual([401, null]);
    expect(await locked.text()).not.toContain(slug);
    expect((await request(server, `${old}/feed.atom`, { headers: basic })).headers.get("location")).toBe(
      `${path}/feed.atom`,
    );
    const body = new URLSearchParams({ password: PASSWORD, wanted: "/history" });
    const right = await request(server, `${old}/unlock`, { method: "POST", body });
    expect([right.status, right.headers.get("location")]).toEqual([303, `${old}/history`]);
    const cookies = right.headers.getSetCookie();
    const at = (place: string) =>
      cookies.find((one) => one.includes(`Path=${place};`))?.split(";")[0] as string;
    const on = await request(server, `${old}/history`, { headers: { cookie: at(old) } });
    expect(on.headers.get("location")).toBe(`${path}/history`);
    expect((await request(server, path, { headers: { cookie: at(path) } })).status).toBe(200);
  });

  test("429: guesses at all addresses of a page are counted together", async () => {
    const server = await startTestServer({
      ...{ engine, config: { rateLimits: true }, alone: true },
      clock: { now: () => NOW, wait: async () => {} },
    });
    onTestFinished(server.close);
    const { old, path } = await movedPage(server, { password: PASSWORD });
    const statuses: number[] = [];
    const guess = (password: string) => ({
      headers: { authorization: `Basic ${Buffer.from(`x:${password}`).toString("base64")}` },
    });
    for (let n = 0; n < 12; n++)
      statuses.push((await request(server, n % 2 ? old : path, guess(`${n}`))).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test("visitors subscribe at the former address, and end it by the link of an old mail", async () => {
    const world = await startSubscribing({ engine });
    const { server, page, mail, notify, report } = world;
    await subscribed(world, "ada@example.com");
    await report("Payments fail");
    await notify();
    const links = linksIn(mail.mails[0] as (typeof mail.mails)[number]);
    const end = links.find((one) => one.startsWith("/status/unsubscribe/")) as string;
    const slug = newSlug();
    expect(await rename(server, page, slug)).toBe(200);
    await leadsTo(server, `/status/${page.slug}`, `/status/${slug}`);
    const clicked = await request(server, end, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    expect([clicked.status, await world.subscribers()]).toEqual([200, []]);
    const form = await world.subscribe({ kind: "email", address: "bob@example.com" });
    expect(form.status).toBe(200);
    expect(await form.text()).toContain(`href="/status/${slug}`);
    const body = { kind: "email", address: "eve@example.com" };
    const answer = await server.api("POST", `${PAGES}/${page.slug}/subscriptions`, body, { key: null });
    expect(answer.status).toBe(200);
    expect(await world.subscribers()).toHaveLength(2);
  });

  test("a slug in use wins: another page of the organization has it at once, and the page itself again", async () => {
    const server = await serve({ engine });
    const { id, old, path, slug, formerSlug } = await movedPage(server);
    const newest = newSlug();
    expect(await rename(server, { id }, newest)).toBe(200);
    for (const from of [old, path]) await leadsTo(server, from, `/status/${newest}`);
    expect(await rename(server, { id }, slug)).toBe(200);
    await leadsTo(server, `/status/${newest}`, path);
    await eventually(async () => expect((await request(server, path)).status).toBe(200));
    const other = await makePage(server, { name: "Another", slug: formerSlug });
    await eventually(async () => {
      const answer = await request(server, old);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Another")]);
    });
    expect(await rename(server, other, newest)).toBe(200);
    await leadsTo(server, old, `/status/${newest}`);
  });

  test("200: a check of a slug says which of their pages had it; none such is suggested", async () => {
    const server = await serve({ engine });
    const { id, formerSlug } = await movedPage(server, { name: "Moved" });
    const { uuid } = (await server.api("GET", `${PAGES}/${id}`)).body.data;
    const free = async (query: string, key = server.key) =>
      (await server.api("GET", `${PAGES}/free-slug?${query}`, undefined, { key })).body.data;
    expect(await free(`slug=${formerSlug}`)).toEqual({ slug: formerSlug, formerOf: { uuid, name: "Moved" } });
    expect(await free(`name=${formerSlug}`)).toEqual({ slug: `${formerSlug}-2`, formerOf: null });
    await makePage(server, { slug: formerSlug });
    expect(await free(`slug=${newSlug()}`)).toMatchObject({ formerOf: null });
  });

  test("422: for other organizations a slug is reserved for 90 days, and then free", async () => {
    let now = NOW;
    const server = await serve({ engine, clock: { now: () => now } });
    const { id, old, path, formerSlug } = await movedPage(server);
    const key = await server.createKey({ plan: "expert" });
    const take = () => server.api("POST", PAGES, { name: "Theirs", slug: formerSlug }, { key });
    now += 90 * DAY_MS - 1;
    const refused = await take();
    expect([refused.status, refused.body.errors.slug]).toEqual([
      422,
      [expect.stringMatching(/was that of another organization's page less than 90 days ago/)],
    ]);
    const free = `${PAGES}/free-slug?slug=${formerSlug}`;
    expect((await server.api("GET", free, undefined, { key })).status).toBe(422);
    expect((await server.api("GET", free)).status).toBe(200);
    await leadsTo(server, old, path);
    now += 1;
    const reported = await server.api("GET", free, undefined, { key });
    expect(reported.body.data).toEqual({ slug: formerSlug, formerOf: null });
    expect((await take()).status).toBe(201);
    await eventually(async () => expect((await request(server, old)).status).toBe(200));
    const back = await server.api("PUT", `${PAGES}/${id}`, { slug: formerSlug });
    expect(back.body.errors.slug).toEqual([expect.stringMatching(/is taken/)]);
  });

  test("while the store is away, a former slug leads where it led before", async () => {
    const time = { now: NOW };
    const server = await serve({ engine });
    const { formerSlug, slug } = await movedPage(server);
    const state = { isAway: false };
    const db = server.ctx.store.db.withPlugin({
      transformQuery({ node }) {
        if (state.isAway) throw new Error("connect ECONNREFUSED");
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const ctx = { ...server.ctx, clock: { ...server.ctx.clock, now: () => time.now } };
    const away = { ...ctx, store: { ...server.ctx.store, db } };
    const pages = findFormerPages(createPageCache(away), away);
    expect((await pages.find(formerSlug))?.page.slug).toBe(slug);
    state.isAway = true;
    time.now += 60_000;
    expect((await pages.find(formerSlug))?.page.slug).toBe(slug);
    await expect(pages.find("never-read")).rejects.toThrow("ECONNREFUSED");
    pages.forget(slug);
    await expect(pages.find(formerSlug)).rejects.toThrow("ECONNREFUSED");
  });

  test("a slug that became another page's does not lead there those who want the page that had it, nor hides its own page", async () => {
    const server = await serve({ engine });
    const page = await makePage(server, { name: "Moved" });
    const [second, third] = [newSlug(), newSlug()];
    expect(await rename(server, page, second)).toBe(200);
    const reading = { result: 0, reached: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
    const db = server.ctx.store.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reading.result += 1;
        // The first query finds which page has the slug, the second which one had it.
        if (reading.result === 2) {
          reading.reached.resolve();
          await reading.go.promise;
        }
        return result;
      },
    });
    const ctx = { ...server.ctx, store: { ...server.ctx.store, db } };
    const pages = findFormerPages(createPageCache(ctx), ctx);
    const overtaken = pages.find(page.slug);
    await reading.reached.promise;
    const other = await makePage(server, { name: "Other", slug: page.slug });
    pages.forget(page.slug);
    reading.go.resolve();
    await overtaken;
    expect((await pages.find(page.slug))?.page.id).toBe(other.id);

    expect(await rename(server, other, newSlug())).toBe(200);
    expect(await rename(server, page, page.slug)).toBe(200);
    expect(await rename(server, page, second)).toBe(200);
    pages.forget(page.slug);
    pages.forget(second);
    expect((await pages.find(page.slug))?.page.slug).toBe(second);
    expect(await rename(server, page, third)).toBe(200);
    expect(await rename(server, other, second)).toBe(200);
    for (const slug of [second, third]) pages.forget(slug);
    expect((await pages.find(page.slug))?.page.slug).toBe(third);
    expect((await pages.find(second))?.page.id).toBe(other.id);
  });

  test("a page that is deleted gives all its slugs back, and only the last 20 lead to one", async () => {
    let now = NOW;
    const server = await serve({ engine, clock: { now: () => now } });
    const key = await server.createKey({ plan: "expert" });
    const page = await makePage(server);
    const slugs = [page.slug, ...Array.from({ length: 21 }, newSlug)];
    for (const slug of slugs.slice(1)) {
      now += 1;
      expect(await rename(server, page, slug)).toBe(200);
    }
    const take = async (at: number) =>
      (await server.api("POST", PAGES, { name: "Theirs", slug: slugs[at] }, { key })).status;
    expect([await take(0), await take(1), await take(20)]).toEqual([201, 422, 422]);
    expect((await server.api("DELETE", `${PAGES}/${page.id}`)).status).toBe(200);
    expect([await take(1), await take(20), await take(21)]).toEqual([201, 201, 201]);
  });
});

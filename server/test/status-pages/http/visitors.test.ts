import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { createPageCache } from "../../../src/status-pages/document/page-cache.ts";
import { failed } from "../../app/pipeline/setup.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";
import { makeDomain, serve } from "../../monitors/domains/factories.ts";
import { sendRaw } from "../../platform/http/raw-client.ts";
import { componentRow, linkDomain, makePage, PAGES } from "../factories.ts";

/** First from the router, then from memory. */
const TIMES = 2;
/** What other processes announce arrives within a second. */
const WAIT = { timeout: 10_000 };
const HTML = { accept: "text/html" };
const NOW = Date.parse("2026-11-23T09:30:20Z");

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A request as a browser makes it; with `host` as if that name led here. */
function get(
  server: { url: string },
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const { hostname, port } = new URL(server.url);
  const sent = httpRequest(
    { hostname, port, path, method, headers: { ...HTML, ...headers }, agent: false },
    (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const body = Buffer.concat(parts).toString();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
      });
      answer.on("error", reject);
    },
  );
  sent.on("error", reject);
  sent.end();
  return promise;
}

/** A page that shows one domain; no server has an event to read it anew, which would come in between some time. */
async function shop(server: TestServer, more: object = {}) {
  const page = await makePage(server, more);
  const { id } = await makeDomain(server, { name: page.slug });
  const row = componentRow(page, server.person.organization.id, id, { display_name: "Shop" });
  await insertMany(server.ctx.store.db, "status_page_components", [row]);
  return { ...page, path: `/status/${page.slug}` };
}

/** How many answers came from memory. */
const fromMemory = ({ app }: TestServer): number => app.answeredFromMemory();

eachEngine("visitors of status pages", (engine) => {
  test("200: read at once what has become of a monitor, and nothing of one that was deleted", async () => {
    let now = NOW;
    const server = await serve({ engine, clock: { now: () => now } });
    const { path } = await shop(server);
    const [{ id } = { id: 0 }] = (await server.api("GET", "/api/domains")).body.data;
    const page = async () => (await get(server, path)).body;
    /** Two seconds later: what is cached for fifteen would still be there. */
    const sees = (is: (body: string) => boolean) => {
      now += 2_000;
      return vi.waitFor(async () => expect(is(await page())).toBe(true), WAIT);
    };
    expect(await page()).toContain("Status unknown");
    await ingestBatch(server.ctx, [failed(id, now - 4_000), failed(id, now - 2_000)]);
    await sees((body) => body.includes("Major outage"));
    expect((await server.api("PUT", `/api/domains/${id}`, { enabled: false })).status).toBe(200);
    await sees((body) => body.includes("Not monitored"));
    expect((await server.api("DELETE", `/api/domains/${id}`)).status).toBe(200);
    await vi.waitFor(async () => expect((await page()).includes("Shop")).toBe(false), WAIT);
  });

  test("200: read at once that a monitor was stopped, and never what else people of the organization call it", async () => {
    let now = NOW;
    const server = await serve({ engine, clock: { now: () => now }, alone: true });
    const page = await makePage(server);
    const { id } = await makeDomain(server, { name: "Checkout" });
    await linkDomain(server, page, { id }, { displayName: undefined });
    const body = async () => (await get(server, `/status/${page.slug}`)).body;
    const change = async (settings: object) => {
      expect((await server.api("PUT", `/api/domains/${id}`, settings)).status).toBe(200);
      // What is cached for fifteen would still be there.
      now += 2_000;
    };
    await vi.waitFor(async () => expect(await body()).toContain(">Checkout<"), WAIT);
    await change({ name: "checkout-eu-3.internal" });
    await change({ enabled: false });
    await vi.waitFor(async () => expect(await body()).toContain("Not monitored"), WAIT);
    // The page's own name for it, which was the monitor's when it was added.
    expect(await body()).toContain(">Checkout<");
    expect(await body()).not.toContain("internal");
  });

  test("200: get the page, complete and with a strict policy, from the router and from memory alike", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server);
    const first = await get(server, path);
    expect(first.status).toBe(200);
    expect(first.body).toContain("<h1><a");
    expect(first.body).toContain("Shop");
    expect(first.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": expect.stringMatching(/^public, max-age=1[0-5], stale-if-error=86400$/),
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^ ]+'; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      "x-content-type-options": "nosniff",
      vary: "accept-encoding, accept-language",
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
    });
    const before = fromMemory(server);
    expect(before).toBeGreaterThanOrEqual(0);
    const second = await get(server, path, { "x-request-id": "mine" });
    expect(fromMemory(server)).toBe(before + 1);
    expect(second.body).toBe(first.body);
    const changing = { date: "", "cache-control": "", "x-request-id": "" };
    expect({ ...second.headers, ...changing }).toEqual({ ...first.headers, ...changing });
    expect(second.headers["x-request-id"]).toBe("mine");
  });

  test("304, HEAD and codings: send nothing twice", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server);
    const { headers, body } = await get(server, path);
    const etag = String(headers["etag"]);
    // From the router, and from memory.
    for (let time = 0; time < TIMES; time++) {
      const same = await get(server, path, { "if-none-match": etag });
      expect(same).toMatchObject({ status: 304, body: "", headers: { etag } });
      const other = await get(server, path, { "if-none-match": '"another"' });
      expect(other.status).toBe(200);
      const head = await get(server, path, {}, "HEAD");
      expect(head).toMatchObject({
        status: 200,
        body: "",
        headers: { "content-length": String(Buffer.byteLength(body)) },
      });
      for (const coding of ["br", "gzip"]) {
        const small = await get(server, path, { "accept-encoding": coding });
        expect(small.headers).toMatchObject({ "content-encoding": coding, etag });
        expect(Number(small.headers["content-length"])).toBeLessThan(body.length / 2);
      }
      const plain = await get(server, path, { "accept-encoding": "br;q=0, gzip;q=0.0" });
      expect(plain.headers["content-encoding"]).toBeUndefined();
    }
  });

  test("200: get what is for programs by the same rules, and a widget that other pages may frame", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server);
    for (let time = 0; time < TIMES; time++) {
      for (const rest of [
        "/feed.atom",
        "/feed.json",
        "/badge/status.svg?style=flat",
        "/api/v2/summary.json",
      ]) {
        const answer = await get(server, path + rest);
        expect(answer, rest).toMatchObject({ status: 200, headers: { "access-control-allow-origin": "*" } });
        expect(answer.headers["cache-control"]).toMatch(/^public, max-age=/);
        expect(answer.headers["x-frame-options"]).toBe("DENY");
      }
      const widget = await get(server, `${path}/widget`);
      expect(widget.headers["content-security-policy"]).toContain("frame-ancestors *");
      expect(widget.headers["x-frame-options"]).toBeUndefined();
      const badge = await get(server, `${path}/badge/status.svg?component=nothing`);
      expect(badge.status).toBe(404);
    }
  });

  test("200, 304, 404: programs get what there is to know in both families by the same rules", async () => {
    const server = await serve({ engine });
    const { slug, path } = await shop(server);
    const closed = await shop(server, { isPublic: false });
    const json = { accept: "application/json" };
    for (const [family, name] of [
      ["/api", "updatedAt"],
      ["/v2", "updated_at"],
      ["/api/v2", "updated_at"],
    ]) {
      const address = `${family}/status-pages/${slug}/public`;
      const first = await get(server, address, json);
      expect(first).toMatchObject({
        status: 200,
        headers: {
          "content-type": "application/json; charset=utf-8",
          "cache-control": expect.stringMatching(/^public, max-age=1[0-5], stale-if-error=86400$/),
          "access-control-allow-origin": "*",
          vary: "accept-encoding, accept-language",
          etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
          "x-content-type-options": "nosniff",
        },
      });
      expect(JSON.parse(first.body).data).toMatchObject({ slug, [name as string]: expect.any(String) });
      for (let time = 0; time < TIMES; time++) {
        const etag = String(first.headers["etag"]);
        expect(await get(server, address, json)).toMatchObject({ body: first.body, headers: { etag } });
        const same = await get(server, address, { ...json, "if-none-match": etag });
        expect(same).toMatchObject({ status: 304, body: "" });
        const head = await get(server, address, json, "HEAD");
        expect(head).toMatchObject({ status: 200, body: "", headers: { etag } });
        const small = await get(server, address, { ...json, "accept-encoding": "br" });
        expect(small.headers).toMatchObject({ "content-encoding": "br", etag });
        expect(Number(small.headers["content-length"])).toBeLessThan(first.body.length);
        const member = { ...json, authorization: `Bearer ${server.key}` };
        const own = await get(server, `${family}/status-pages/${closed.slug}/public`, member);
        expect(own.headers).toMatchObject({ "cache-control": "private, no-store" });
        expect(own.headers["access-control-allow-origin"]).toBeUndefined();
        expect(own.headers["etag"]).toBeUndefined();
        expect((await get(server, `${family}/status-pages/${closed.slug}/public`, json)).status).toBe(404);
      }
    }
    // The very version that people see.
    const reported = JSON.parse((await get(server, `/api/status-pages/${slug}/public`, json)).body).data
      .updatedAt;
    const summary = JSON.parse((await get(server, `${path}/api/v2/summary.json`, json)).body);
    expect(Date.parse(summary.page.updated_at)).toBe(Date.parse(reported));
  });

  test("get answers in the order of requests that they send at once, and then what is wrong with the last", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server);
    const badge = `${path}/badge/status.svg`;
    await get(server, badge);
    const one = (rest: string) => `GET ${badge}${rest} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`${one("")}${one("?component=nothing")}${one("")}nonsense\r\n\r\n`);
    const reported = await text(socket);
    expect(Array.from(reported.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)).toEqual([
      "200",
      "404",
      "200",
      "400",
    ]);
  });

  test("read in their language, or in the one that the address names", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server);
    const languageOf = async (query: string, header: string) =>
      /<html lang="(\w+)"/.exec((await get(server, path + query, { "accept-language": header })).body)?.[1];
    for (let time = 0; time < TIMES; time++) {
      expect(await languageOf("", "de-AT,de;q=0.9,en;q=0.5")).toBe("de");
      expect(await languageOf("", "fr,zh-CN;q=0.5")).toBe("zh");
      expect(await languageOf("", "fr")).toBe("en");
      expect(await languageOf("?lang=zh", "de")).toBe("zh");
      expect(await languageOf("?lang=xx&lang=de", "de")).toBe("de");
    }
  });

  test("200: get what is in memory however their browsers request a language, each in its own", async () => {
    const server = await serve({ engine });
    const { slug, path } = await shop(server, { appearance: { languages: ["en", "de"] } });
    const program = `/api/status-pages/${slug}/public`;
    for (const address of [path, program]) {
      const before = fromMemory(server);
      const tagFor = async (header: string) =>
        (await get(server, address, { "accept-language": header })).headers["etag"];
      const first = await tagFor("de-AT,de;q=0.9,zh;q=0.1");
      expect(await tagFor("x-made-up, DE;q=0.123, zh, de, de")).toBe(first);
      expect(fromMemory(server)).toBe(before + 1);
      // The page has no Chinese, but what answers programs has.
      await tagFor("zh,de");
      expect(fromMemory(server)).toBe(before + 1);
    }
  });

  test("404: for what there is not, and for what is not for them, in the same words", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server);
    const closed = await shop(server, { isPublic: false });
    const missing = await get(server, "/status/no-such-page");
    expect(missing.status).toBe(404);
    expect(missing.body).toContain("There is nothing at this address.");
    expect(missing.headers["cache-control"]).toBe("no-store");
    const others = ["/status", "/status/", "/status/no-such-page/x", closed.path, `${closed.path}/nothing`];
    for (const address of others) {
      expect(await get(server, address), address).toMatchObject({ status: 404, body: missing.body });
    }
    // With the way back, for who may see the page.
    const home = `<p class="months"><a href="${path}">Back to the current status</a></p></main>`;
    const astray = missing.body.replace("</main>", home);
    for (const address of ["/nothing", "/unlock", "/subscribe/x", "/incidents/x", "/history/2020-01"]) {
      expect(await get(server, path + address), address).toMatchObject({ status: 404, body: astray });
    }
    const german = await get(server, `${path}/nothing?lang=de`);
    expect(german.body).toContain(`<a href="${path}?lang=de">Zurück zum aktuellen Status</a>`);
    const member = { authorization: `Bearer ${server.key}` };
    expect((await get(server, `${closed.path}/nothing`, member)).body).toContain(`href="${closed.path}"`);
    const json = await get(server, `${path}/nothing`, { accept: "application/json" });
    expect(JSON.parse(json.body)).toMatchObject({ success: false, message: "Resource not found." });
    expect((await get(server, path, {}, "POST")).status).toBe(405);
  });

  test("308: a slash behind the address leads to the page, and to nothing but it", async () => {
    const server = await serve({ engine });
    const { slug } = await makePage(server);
    for (const [path, to] of [
      [`/status/${slug}/`, `/status/${slug}`],
      [`/status/${slug}/?lang=de`, `/status/${slug}?lang=de`],
      [`http://elsewhere.test/status/${slug}/?to=//elsewhere.test`, `/status/${slug}?to=//elsewhere.test`],
    ] as const) {
      const { status, headers } = await get(server, path);
      expect([path, status, headers["location"]]).toEqual([path, 308, to]);
    }
    const hidden = await makePage(server, { isPublic: false });
    for (const path of [`/status/${slug}//`, `/status/${hidden.slug}/`, "/status/no-such-page/"])
      expect([path, (await get(server, path)).status]).toEqual([path, 404]);
  });

  test("404: a page that is not for them is as none, to the last header", async () => {
    const server = await serve({ engine, config: { rateLimits: true } });
    const closed = await shop(server, { isPublic: false });
    expect((await get(server, closed.path, { authorization: `Bearer ${server.key}` })).status).toBe(200);
    const answers = [await get(server, closed.path), await get(server, "/status/no-such-page")];
    const [hidden, missing] = answers.map(({ headers }) => ({
      ...{ names: Object.keys(headers).toSorted(), limit: headers["ratelimit-limit"] },
      remaining: Number(headers["ratelimit-remaining"]),
    }));
    expect(hidden?.limit).toBe("120");
    expect(hidden).toEqual({ ...missing, remaining: (missing?.remaining ?? 0) + 1 });
  });

  test("200: members see the page that is for them only, and no cache stores it", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server, { isPublic: false });
    const outsider = await server.createKey({ plan: "expert" });
    for (let time = 0; time < TIMES; time++) {
      const own = await get(server, path, { authorization: `Bearer ${server.key}` });
      expect(own.status).toBe(200);
      expect(own.headers).toMatchObject({
        "cache-control": "private, no-store",
        "x-robots-tag": "noindex",
        vary: "accept-encoding, accept-language, authorization, cookie",
      });
      expect((await get(server, path, { authorization: `Bearer ${outsider}` })).status).toBe(404);
      expect((await get(server, path)).status).toBe(404);
    }
  });

  test("see what happens after 15 seconds, and what is changed of the page at once", async () => {
    let now = NOW;
    const server = await serve({ engine, clock: { now: () => now }, alone: true });
    const { path, id } = await shop(server);
    await get(server, path);
    const { db } = server.ctx.store;
    await db.updateTable("status_pages").set({ name: "Another name" }).where("id", "=", id).execute();
    now += 14_000;
    const before = await get(server, path);
    expect(before.body).not.toContain("Another name");
    expect(before.headers["cache-control"]).toContain("max-age=1,");
    now += 1_000;
    expect((await get(server, path)).body).toContain("Another name");
    await server.api("PUT", `${PAGES}/${id}`, { name: "A third name" });
    await vi.waitFor(async () => expect((await get(server, path)).body).toContain("A third name"), WAIT);
    await server.api("PUT", `${PAGES}/${id}`, { isPublic: false });
    await vi.waitFor(async () => expect((await get(server, path)).status).toBe(404), WAIT);
  });

  test("see at once what is added to the page, renamed, arranged and taken off", async () => {
    const server = await serve({ engine, clock: { now: () => NOW }, alone: true });
    const { path, id } = await shop(server);
    const other = await makeDomain(server, { name: "Other", url: "https://other.test" });
    await get(server, path);
    const added = await linkDomain(server, { id }, other, { displayName: "Warehouse" });
    const shows = (name: string, isShown = true) =>
      vi.waitFor(async () => {
        expect((await get(server, path)).body.includes(`>${name}<`)).toBe(isShown);
      }, WAIT);
    await shows("Warehouse");
    await server.api("PUT", `${PAGES}/${id}/domains/${added.id}`, { displayName: "Deliveries" });
    await shows("Deliveries");
    const groups = [{ name: "Logistics", components: [added.uuid] }];
    await server.api("PUT", `${PAGES}/${id}/layout`, { groups });
    await shows("Logistics");
    await server.api("DELETE", `${PAGES}/${id}/domains/${added.id}`);
    await shows("Deliveries", false);
  });

  test("see the page as it was while the store is away, with a note; 503 where it was never read", async () => {
    let now = NOW;
    const real = await openTestStore(engine);
    onTestFinished(() => real.close());
    let isAway = false;
    const db = real.db.withPlugin({
      transformQuery({ node }) {
        if (isAway) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const store = { ...real, db };
    const server = await serve({ engine, clock: { now: () => now }, store });
    const [{ path }, unread] = [await shop(server), await shop(server)];
    const fresh = await get(server, path);
    isAway = true;
    now += 30_000;
    // Nothing that anybody would notice yet.
    for (let time = 0; time < TIMES; time++)
      expect(await get(server, path)).toMatchObject({ status: 200, body: fresh.body });
    now += 60_000;
    const old = await get(server, path);
    expect(old).toMatchObject({
      status: 200,
      body: expect.stringContaining("Newer information is not available right now."),
    });
    const away = await get(server, unread.path);
    expect(away).toMatchObject({
      status: 503,
      body: expect.stringContaining("The status cannot be shown right now"),
      headers: { refresh: "15", "retry-after": "15", "cache-control": "no-store" },
    });
    now += 24 * 3_600_000;
    expect((await get(server, path)).status).toBe(503);
    isAway = false;
    now += 5_000;
    expect((await get(server, path)).body).not.toContain('class="old');
    expect(server.problems.some(({ message }) => message === "a status page is shown as it was")).toBe(true);
  });

  /** Pages in memory, over a store whose answers wait for `until` once it is set. */
  async function hesitant() {
    const time = { now: NOW };
    const server = await serve({ engine, clock: { now: () => time.now } });
    const state = { until: null as Promise<unknown> | null };
    const db = server.ctx.store.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await state.until;
        return result;
      },
    });
    const pages = createPageCache({ ...server.ctx, store: { ...server.ctx.store, db } });
    return { server, time, state, pages };
  }

  test("do not get back what was taken away while they waited, but what is only not new", async () => {
    const { server, time, state, pages } = await hesitant();
    const [closed, reported] = [await shop(server), await shop(server)];
    for (const { slug } of [closed, reported]) expect(await pages.find(slug)).toMatchObject({ isOld: false });
    const { promise, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    state.until = promise;
    time.now += 15_000;
    const visit = pages.find(closed.slug);
    const other = pages.find(reported.slug);
    await server.api("PUT", `${PAGES}/${closed.id}`, { isPublic: false });
    pages.forget(closed.slug);
    pages.renew(reported.slug);
    expect(await other).toMatchObject({ page: { slug: reported.slug } });
    expect([pages.has(reported.slug), pages.has(closed.slug), pages.peek(closed.slug)]).toEqual([
      true,
      false,
      null,
    ]);
    resolve();
    expect(await visit).toMatchObject({ page: { isPublic: false } });
  });

  test("get a page as it is after the clock went back", async () => {
    const { time, server, pages } = await hesitant();
    const { slug } = await shop(server);
    for (const [backMs, isRenewed] of [
      [3_600_000, false],
      [3_600_000, true],
      [10_000, true],
    ] as const) {
      const before = await pages.find(slug);
      time.now -= backMs;
      if (isRenewed) pages.renew(slug);
      if (isRenewed) time.now += 1_000;
      expect((await pages.find(slug))?.document.updatedAt).toBe(time.now);
      expect(before?.document.updatedAt).toBeGreaterThan(time.now);
    }
  });

  test("cause one reading of a page in a second, however much there is to announce", async () => {
    const { server, time, state, pages } = await hesitant();
    const { slug } = await shop(server);
    const seen = new Set<unknown>();
    for (let change = 0; change < 30; change += 1) {
      pages.renew(slug);
      seen.add((await pages.find(slug))?.document);
      time.now += 100;
    }
    expect(seen.size).toBe(3);
    // What comes while the page is read begins no other reading, and is announced after it.
    time.now += 15_000;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.until = promise;
    const [visit] = [pages.find(slug), pages.renew(slug)];
    const other = pages.find(slug);
    resolve();
    expect((await other)?.document).toBe((await visit)?.document);
    expect(pages.peek(slug)?.document).toBe((await visit)?.document);
    time.now += 1_000;
    expect(pages.peek(slug)).toBe(null);
  });

  test("wait for one reading of a page, whatever becomes of others meanwhile", async () => {
    const { server, state, pages } = await hesitant();
    const { slug } = await shop(server);
    const { promise, resolve } = Promise.withResolvers<void>();
    state.until = promise;
    const first = pages.find(slug);
    pages.renew("another");
    pages.forget("another");
    const second = pages.find(slug);
    resolve();
    expect(await first).toBe(await second);
    expect(pages.peek(slug)).toBe(await first);
    // What is announced of the page itself begins another, and the one before is not cached.
    pages.renew(slug);
    const before = pages.find(slug);
    pages.forget(slug);
    const after = pages.find(slug);
    expect(await after).not.toBe(await before);
    expect(pages.peek(slug)).toBe(await after);
  });

  test("find a page on its own host, with everything else a plain 404 there", async () => {
    let now = NOW;
    const config = { publicUrl: "https://vedette.test" };
    const server = await serve({ engine, config, clock: { now: () => now } });
    const { slug, id } = await shop(server);
    const host = `status-${engine}.shop.test`;
    await server.ctx.store.db
      .updateTable("status_pages")
      .set({ custom_domain: host })
      .where("id", "=", id)
      .execute();
    now += 15_000;
    const at = (path: string, headers = {}) =>
      get(server, path, { host: `${host.toUpperCase()}:443`, ...headers });
    for (let time = 0; time < TIMES; time++) {
      const page = await at("/");
      expect(page.status).toBe(200);
      expect(page.body).toContain('<h1><a href="/">Example</a></h1>');
      expect(page.body).toContain('href="/history"');
      expect(page.body).toContain('<script src="/live.js?v=');
      expect((await at("/?lang=de")).body).toContain('href="/history?lang=de"');
      expect((await at("/history")).status).toBe(200);
      for (const path of [
        "/api/health",
        "/api/domains",
        "/sign-in",
        "/assets/x.js",
        `/status/${slug}`,
        "/docs",
        "//x",
      ]) {
        const answer = await at(path, { authorization: `Bearer ${server.key}` });
        expect(answer.status, path).toBe(404);
      }
      expect((await get(server, `/status/${slug}`)).body).toContain(`href="/status/${slug}/history"`);
    }
    const elsewhere = await get(server, "/api/health", { host: "another.shop.test" });
    expect(elsewhere.status).toBe(200);
  });

  test("400: a request that names two hosts gets no page", async () => {
    const server = await serve({ engine });
    const { path } = await shop(server);
    await get(server, path);
    const head = (host: string) =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\n${host}Accept: text/html\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(server.url, head("Host: b\r\n"))).status).toBe(400);
    expect((await sendRaw(server.url, head(""))).status).toBe(200);
  });

  test("429: who tries many addresses is slowed down, while pages that are there go on", async () => {
    const server = await serve({ engine, config: { rateLimits: true } });
    const { path } = await shop(server);
    await get(server, path);
    const tried = await Promise.all(
      Array.from({ length: 130 }, (_, n) => get(server, `/status/nothing-${n}`)),
    );
    expect(tried.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect((await get(server, `${path}/history`)).status).toBe(200);
  });
});

import { expect, onTestFinished, test, vi } from "vitest";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { followDomains, pageHosts } from "../../../src/status-pages/domain/custom-domain.ts";
import { keepFormerSlug, lockPages } from "../../../src/status-pages/queries/status-pages.ts";
import { startDnsTarget } from "../../harness/dns-target.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";
import { countWaiting } from "../../harness/waiting.ts";
import { NOW, serve } from "../../monitors/domains/factories.ts";
import { makePage, newSlug, PAGES, pageRow } from "../factories.ts";

const OWN = "vedette.shop.test";
let counter = 0;

/** A server that queries a name server of ours, and time that stands until it is moved. */
async function start(engine: "sqlite" | "postgres") {
  const dns = await startDnsTarget({ [OWN]: { a: ["192.0.2.7"] } });
  onTestFinished(dns.close);
  const time = { now: NOW };
  const config = { publicUrl: `https://${OWN}`, resolvers: [dns.server] };
  const server = await serve({ engine, config, clock: { now: () => time.now } });
  const host = `status-${process.pid}-${(counter += 1)}.shop.test`;
  const prove = (...uuids: string[]) =>
    dns.set(`_vedette.${host}`, { txt: uuids.map((uuid) => `vedette-page=${uuid}`) });
  return { server, dns, time, host, prove };
}

const put = (server: TestServer, id: number, customDomain: string | null, key = server.key) =>
  server.api("PUT", `${PAGES}/${id}`, { customDomain }, { key });
const check = async (server: TestServer, id: number, key = server.key) => {
  const { status, body } = await server.api("POST", `${PAGES}/${id}/custom-domain/check`, undefined, { key });
  return { status, ...body.data?.domain };
};
/** The status of the page's address at a host, and whether it shows this page. */
async function visit(server: TestServer, host: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const { request } = await import("node:http");
  const sent = request(`${server.url}/`, { headers: { host, accept: "text/html" } }, async (answer) => {
    const parts = await answer.toArray();
    resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString() });
  });
  sent.on("error", reject).end();
  return promise;
}
const isAllowed = async (server: TestServer, domain: string) =>
  (await fetch(`${server.url}/status/allowed-host?domain=${encodeURIComponent(domain)}`)).status;

eachEngine("a page's own domain", (engine) => {
  test("is claimed, says what is to be set, and serves the page once the DNS says so", async () => {
    const { server, dns, time, host, prove } = await start(engine);
    const page = await makePage(server, { name: "Ours" });
    const { body } = await put(server, page.id, ` ${host.toUpperCase()}. `);
    const { customDomain, domain, url } = body.data;
    expect([customDomain, url]).toEqual([host, `https://${OWN}/status/${page.slug}`]);
    const proof = { name: `_vedette.${host}`, value: `vedette-page=${page.uuid}` };
    expect(domain).toMatchObject({ state: "pending", isServed: false, checkedAt: null });
    expect(domain.records).toMatchObject([
      { type: "CNAME", name: host, value: OWN, isFound: false, problem: null },
      { type: "TXT", ...proof, isFound: false, problem: null },
    ]);
    await followDomains(server.ctx);
    const looked = (await server.api("GET", `${PAGES}/${page.id}`)).body.data.domain;
    expect(looked.records).toMatchObject([
      { problem: `${host} has no address in the DNS yet.`, problemFact: { code: "page.points_nowhere" } },
      { problem: `There is no TXT record _vedette.${host} yet.` },
    ]);
    dns.set(host, { a: ["192.0.2.9"] });
    const elsewhere = await check(server, page.id);
    expect(elsewhere).toMatchObject({ state: "wrong", isServed: false });
    expect(elsewhere.records[0].problem).toBe(`${host} leads to 192.0.2.9, which is not where ${OWN} is.`);
    expect([await isAllowed(server, host), (await visit(server, host)).body.includes("Ours")]).toEqual([
      404,
      false,
    ]);
    const visited = await fetch(`${server.url}/status/${page.slug}`);
    expect(JSON.stringify([...visited.headers]) + (await visited.text())).not.toContain(host);
    dns.set(host, { cname: OWN });
    expect(await check(server, page.id)).toMatchObject({ state: "pending", isServed: false });
    prove(page.uuid);
    time.now += 120_000;
    await followDomains(server.ctx);
    const shown = (await server.api("GET", `/v2/status-pages/${page.id}`)).body.data;
    expect(shown.domain).toMatchObject({ state: "verified", is_served: true });
    expect(shown.url).toBe(`https://${host}`);
    time.now += 15_000;
    expect((await visit(server, `${host.toUpperCase()}.:8443`)).body).toContain("Ours");
    expect([await isAllowed(server, host), await isAllowed(server, "x.shop.test")]).toEqual([200, 404]);
    const feed = await (await fetch(`${server.url}/status/${page.slug}/feed.atom`)).text();
    expect(feed).toContain(`https://${host}`);
    expect(feed).not.toContain(OWN);
    await put(server, page.id, null);
    time.now += 15_000;
    await visit(server, "another.shop.test");
    expect(await isAllowed(server, host)).toBe(404);
  });

  test("is not proved by records of other names", async () => {
    const { server, dns, host, prove } = await start(engine);
    const page = await makePage(server);
    await put(server, page.id, host);
    dns.set(host, { stray: { name: "other.test", a: "192.0.2.7" } });
    dns.set(`_vedette.${host}`, { stray: { name: "other.test", txt: `vedette-page=${page.uuid}` } });
    const refused = await check(server, page.id);
    expect(refused).toMatchObject({ state: "pending", isServed: false });
    expect(
      refused.records.map(({ problemFact }: { problemFact: { code: string } }) => problemFact.code),
    ).toEqual(["page.points_nowhere", "page.proof_missing"]);
    dns.set(host, { a: ["192.0.2.7"] });
    prove(page.uuid);
    expect(await check(server, page.id)).toMatchObject({ state: "verified" });
  });

  test("belongs to whom its zone names: claims that are not proved do not block it", async () => {
    const { server, dns, host, prove } = await start(engine);
    dns.set(host, { a: ["192.0.2.7"] });
    const outsider = await server.createKey({ plan: "expert" });
    const mine = await makePage(server);
    const made = await server.api(
      "POST",
      PAGES,
      { name: "Theirs", slug: `theirs-${host.split(".")[0]}` },
      { key: outsider },
    );
    const theirs = made.body.data;
    expect((await put(server, theirs.id, host, outsider)).status).toBe(200);
    expect((await put(server, mine.id, host)).status).toBe(200);
    expect(await check(server, theirs.id, outsider)).toMatchObject({ isServed: false });
    prove(mine.uuid);
    expect(await check(server, theirs.id, outsider)).toMatchObject({ state: "wrong", isServed: false });
    expect(await check(server, mine.id)).toMatchObject({ state: "verified", isServed: true });

    // Both are named: who is served there stays, and newcomers learn no more than that it is taken.
    prove(mine.uuid, theirs.uuid);
    const held = await check(server, theirs.id, outsider);
    expect(held).toMatchObject({ state: "wrong", isServed: false });
    expect(held.records[1].problem).toContain("its TXT record is still there");
    await put(server, theirs.id, null, outsider);
    const taken = await put(server, theirs.id, host, outsider);
    expect([taken.status, taken.body.message]).toEqual([
      409,
      `Another status page is served at ${host}. If the domain is yours, set the TXT record _vedette.${host} to vedette-page=${theirs.uuid} and try again.`,
    ]);
    expect(JSON.stringify(taken.body)).not.toContain(mine.uuid);

    // However many records the zone has beside, of which some alone are shown.
    const others = Array.from({ length: 8 }, (_, n) => `0190b6a4-2f10-7c3a-9d53-00000000000${n}`);
    prove(theirs.uuid, ...others, mine.uuid);
    expect((await put(server, theirs.id, host, outsider)).status).toBe(409);
    prove(...others, mine.uuid);
    expect(await check(server, mine.id)).toMatchObject({ state: "verified" });
    const addresses = Array.from({ length: 8 }, (_, n) => `192.0.2.${n + 20}`);
    dns.set(host, { a: [...addresses, "192.0.2.7"] });
    expect(await check(server, mine.id)).toMatchObject({ state: "verified" });

    // Only the other one is named: the zone has changed hands.
    prove(theirs.uuid);
    expect((await put(server, theirs.id, host, outsider)).body.data.domain).toMatchObject({ isServed: true });
    expect((await server.api("GET", `${PAGES}/${mine.id}`)).body.data.domain).toMatchObject({
      isServed: false,
    });
  });

  // SQLite has no locks of rows.
  const whereRowsLock = engine === "postgres" ? test : () => {};
  whereRowsLock("locks the page first, so that who changes it can go on", async () => {
    const { server, dns, time, host, prove } = await start(engine);
    const { db, transaction } = server.ctx.store;
    const page = await makePage(server);
    dns.set(host, { a: ["192.0.2.7"] });
    prove(page.uuid);
    await put(server, page.id, host);
    const looks = [() => check(server, page.id), () => followDomains(server.ctx)];
    for (const look of looks) {
      const looking: Promise<unknown>[] = [];
      time.now += 86_400_000;
      await transaction(async (trx) => {
        await lockPages(trx, [page.id]);
        looking.push(look());
        await vi.waitFor(async () => expect(await countWaiting(db)).toBe(1), { timeout: 20_000 });
        const claim = trx.selectFrom("status_page_domains").select("host").where("page_id", "=", page.id);
        expect(await claim.forUpdate().noWait().execute()).toEqual([{ host }]);
      });
      await Promise.all(looking);
    }
    expect(await check(server, page.id)).toMatchObject({ isServed: true });
  });

  test("409, 422: what cannot be a page's own, and looking at none", async () => {
    const { server } = await start(engine);
    const { id } = await makePage(server);
    for (const text of ["https://a.shop.test", OWN, "192.0.2.1", "localhost", "a.shop.test\r\nx: y"]) {
      const { status, body } = await put(server, id, text);
      expect([status, Object.keys(body.errors)]).toEqual([422, ["customDomain"]]);
    }
    expect((await check(server, id)).status).toBe(422);
    const alone = await serve({ engine });
    const { body } = await put(alone, (await makePage(alone)).id, "status.shop.test");
    expect(body.errors.customDomain[0]).toContain("VEDETTE_PUBLIC_URL");
  });

  test("hostile Host headers reach nothing, and thousands of them query the store once", async () => {
    let lookups = 0;
    const { server, time } = await start(engine);
    const { db } = server.ctx.store;
    const counted = db.selectFrom.bind(db);
    Object.assign(db, {
      selectFrom: (...args: Parameters<typeof counted>) => {
        if (args[0] === "status_pages") lookups += 1;
        return counted(...args);
      },
    });
    time.now += 15_000;
    for (let n = 0; n < 500; n += 1) await visit(server, `host-${n}.shop.test`);
    expect(lookups).toBe(1);
    for (const host of [
      "a".repeat(10_000),
      "[::1]:80",
      "a b",
      "../..",
      "%00.test",
      "xn--.test",
      ".",
      ":80",
      "a.test:99999",
    ]) {
      expect([host, (await visit(server, host)).status]).toEqual([host, 200]);
      expect(await isAllowed(server, host)).toBe(404);
    }
    expect(await isAllowed(server, `a.test\r\nx: y`)).toBe(404);
    expect(lookups).toBe(1);
  });

  test("a store that does not answer holds up no request at a host that cannot be a page's, and others once", async () => {
    const { server, time } = await start(engine);
    const real = await openTestStore(engine);
    onTestFinished(() => real.close());
    let answered: Promise<unknown> = Promise.resolve();
    const db = real.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => answered.then(() => result),
    });
    const hosts = pageHosts({ ...server.ctx, store: { ...real, db } });
    expect(await hosts.find("a.shop.test", true)).toBe(null);
    const { promise, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    answered = promise;
    time.now += 15_000;
    expect(hosts.find(`${OWN.toUpperCase()}:443`, true)).toBe(null);
    const waiting = hosts.find("a.shop.test", true);
    expect(waiting).toBeInstanceOf(Promise);
    expect(await waiting).toBe(null);
    expect(hosts.find("b.shop.test", true)).toBe(null);
    resolve();
    // As soon as it answers again, what it says is waited for.
    await vi.waitFor(() => {
      time.now += 15_000;
      expect(hosts.find("b.shop.test", true)).toBeInstanceOf(Promise);
    });
  });

  test("a change while the hosts are being read is read after it", async () => {
    const { server, host } = await start(engine);
    const page = await makePage(server);
    const real = server.ctx.store;
    const served = real.db.updateTable("status_pages").where("id", "=", page.id);
    await served.set({ custom_domain: host }).execute();
    const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const db = real.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        read.resolve();
        await answered.promise;
        return result;
      },
    });
    const hosts = pageHosts({ ...server.ctx, store: { ...real, db } });
    const found = hosts.find(host, true);
    await read.promise;
    await served.set({ slug: `new-${page.slug}` }).execute();
    hosts.renew();
    answered.resolve();
    expect(await found).toBe(`new-${page.slug}`);
  });

  test("shows a page whose slug is another by now, which this server does not know yet", async () => {
    const { server, time, host } = await start(engine);
    const { db } = server.ctx.store;
    const organizationId = server.person.organization.id;
    const row = { ...pageRow(organizationId), name: "Ours", custom_domain: host };
    await insertMany(db, "status_pages", [row]);
    const ofPage = db.selectFrom("status_pages").select("id").where("slug", "=", row.slug);
    const { id } = await ofPage.executeTakeFirstOrThrow();
    time.now += 15_000;
    expect(await isAllowed(server, host)).toBe(200);
    const slug = newSlug();
    await keepFormerSlug(db, { id, organizationId, slug: row.slug }, time.now);
    await db.updateTable("status_pages").set({ slug }).where("id", "=", id).execute();
    const { status, body } = await visit(server, host);
    expect([status, body.includes("Ours"), body.includes('href="/history')]).toEqual([200, true, true]);
    expect(body).not.toContain("/status/");
    const moved = await fetch(`${server.url}/status/${row.slug}`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([308, `/status/${slug}`]);
  });

  test("what is for everybody may be read from any site, and nothing else", async () => {
    const { server } = await start(engine);
    const [open, closed] = [await makePage(server), await makePage(server, { isPublic: false })];
    const fetchAcross = (path: string, method: string) =>
      fetch(server.url + path, { method, headers: { origin: "https://a.test" } });
    for (const path of [
      `${PAGES}/SLUG/public`,
      "/v2/status-pages/SLUG/public",
      "/status/SLUG/api/v2/summary.json",
      "/status/SLUG/widget",
    ]) {
      const preflight = await fetchAcross(path.replace("SLUG", open.slug), "OPTIONS");
      expect([path, preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
        path,
        204,
        "*",
      ]);
      const read = await fetchAcross(path.replace("SLUG", open.slug), "GET");
      expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      if (path.endsWith("widget")) expect(read.headers.has("x-frame-options")).toBe(false);
      const hidden = await fetchAcross(path.replace("SLUG", closed.slug), "OPTIONS");
      expect([hidden.status, hidden.headers.has("access-control-allow-origin")]).toEqual([404, false]);
      const headers = { authorization: `Bearer ${server.key}` };
      const own = await fetch(server.url + path.replace("SLUG", closed.slug), { headers });
      if (path.includes("/public")) expect(own.headers.has("access-control-allow-origin")).toBe(false);
    }
    const other = await fetchAcross("/api/domains", "OPTIONS");
    expect(other.headers.has("access-control-allow-origin")).toBe(false);
  });
});

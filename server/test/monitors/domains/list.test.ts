import { expect, test } from "vitest";
import type { Status } from "../../../src/platform/monitor-defaults.ts";
import { countQueries } from "../../harness/count-queries.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { DAY, HOUR, makeDomain, NOW, serve, setHistory, setState } from "./factories.ts";

async function names(server: TestServer, query: string, key?: string): Promise<string[]> {
  const answer = await server.api("GET", `/api/domains?${query}`, undefined, key ? { key } : {});
  expect(answer.status).toBe(200);
  return answer.body.data.map((item: { name: string }) => item.name);
}

async function makeNamed(server: TestServer, ...all: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [at, name] of all.entries()) {
    ids.push((await makeDomain(server, { name, url: `https://host${at}.test` })).id);
  }
  return ids;
}

eachEngine("the list of domains", (engine) => {
  test("is empty before there is any", async () => {
    const server = await serve({ engine });
    const legacy = await server.api("GET", "/api/domains");
    expect(legacy.body).toEqual({
      success: true,
      message: "OK",
      data: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 1 },
    });
    const v2 = await server.api("GET", "/v2/domains");
    expect(v2.body).toMatchObject({
      data: [],
      pagination: { page: 1, per_page: 15, total: 0, total_pages: 1 },
    });
  });

  test("shows the newest first, page by page, each once", async () => {
    const server = await serve({ engine });
    await makeNamed(server, "a", "b", "c", "d", "e");
    expect(await names(server, "limit=2")).toEqual(["e", "d"]);
    expect(await names(server, "limit=2&page=2")).toEqual(["c", "b"]);
    expect(await names(server, "limit=2&page=3")).toEqual(["a"]);
    expect(await names(server, "limit=2&page=4")).toEqual([]);
    for (const page of [1, 2, 3, 4]) {
      const { pagination } = (await server.api("GET", `/api/domains?limit=2&page=${page}`)).body;
      expect(pagination).toEqual({ page, limit: 2, total: 5, totalPages: 3 });
    }
    const answer = await server.api("GET", "/v2/domains?per_page=2&page=2");
    expect(answer.body.data.map((item: { name: string }) => item.name)).toEqual(["c", "b"]);
    expect(answer.body.pagination).toEqual({ page: 2, per_page: 2, total: 5, total_pages: 3 });
  });

  test("has 20 a page in the legacy family and 15 in v2", async () => {
    const server = await serve({ engine });
    await makeNamed(server, ...Array.from({ length: 21 }, (_, at) => `n${at}`));
    expect(await names(server, "")).toHaveLength(20);
    expect((await server.api("GET", "/v2/domains")).body.data).toHaveLength(15);
  });

  test("is searched by name and by URL, in any case and script", async () => {
    const server = await serve({ engine });
    await makeDomain(server, { name: "Ärzte-Portal", url: "https://one.test" });
    await makeDomain(server, { name: "Shop", url: "https://MÜNCHEN.test/Kasse" });
    await makeDomain(server, { name: "Blog", url: "https://two.test" });
    expect(await names(server, `search=${encodeURIComponent("äRZTE")}`)).toEqual(["Ärzte-Portal"]);
    expect(await names(server, "search=TWO.")).toEqual(["Blog"]);
    expect(await names(server, "search=kasse")).toEqual(["Shop"]);
    expect(await names(server, `search=${encodeURIComponent("MÜNCHEN")}`)).toEqual(["Shop"]);
    expect(await names(server, "search=xn--mnchen")).toEqual(["Shop"]);
    expect(await names(server, "search=nothing")).toEqual([]);
    const v2 = await server.api("GET", "/v2/domains?search=bLOG");
    expect([v2.body.data.length, v2.body.pagination.total]).toEqual([1, 1]);
  });

  test("is searched by tag, also by one that was given or taken away later", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { name: "a", url: "https://a.test", tags: ["Ökostrom", "eu"] });
    await makeDomain(server, { name: "b", url: "https://b.test" });
    const found = (text: string) => names(server, `search=${encodeURIComponent(text)}`);
    expect(await found("öKO")).toEqual(["a"]);
    const tags = { add: ["Nachtschicht"], remove: ["Ökostrom"] };
    const bulk = await server.api("POST", "/api/domains/bulk", { action: "tag", ids: [id], tags });
    expect(bulk.body.data.changed).toHaveLength(1);
    expect((await server.api("GET", `/api/domains/${id}`)).body.data.tags).toEqual(["eu", "Nachtschicht"]);
    expect([await found("nachts"), await found("öko"), await found("https://a")]).toEqual([["a"], [], ["a"]]);
    await server.api("PUT", `/api/domains/${id}`, { tags: [] });
    expect(await found("nachts")).toEqual([]);
  });

  test("is narrowed to a tag, which is meant whole and as it is written", async () => {
    const server = await serve({ engine });
    const odd = `a "b", \\ % ü`;
    await makeDomain(server, { name: "one", url: "https://one.test", tags: ["eu", odd] });
    await makeDomain(server, { name: "two", url: "https://two.test", tags: ["eu-west", "EU", "a"] });
    await makeDomain(server, { name: "three", url: "https://three.test" });
    const tagged = (tag: string) => names(server, `tag=${encodeURIComponent(tag)}`);
    expect(await tagged("eu")).toEqual(["one"]);
    expect(await tagged("EU")).toEqual(["two"]);
    expect(await tagged(odd)).toEqual(["one"]);
    expect(await tagged(",")).toEqual([]);
    expect(await names(server, "tag=a&sort=uptime")).toEqual(["two"]);
    const v2 = await server.api("GET", "/v2/domains?tag=eu&per_page=1");
    expect([v2.body.data.length, v2.body.pagination.total]).toEqual([1, 1]);
    expect((await server.api("GET", `/api/domains?tag=${"x".repeat(51)}`)).status).toBe(422);
  });

  test("finds whether an address is watched already, however it is written", async () => {
    const server = await serve({ engine });
    await makeDomain(server, { name: "renamed", url: "https://shop.test" });
    await makeDomain(server, { name: "below", url: "https://shop.test/cart" });
    for (const url of ["shop.test", "HTTPS://Shop.test:443/", "https://shop.test#top"]) {
      expect(await names(server, `url=${encodeURIComponent(url)}`)).toEqual(["renamed"]);
    }
    expect(await names(server, "url=http://shop.test")).toEqual([]);
    expect((await server.api("GET", "/api/domains?url=not%20one")).status).toBe(422);
  });

  test("takes %, _, \\ and quotes in a search for what they are", async () => {
    const server = await serve({ engine });
    await makeNamed(server, "100%", "100 percent", "a_b", "axb", "back\\slash", "it's");
    expect(await names(server, "search=0%25")).toEqual(["100%"]);
    expect(await names(server, "search=a_b")).toEqual(["a_b"]);
    expect(await names(server, "search=k%5Cs")).toEqual(["back\\slash"]);
    expect(await names(server, "search='s")).toEqual(["it's"]);
    expect(await names(server, "search=%25")).toEqual(["100%"]);
  });

  test("holds up no other request while a search nearly fits everywhere", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { name: "Long" });
    const { db } = server.ctx.store;
    // As long as those of hundreds of domains together.
    const search_text = "a".repeat(3_000_000);
    await db.updateTable("monitors").set({ search_text }).where("id", "=", id).execute();
    const begun = performance.now();
    expect(await names(server, `search=${"a".repeat(1000)}b`)).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(1_500);
  });

  test("finds a domain under its new name after a renaming, and no more under the old one", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { name: "Old" });
    await server.api("PUT", `/api/domains/${id}`, { name: "New" });
    expect([await names(server, "search=old"), await names(server, "search=new")]).toEqual([[], ["New"]]);
  });

  test("is filtered by status, where degraded reads up", async () => {
    const server = await serve({ engine });
    const statuses: Status[] = ["up", "degraded", "down", "unknown"];
    const ids = await makeNamed(server, ...statuses);
    for (const [at, id] of ids.entries()) await setState(server.ctx.store, id, { status: statuses[at] });
    expect(await names(server, "status=up")).toEqual(["degraded", "up"]);
    expect(await names(server, "status=down")).toEqual(["down"]);
    expect(await names(server, "status=unknown")).toEqual(["unknown"]);
    const v2 = await server.api("GET", "/v2/domains?status=up");
    expect(v2.body.data).toMatchObject([
      { name: "degraded", status: "up", state: "degraded", monitor: { uptime_status: "up" } },
      { name: "up", status: "up", state: "up" },
    ]);
    expect(v2.body.pagination.total).toBe(2);
  });

  test("shows each domain's uptime of the last 24 hours and last response time", async () => {
    const server = await serve({ engine });
    const [a = 0, b = 0] = await makeNamed(server, "a", "b");
    await setHistory(server.ctx.store, a, [
      [NOW - 2 * DAY, "down"],
      [NOW - DAY, "up"],
      [NOW - 6 * HOUR, "down"],
    ]);
    await setState(server.ctx.store, a, { last_total_us: 87_449, last_check_at: NOW - 1000 });
    const { data } = (await server.api("GET", "/api/domains")).body;
    expect(data).toMatchObject([
      { id: b, uptimePercentage: null, responseTime: null, lastCheck: null },
      { id: a, uptimePercentage: 75, responseTime: 87.4, lastCheck: "2026-11-21T12:02:29.000Z" },
    ]);
  });

  test("costs the same few queries for 1 domain and for 20", async () => {
    const server = await serve({ engine });
    await makeNamed(server, "a");
    const one = await countQueries(server.ctx.store, () => names(server, "limit=1"));
    await makeNamed(server, ...Array.from({ length: 19 }, (_, at) => `n${at}`));
    const twenty = await countQueries(server.ctx.store, () => names(server, "limit=20"));
    expect(twenty).toBe(one);
    expect(one).toBeLessThanOrEqual(6);
  });

  test("holds what belongs to the caller's organization and nothing else", async () => {
    const server = await serve({ engine });
    const other = await server.createOrganization();
    const otherKey = await server.createKey({ person: other });
    await makeDomain(server, { name: "mine" });
    await makeDomain(server, { name: "theirs" }, otherKey);
    expect(await names(server, "")).toEqual(["mine"]);
    expect(await names(server, "", otherKey)).toEqual(["theirs"]);
    expect(await names(server, "search=theirs")).toEqual([]);
    const { organization } = server.person;
    for (const name of [organization.id, organization.uuid, organization.slug]) {
      expect(await names(server, `organization=${name}`)).toEqual(["mine"]);
    }
    const foreign = await server.api("GET", `/api/domains?organization=${other.organization.id}`);
    expect(foreign.status).toBe(404);
  });

  test("refuses what is out of range with 422 instead of clamping it", async () => {
    const server = await serve({ engine });
    for (const [path, field] of OUT_OF_RANGE) {
      const answer = await server.api("GET", path);
      expect([path, answer.status, answer.body.message]).toEqual([path, 422, "The given data was invalid."]);
      expect([path, Object.keys(answer.body.errors)]).toEqual([path, [field]]);
    }
  });
});

const OUT_OF_RANGE = [
  ["/api/domains?limit=0", "limit"],
  ["/api/domains?limit=1001", "limit"],
  ["/api/domains?page=0", "page"],
  ["/api/domains?page=x", "page"],
  ["/api/domains?status=degraded", "status"],
  ["/api/domains?search=%00", "search"],
  ["/v2/domains?per_page=101", "per_page"],
  ["/v2/domains?per_page=0", "per_page"],
  ["/v2/domains?page=1.5", "page"],
  ["/v2/domains?status=paused", "status"],
] as const;

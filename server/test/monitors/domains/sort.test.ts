import { expect, test } from "vitest";
import { countQueries } from "../../harness/count-queries.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { DAY, HOUR, makeDomain, NOW, serve, setCertificate, setHistory, setState } from "./factories.ts";

async function names(server: TestServer, query: string): Promise<string[]> {
  const answer = await server.api("GET", query);
  expect(answer.status).toBe(200);
  return answer.body.data.map((item: { name: string }) => item.name);
}

const legacy = (server: TestServer, query: string) => names(server, `/api/domains?${query}`);

/** One of each state; the names are in none of the orders that the tests request. */
async function scene(server: TestServer): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  for (const name of ["new", "Up", "down", "slow", "Paused"]) {
    ids[name] = (await makeDomain(server, { name, url: `https://${name}.test` })).id;
  }
  const { store } = server.ctx;
  const { Up = 0, down = 0, slow = 0, Paused = 0 } = ids;
  await setState(store, Up, { status: "up", status_since: NOW - 2 * DAY, last_total_us: 20_000 });
  await setState(store, down, { status: "down", status_since: NOW - 12 * HOUR, last_total_us: 5_000 });
  await setState(store, slow, { status: "degraded", status_since: NOW - HOUR, last_total_us: 900_000 });
  await server.api("PUT", `/api/domains/${Paused}`, { enabled: false });
  await setHistory(store, Up, [[NOW - 2 * DAY, "up"]]);
  await setHistory(store, slow, [
    [NOW - 2 * DAY, "up"],
    [NOW - HOUR, "down"],
  ]);
  await setHistory(store, down, [
    [NOW - 2 * DAY, "up"],
    [NOW - 12 * HOUR, "down"],
  ]);
  await setCertificate(store, Up, { valid: true, expiresAt: NOW + 60 * DAY });
  await setCertificate(store, down, { valid: true, expiresAt: NOW + DAY });
  return ids;
}

const ORDERS = {
  name: ["down", "new", "Paused", "slow", "Up"],
  "-name": ["Up", "slow", "Paused", "new", "down"],
  status: ["down", "slow", "new", "Up", "Paused"],
  "-status": ["Paused", "Up", "new", "slow", "down"],
  statusSince: ["Up", "down", "slow", "new", "Paused"],
  "-statusSince": ["new", "Paused", "slow", "down", "Up"],
  responseTime: ["down", "Up", "slow", "new", "Paused"],
  "-responseTime": ["slow", "Up", "down", "new", "Paused"],
  uptime: ["down", "slow", "Up", "new", "Paused"],
  "-uptime": ["Up", "slow", "down", "new", "Paused"],
  certificate: ["down", "Up", "new", "Paused", "slow"],
  "-certificate": ["Up", "down", "new", "Paused", "slow"],
};

eachEngine("sorting and narrowing domains", (engine) => {
  test("sorts by every column and back, what has no figure last, equals by name in any case", async () => {
    const server = await serve({ engine });
    await scene(server);
    for (const [sort, order] of Object.entries(ORDERS)) {
      expect([sort, await legacy(server, `sort=${sort}`)]).toEqual([sort, order]);
      const v2 = sort.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
      expect([v2, await names(server, `/v2/domains?sort=${v2}`)]).toEqual([v2, order]);
    }
  });

  test("cuts any order into pages that hold each domain once, with the total", async () => {
    const server = await serve({ engine });
    await scene(server);
    for (const [sort, order] of Object.entries(ORDERS)) {
      const pages = await Promise.all(
        [1, 2, 3].map((page) => legacy(server, `sort=${sort}&limit=2&page=${page}`)),
      );
      expect([sort, pages.flat()]).toEqual([sort, order]);
      const { pagination } = (await server.api("GET", `/api/domains?sort=${sort}&limit=2`)).body;
      expect([sort, pagination.total]).toEqual([sort, 5]);
    }
  });

  test("narrows to one state, where up is not degraded and unknown is not paused", async () => {
    const server = await serve({ engine });
    await scene(server);
    const found = { up: "Up", degraded: "slow", down: "down", unknown: "new", paused: "Paused" };
    for (const [state, name] of Object.entries(found)) {
      expect([state, await legacy(server, `state=${state}`)]).toEqual([state, [name]]);
      expect([state, await names(server, `/v2/domains?state=${state}&sort=uptime`)]).toEqual([state, [name]]);
    }
    expect(await legacy(server, "state=up&search=slow")).toEqual([]);
  });

  test("keeps to the search and to the organization when it sorts", async () => {
    const server = await serve({ engine });
    await scene(server);
    const other = await server.createOrganization();
    await makeDomain(server, { name: "Upper" }, await server.createKey({ person: other }));
    for (const sort of ["name", "uptime"])
      expect(await legacy(server, `search=up&sort=${sort}`)).toEqual(["Up"]);
  });

  test("costs the same few queries for any number of domains", async () => {
    const server = await serve({ engine });
    await scene(server);
    for (const sort of ["status", "uptime"]) {
      const few = await countQueries(server.ctx.store, () => legacy(server, `sort=${sort}&limit=1`));
      const more = await countQueries(server.ctx.store, () => legacy(server, `sort=${sort}&limit=4`));
      expect([sort, more]).toEqual([sort, few]);
      expect(few).toBeLessThanOrEqual(7);
    }
  });

  test("refuses an order or a state that does not exist", async () => {
    const server = await serve({ engine });
    const wrong = [
      ["/api/domains?sort=url", "sort"],
      ["/api/domains?sort=response_time", "sort"],
      ["/api/domains?sort=status_since", "sort"],
      ["/v2/domains?sort=responseTime", "sort"],
      ["/v2/domains?state=broken", "state"],
    ] as const;
    for (const [path, field] of wrong) {
      const answer = await server.api("GET", path);
      expect([path, answer.status, Object.keys(answer.body.errors)]).toEqual([path, 422, [field]]);
    }
  });
});

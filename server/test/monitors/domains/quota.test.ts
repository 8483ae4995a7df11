import { expect, test } from "vitest";
import type { ApiAnswer, TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, serve } from "./factories.ts";

const create = (server: TestServer, body: object): Promise<ApiAnswer> =>
  server.api("POST", "/api/domains", { url: "https://shop.test", ...body });

/** How many answers had each code. */
function countByStatus(answers: ApiAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

eachEngine("the number of domains", (engine) => {
  test("ends at the plan's quota, which the refusal names", async () => {
    const server = await serve({ engine, plan: "free" });
    for (let n = 0; n < 10; n += 1) await makeDomain(server, { name: `n${n}` });
    const refused = await create(server, { name: "one too many" });
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        success: false,
        message: "Your plan allows 10 monitors (domains and services), and you have 10.",
        fact: { code: "quota.monitors", params: { limit: 10, count: 10 } },
      },
    ]);
    expect((await server.api("GET", "/api/domains")).body.pagination.total).toBe(10);
  });

  test("counts neither deleted ones nor those of other organizations", async () => {
    const server = await serve({ engine, plan: "free" });
    const other = await server.createKey({ plan: "free" });
    await makeDomain(server, {}, other);
    for (let n = 0; n < 9; n += 1) await makeDomain(server, { name: `n${n}` });
    const last = await makeDomain(server, { name: "last" });
    await server.api("DELETE", `/api/domains/${last.id}`);
    expect((await create(server, { name: "again" })).status).toBe(201);
  });

  test("counts services too", async () => {
    const server = await serve({ engine, plan: "free" });
    const { db } = server.ctx.store;
    for (let n = 0; n < 10; n += 1) await makeDomain(server, { name: `n${n}` });
    await db.updateTable("monitors").set({ kind: "service" }).where("name", "=", "n0").execute();
    expect((await create(server, {})).status).toBe(403);
  });

  test("cannot be pushed past the quota by creating many at once", async () => {
    const server = await serve({ engine, plan: "free" });
    for (let n = 0; n < 7; n += 1) await makeDomain(server, { name: `n${n}` });
    const names = Array.from({ length: 12 }, (_, n) => `parallel ${n}`);
    const answers = await Promise.all(names.map((name) => create(server, { name })));
    expect(countByStatus(answers)).toEqual({ 201: 3, 403: 9 });
  });

  test("is unlimited on the expert plan", async () => {
    const server = await serve({ engine });
    const names = Array.from({ length: 12 }, (_, n) => `n${n}`);
    const answers = await Promise.all(names.map((name) => create(server, { name })));
    expect(countByStatus(answers)).toEqual({ 201: 12 });
  });
});

eachEngine("the same URL", (engine) => {
  test("may be monitored twice under different names only, however it is typed", async () => {
    const server = await serve({ engine });
    await makeDomain(server, { name: "Shop" });
    const same = await create(server, { name: " Shop ", url: "HTTPS://SHOP.test:443/" });
    expect([same.status, same.body.errors]).toEqual([
      422,
      { name: [expect.stringContaining("another name")] },
    ]);
    expect((await create(server, { name: "Shop 2" })).status).toBe(201);
    expect((await create(server, { name: "Shop", url: "http://shop.test" })).status).toBe(201);
  });

  test("is free again after its domain was deleted", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    await server.api("DELETE", `/api/domains/${id}`);
    expect((await create(server, {})).status).toBe(201);
  });

  test("is no matter of other organizations", async () => {
    const server = await serve({ engine });
    await makeDomain(server);
    const other = await server.createKey({ person: await server.createOrganization() });
    expect((await makeDomain(server, {}, other)).id).toBeGreaterThan(0);
  });

  test("sent many times at once is created once", async () => {
    const server = await serve({ engine });
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(server, {})));
    expect(countByStatus(answers)).toEqual({ 201: 1, 422: 7 });
  });

  test("cannot be reached by renaming or moving either, but an unchanged one may be sent again", async () => {
    const server = await serve({ engine });
    await makeDomain(server, { name: "Shop" });
    const { id } = await makeDomain(server, { name: "Blog" });
    const elsewhere = await makeDomain(server, { name: "Shop", url: "https://b.test" });
    const renamed = await server.api("PUT", `/api/domains/${id}`, { name: "Shop" });
    expect([renamed.status, Object.keys(renamed.body.errors)]).toEqual([422, ["name"]]);
    const moved = await server.api("PUT", `/api/domains/${elsewhere.id}`, { url: "https://shop.test" });
    expect([moved.status, Object.keys(moved.body.errors)]).toEqual([422, ["name"]]);
    const same = await server.api("PUT", `/api/domains/${id}`, { name: "Blog", url: "https://shop.test" });
    expect(same.status).toBe(200);
  });
});

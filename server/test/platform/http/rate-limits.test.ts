import { describe, expect, inject, onTestFinished, test } from "vitest";
import { openStore } from "../../../src/platform/database/open.ts";
import { startProxy } from "../../harness/proxy.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { createTestDatabase, eachEngine } from "../../harness/stores.ts";

async function start(options: Partial<TestServerOptions>) {
  const server = await startTestServer({
    engine: "sqlite",
    plan: "free",
    ...options,
    config: { rateLimits: true, ...options.config },
  });
  onTestFinished(server.close);
  return server;
}
const remaining = (answer: { headers: Headers }) => Number(answer.headers.get("ratelimit-remaining"));

eachEngine("rate limits", (engine) => {
  test("every limited answer says the limit, what is left and when it starts again", async () => {
    const server = await start({ engine });
    const first = await server.api("GET", "/api/organizations");
    expect(first.headers.get("ratelimit-limit")).toBe("60");
    expect(remaining(first)).toBe(59);
    const reset = Number(first.headers.get("ratelimit-reset"));
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);
    expect(remaining(await server.api("GET", "/api/organizations"))).toBe(58);
  });

  test("reading and writing are counted apart, and each person apart", async () => {
    const server = await start({ engine });
    await server.api("GET", "/api/organizations");
    const written = await server.api("POST", "/api/organizations", { name: "Another" });
    expect([written.headers.get("ratelimit-limit"), remaining(written)]).toEqual(["20", 19]);
    const other = await server.createKey({ plan: "pro" });
    const read = await server.api("GET", "/api/organizations", undefined, { key: other });
    expect([read.headers.get("ratelimit-limit"), remaining(read)]).toEqual(["300", 299]);
  });

  test("two keys of one person share what the person may do", async () => {
    const server = await start({ engine });
    const second = await server.createKey();
    await server.api("GET", "/api/organizations");
    expect(remaining(await server.api("GET", "/api/organizations", undefined, { key: second }))).toBe(58);
  });

  test("a refused request is counted too, before its plan is looked at", async () => {
    const server = await start({ engine });
    const refused = await server.api("GET", "/api-keys");
    expect([refused.status, remaining(refused)]).toEqual([403, 59]);
  });
});

describe("public endpoints", () => {
  test("are limited by client address, which a client cannot choose", async () => {
    const server = await start({});
    const request = (address: string) =>
      server.api("GET", "/api/auth/state", undefined, { key: null, headers: { "x-forwarded-for": address } });
    const first = await request("192.0.2.1");
    expect(remaining(await request("192.0.2.2"))).toBe(remaining(first) - 1);
  });

  test("believe the forwarded address of a trusted proxy", async () => {
    const server = await start({ config: { trustedProxies: ["127.0.0.1"] } });
    const request = (address: string) =>
      server.api("GET", "/api/auth/state", undefined, { key: null, headers: { "x-forwarded-for": address } });
    const first = await request("192.0.2.1");
    expect(remaining(await request("192.0.2.2"))).toBe(remaining(first));
    expect(remaining(await request("192.0.2.1"))).toBe(remaining(first) - 1);
  });

  test("count a client of IPv6 by its /64, and one of IPv4 by its address however it is written", async () => {
    const server = await start({ config: { trustedProxies: ["127.0.0.1"] } });
    const request = async (address: string) =>
      remaining(
        await server.api("GET", "/api/auth/state", undefined, {
          key: null,
          headers: { "x-forwarded-for": address },
        }),
      );
    const first = await request("2001:db8:1:1::1");
    expect(await request("2001:db8:1:1:ffff::2")).toBe(first - 1);
    expect(await request("2001:db8:1:2::1")).toBe(first);
    expect(await request("192.0.2.1")).toBe(first);
    expect(await request("::ffff:192.0.2.1")).toBe(first - 1);
    expect(await request("192.0.2.2")).toBe(first);
  });

  test("health is never limited", async () => {
    const server = await start({});
    expect((await server.api("GET", "/api/health")).headers.get("ratelimit-limit")).toBeNull();
  });
});

test("VEDETTE_RATE_LIMITS=off counts nothing", async () => {
  const server = await start({ config: { rateLimits: false } });
  expect((await server.api("GET", "/api/organizations")).headers.get("ratelimit-limit")).toBeNull();
});

const postgres = inject("postgres");

describe.skipIf("missing" in postgres)("replicas on PostgreSQL", () => {
  const engine = "postgres";
  test("count together", async () => {
    const { location, remove } = await createTestDatabase(engine);
    const [one, two] = [await openStore(location), await openStore(location)];
    const first = await start({ store: one, engine });
    const second = await start({ store: two, engine });
    await first.api("GET", "/api/organizations");
    const answer = await second.api("GET", "/api/organizations", undefined, { key: first.key });
    expect(remaining(answer)).toBe(58);
    await first.close();
    await second.close();
    await Promise.all([one.close(), two.close()]);
    await remove();
  });

  test("go on counting for themselves while the database is away", async () => {
    const { location, remove } = await createTestDatabase(engine);
    const proxy = await startProxy((location as { url: string }).url);
    const store = await openStore({ url: proxy.url });
    const clock = { now: () => Date.now(), wait: async () => {} };
    const server = await start({ store, engine, clock });
    proxy.cut();
    for (let n = 0; n < 10; n += 1) {
      const answer = await server.api(
        "POST",
        "/api/auth/sign-in",
        { email: "a@b.test", password: "x" },
        { key: null },
      );
      expect(answer.status).toBe(503);
    }
    const answer = await server.api(
      "POST",
      "/api/auth/sign-in",
      { email: "a@b.test", password: "x" },
      { key: null },
    );
    expect(answer.status).toBe(429);
    await server.close();
    await store.close();
    proxy.close();
    await remove();
  });
});

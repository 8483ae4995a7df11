import { get } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../../src/platform/config.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ engine: "sqlite", alone: true, ...options });
  onTestFinished(server.close);
  return server;
}

async function addMonitor(server: TestServer, organizationId: number, name: string, status: "up" | "down") {
  const { db } = server.ctx.store;
  const now = Date.now();
  const { id } = await db
    .insertInto("monitors")
    .values({
      uuid: crypto.randomUUID(),
      organization_id: organizationId,
      kind: "domain",
      type: "http",
      name,
      target: `https://${now}.test`,
      display_target: "x",
      config: "{}",
      secrets: null,
      interval_seconds: 60,
      timeout_seconds: 10,
      enabled: 1,
      locations: null,
      confirmations: 2,
      recoveries: 2,
      severity: "high",
      tags: "[]",
      revision: 1,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      search_text: name,
    } as never)
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("monitor_states")
    .values({
      monitor_id: id,
      status,
      status_since: now,
      rules: "{}",
      flapping: 0,
      last_check_at: now,
      last_outcome: 0,
      last_status_code: 200,
      last_total_us: 1500,
      last_result: null,
      consecutive_failures: 0,
      stale_at: null,
    } as never)
    .execute();
  return id;
}

eachEngine("/metrics", (engine) => {
  test("a scraper on this machine that was let in sees every organization, a key its own", async () => {
    const server = await start({ engine, config: { metrics: "loopback" } });
    const other = await server.createOrganization({ name: "Other" });
    await addMonitor(server, server.person.organization.id, 'mine "quoted"', "up");
    await addMonitor(server, other.organization.id, "theirs", "down");
    const local = await server.api("GET", "/metrics", undefined, { key: null });
    expect(local.status).toBe(200);
    expect(local.headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect(local.body).toMatch(
      /vedette_monitor_up\{organization="other",monitor="\d+",name="theirs",kind="domain"\} 0\n/,
    );
    expect(local.body).toContain('name="mine \\"quoted\\""');
    const keyed = await server.api("GET", "/metrics");
    expect(keyed.body).toMatch(/vedette_monitor_up\{[^}]*mine[^}]*\} 1\n/);
    expect(keyed.body).toMatch(/vedette_monitor_response_seconds\{[^}]*mine[^}]*\} 0\.0015\n/);
    expect(keyed.body).not.toContain("theirs");
  });

  test.each([
    ["it is not allowed", {}],
    ["the server has a public address", { metrics: "loopback", publicUrl: "https://status.example.org" }],
    ["a proxy is configured", { metrics: "loopback", trustedProxies: ["loopback"] }],
    ["the server listens beyond this machine", { metrics: "loopback", host: "0.0.0.0" }],
  ] satisfies [string, Partial<Config>][])(
    "a request from this machine needs a key where %s",
    async (_, config) => {
      const server = await start({ engine, config });
      expect((await server.api("GET", "/metrics", undefined, { key: null })).status).toBe(401);
      expect((await server.api("GET", "/metrics")).status).toBe(200);
    },
  );

  test("a request that a proxy passed on, or that names another host, needs a key", async () => {
    const server = await start({ engine, config: { metrics: "loopback" } });
    const { port, hostname } = new URL(server.url);
    const statusFor = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const options = { port, hostname, path: "/metrics", headers };
        get(options, (answer) => resolve(answer.resume().statusCode ?? 0)).on("error", reject);
      });
    for (const host of [
      "evil.test",
      `evil.test:${port}`,
      "status.example.org",
      "localhost.evil.test",
      "[::2]",
      "@",
    ]) {
      expect([host, await statusFor({ host })]).toEqual([host, 401]);
    }
    for (const name of [
      "X-Forwarded-Proto",
      "X-Forwarded-Host",
      "Forwarded",
      "Via",
      "X-Real-IP",
      "CF-Connecting-IP",
    ]) {
      expect([name, await statusFor({ [name]: "x" })]).toEqual([name, 401]);
    }
    for (const host of [`localhost:${port}`, "127.0.0.1", `[::1]:${port}`]) {
      expect([host, await statusFor({ host })]).toEqual([host, 200]);
    }
  });

  test("a forwarded request needs a key with read:metrics", async () => {
    const server = await start({ engine });
    const forwarded = { headers: { "x-forwarded-for": "127.0.0.1" } };
    expect((await server.api("GET", "/metrics", undefined, { key: null, ...forwarded })).status).toBe(401);
    const weak = await server.createKey({ scopes: ["read:domains"] });
    expect((await server.api("GET", "/metrics", undefined, { key: weak })).status).toBe(403);
    const fit = await server.createKey({ scopes: ["read:metrics"] });
    expect((await server.api("GET", "/metrics", undefined, { key: fit, ...forwarded })).status).toBe(200);
  });
});

describe("what /metrics has", () => {
  test("of the process, the engine, and requests by pattern, never by path", async () => {
    const server = await start({ config: { signup: "closed" } });
    await server.api("GET", "/api/organizations/424242");
    const { body } = await server.api("GET", "/metrics");
    expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(body).toMatch(/^vedette_engine_ticking 1$/m);
    expect(body).toMatch(
      /vedette_http_request_duration_seconds_count\{method="GET",route="\/api\/organizations\/:id",status="404"\} 1/,
    );
    expect(body).not.toContain("424242");
  });

  test("of the engine alone where anybody may sign up: how others use it is no tenant's to know", async () => {
    const config = { signup: "open", metrics: "loopback" } as const;
    const server = await start({ config });
    const key = await server.createKey({ plan: "expert" });
    const { body } = await server.api("GET", "/metrics", undefined, { key });
    expect(body).toMatch(/^vedette_engine_ticking 1$/m);
    expect(body).not.toMatch(/vedette_http|process_|nodejs_|status_page_answers/);
    for (const own of [null, server.key]) {
      const answer = await server.api("GET", "/metrics", undefined, { key: own });
      expect(answer.body).toMatch(/^vedette_http_request_duration_seconds_count/m);
    }
  });
});

describe("/api/health", () => {
  test("says status and time, without an envelope and without credentials", async () => {
    const server = await start();
    const { status, body } = await server.api("GET", "/api/health", undefined, { key: null });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    });
  });

  test("is not ready while the engine does not tick", async () => {
    const server = await start();
    expect((await server.api("GET", "/api/health?ready=1")).body).toMatchObject({
      status: "ok",
      store: "ok",
      engine: "ok",
    });
    const { engine } = server.ctx;
    server.ctx.engine = { ...engine, health: () => ({ ...engine.health(), ticking: false }) };
    const answer = await server.api("GET", "/api/health?ready=1");
    expect([answer.status, answer.body.status, answer.body.engine]).toEqual([
      503,
      "unavailable",
      "unavailable",
    ]);
    expect((await server.api("GET", "/api/health")).status).toBe(200);
  });
});

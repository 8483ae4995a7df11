import { describe, expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { createState } from "../../src/engine/status/monitor-states.ts";
import { insertMonitor } from "../../src/monitors/queries/monitors.ts";
import { createActivityIds } from "../../src/reports/list-recent-activity.ts";
import { failed, monitorNamed, probed } from "../app/pipeline/setup.ts";
import { startTestServer, type TestPerson, type TestServer } from "../harness/server.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";

async function serverOn(engine: EngineName, more: { plan?: "free"; scopes?: string[] } = {}) {
  const server = await startTestServer({ engine, ...more });
  onTestFinished(() => server.close());
  return server;
}

/** A monitor with the given checks, one a second, the last one now. `x` failed, `.` passed. */
async function watched(
  { ctx }: TestServer,
  { organization }: TestPerson,
  name: string,
  checks: string,
  more: { kind?: "service"; severity?: "critical" } = {},
): Promise<number> {
  const now = ctx.clock.now();
  const id = await ctx.store.transaction(async (trx) => {
    const created = await insertMonitor(
      trx,
      { ...monitorNamed(name), ...more, organizationId: organization.id },
      now,
    );
    await createState(trx, created, now);
    return created;
  });
  const start = now - checks.length * 1_000;
  await ingestBatch(
    ctx,
    [...checks].map((check, i) => (check === "x" ? failed : probed)(id, start + i * 1_000)),
  );
  return id;
}

eachEngine("the dashboard", (engine) => {
  it("counts domains, services, devices and incidents of the organization only", async () => {
    const server = await serverOn(engine);
    await watched(server, server.person, "a", "...");
    await watched(server, server.person, "b", ".xx", { severity: "critical" });
    await watched(server, server.person, "c", "");
    await watched(server, server.person, "d", "xx", { kind: "service" });
    await watched(server, server.person, "e", "xx..", { kind: "service" });
    await watched(server, await server.createOrganization(), "foreign", "xx");
    const { status, body } = await server.api("GET", "/api/dashboard/stats");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      domains: { total: 3, up: 1, down: 1, unknown: 1, uptime: expect.any(Number) },
      services: { total: 2, up: 1, down: 1, unknown: 0 },
      devices: { total: 0, online: 0, offline: 0, down: 0 },
      incidents: { active: 2, critical: 1, unnotified: [] },
    });
    expect(body.data.domains.uptime).toBeGreaterThan(50);
    expect(body.data.domains.uptime).toBeLessThan(100);
    expect((await server.api("GET", "/v2/dashboard/stats")).body.data).toMatchObject({
      incidents: { active: 2, critical: 1 },
    });
  });

  it("of an empty organization is all zeros, and its uptime is not known", async () => {
    const server = await serverOn(engine);
    const { body } = await server.api("GET", "/api/dashboard/stats");
    expect(body.data.domains).toEqual({ total: 0, up: 0, down: 0, unknown: 0, uptime: null });
    expect(body.data.incidents).toEqual({ active: 0, critical: 0, unnotified: [] });
  });

  it("lists what happened last, newest first: changes of people, statuses, incidents", async () => {
    const server = await serverOn(engine);
    const id = await watched(server, server.person, "shop", ".xx");
    await watched(server, await server.createOrganization(), "foreign", "xx");
    await server.api("POST", "/api-keys", { name: "for the audit", scopes: ["read:domains"] });
    const { status, body } = await server.api("GET", "/api/dashboard/recent-activity");
    expect(status).toBe(200);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
      "change",
      "status",
      "status",
      "incident",
    ]);
    expect(body.data[0]).toMatchObject({ user: expect.stringMatching(/^Person/), monitorId: null });
    expect(body.data[0].message).toMatch(/^Person \d+ created the API key for the audit\.$/);
    expect(body.data[1]).toMatchObject({
      message: "shop went down.",
      status: "down",
      previousStatus: "up",
      reason: "The connection was refused.",
      reasonFact: { code: "refused.text", params: { text: "The connection was refused." } },
      monitorId: id,
      monitorName: "shop",
      monitorKind: "domain",
    });
    expect(body.data[3]).toMatchObject({ status: "open", monitorId: id, incidentId: expect.any(Number) });
    const limited = await server.api("GET", "/v2/dashboard/recent-activity?limit=1");
    expect(limited.body.data).toMatchObject([{ type: "change", monitor_id: null }]);
  });

  it("says when monitoring stopped, and of an outage that went on that it did not begin anew", async () => {
    const server = await serverOn(engine);
    const { ctx } = server;
    const ids = [
      await watched(server, server.person, "shop", ".xx"),
      await watched(server, server.person, "blog", "..."),
    ] as const;
    const ranOut = await ctx.store.db
      .selectFrom("monitor_states")
      .select("stale_at")
      .where("monitor_id", "in", ids)
      .execute();
    const later = ctx.clock.now() + 3_600_000;
    const clock = { ...ctx.clock, now: () => later };
    await ingestBatch({ ...ctx, clock }, [
      ...[failed(ids[0], later - 2_000), failed(ids[0], later - 1_000), probed(ids[1], later - 1_000)],
    ]);
    const { body } = await server.api("GET", "/api/dashboard/recent-activity?type=status");
    const reported = body.data.map(({ message }: { message: string }) => message);
    expect(reported.slice(0, 2).toSorted()).toEqual(["blog is up.", "shop is still down."]);
    expect(reported.slice(2, 4).toSorted()).toEqual([
      "blog is not being monitored.",
      "shop is not being monitored.",
    ]);
    const stoppedAt = body.data
      .slice(2, 4)
      .map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
    expect(stoppedAt.toSorted()).toEqual(ranOut.map(({ stale_at: at }) => at).toSorted());
    expect(reported).toContain("shop went down.");
  });

  it("names what was touched as it was called then, also when it is gone", async () => {
    const server = await serverOn(engine);
    const { id } = (await server.api("POST", "/api/domains", { url: "https://shop.test", name: "Shop" })).body
      .data;
    await server.api("PUT", `/v2/domains/${id}`, { name: "Store" });
    const many = (await server.api("POST", "/api/domains", { url: "https://b.test", name: "Bulk" })).body
      .data;
    await server.api("DELETE", `/api/domains/${id}`);
    await server.api("POST", "/v2/domains/bulk", { action: "delete", ids: [String(many.id)] });
    const key = (await server.api("POST", "/api-keys", { name: "Deploy", scopes: ["read:*"] })).body.data;
    await server.api("DELETE", `/v2/api-keys/${key.uuid}`);
    await server.ctx.store.db
      .updateTable("audit_log")
      .set({ subject: null })
      .where("action", "=", "update domains")
      .execute();
    const { data } = (await server.api("GET", "/v2/dashboard/recent-activity?type=change")).body;
    const said = data.map(({ message }: { message: string }) => message.replace(/^Person \d+ /, ""));
    expect(said).toEqual([
      "deleted the API key Deploy.",
      "created the API key Deploy.",
      "deleted the domain Bulk.",
      "deleted the domain Store.",
      "created the domain Bulk.",
      "changed a domain.",
      "created the domain Shop.",
    ]);
    expect(data[3]).toMatchObject({ action: "delete domains", subject: "Store" });
  });

  it("reveals by its ids nothing about others' activity", async () => {
    const server = await serverOn(engine);
    await watched(server, server.person, "shop", ".xx");
    await server.api("POST", "/api-keys", { name: "for the audit", scopes: ["read:domains"] });
    const idsOf = async (path: string): Promise<string[]> =>
      (await server.api("GET", path)).body.data.map(({ id }: { id: string }) => id);
    const ids = await idsOf("/api/dashboard/recent-activity");
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^(?:status|incident|change)-[\w-]{16}$/);
    expect(await idsOf("/v2/dashboard/recent-activity"), "the same at each reading").toEqual(ids);
    const rows = await server.ctx.store.db
      .selectFrom("transitions")
      .select("id")
      .orderBy("id", "desc")
      .execute();
    const { ctx } = server;
    const asSeenBy = (organizationId: number) =>
      createActivityIds({ secrets: ctx.secrets, caller: { organizationId } })({
        kind: "status",
        id: Number(rows[0]?.id),
      });
    expect(asSeenBy(server.person.organization.id)).toBe(ids[1]);
    expect(asSeenBy(server.person.organization.id + 1)).not.toBe(ids[1]);
  });

  it("lists only things of one type on request, as many of them as are wanted", async () => {
    const server = await serverOn(engine);
    await watched(server, server.person, "shop", ".xx");
    await server.api("POST", "/api-keys", { name: "for the audit", scopes: ["read:domains"] });
    const typesOf = async (query: string) =>
      (await server.api("GET", `/v2/dashboard/recent-activity?${query}`)).body.data.map(
        ({ type }: { type: string }) => type,
      );
    expect(await typesOf("type=status&limit=2")).toEqual(["status", "status"]);
    expect(await typesOf("type=incident")).toEqual(["incident"]);
    expect(await typesOf("type=change")).toEqual(["change"]);
  });

  it("gives twenty things unless more are requested", async () => {
    const server = await serverOn(engine);
    for (let i = 0; i < 12; i += 1) await watched(server, server.person, `site-${i}`, ".xx");
    const count = async (query: string) =>
      (await server.api("GET", `/api/dashboard/recent-activity${query}`)).body.data.length;
    expect(await count("")).toBe(20);
    expect(await count("?limit=30")).toBe(30);
  });
});

describe("the status codes of the dashboard", () => {
  const PATHS = [
    "/api/dashboard/stats",
    "/api/dashboard/recent-activity",
    "/v2/dashboard/stats",
    "/v2/dashboard/recent-activity",
  ];

  it.each(PATHS)("%s answers 401 without credentials", async (path) => {
    const server = await serverOn("sqlite");
    expect((await server.api("GET", path, undefined, { key: null })).status).toBe(401);
  });

  it.each(PATHS)("%s answers 403 to a key without its scope, and names it", async (path) => {
    const server = await serverOn("sqlite", { scopes: ["read:domains"] });
    const { status, body } = await server.api("GET", path);
    expect(status).toBe(403);
    expect(body.message).toContain("read:dashboard");
  });

  it.each(PATHS)("%s answers 404 for an organization that is not the caller's", async (path) => {
    const server = await serverOn("sqlite");
    const { organization } = await server.createOrganization();
    const filter = path.startsWith("/v2") ? "organization" : "organizationId";
    expect((await server.api("GET", `${path}?${filter}=${organization.uuid}`)).status).toBe(404);
  });

  it("is 200 in legacy and 403 in v2 on a free plan", async () => {
    const server = await serverOn("sqlite", { plan: "free" });
    const codes = await Promise.all(PATHS.map(async (path) => (await server.api("GET", path)).status));
    expect(codes).toEqual([200, 200, 403, 403]);
  });

  it.each([
    ["/api/dashboard/recent-activity?limit=0", "limit"],
    ["/v2/dashboard/recent-activity?limit=1001", "limit"],
    ["/api/dashboard/recent-activity?type=rumour", "type"],
  ])("%s answers 422 and names the field", async (path, field) => {
    const server = await serverOn("sqlite");
    const { status, body } = await server.api("GET", path);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});

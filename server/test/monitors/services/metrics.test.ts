import { expect, test } from "vitest";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { aReason } from "../../harness/reasons.ts";
import { makeResult } from "../../harness/results.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import {
  DAY,
  HOUR,
  MINUTE,
  makeDomain,
  makeLocation,
  NOW,
  observe,
  SECOND,
  serve,
  setHistory,
  setState,
} from "../domains/factories.ts";
import { makeService } from "./factories.ts";

const POSTGRES = {
  name: "Orders",
  protocol: "tcp",
  protocolConfig: { host: "orders.test", port: 5432 },
};

/** A service with a handful of checks whose metrics are easy to add up by hand. */
async function scene(server: TestServer) {
  const { store } = server.ctx;
  const local = await makeLocation(store, "local");
  const service = await makeService(server, POSTGRES);
  const check = (ago: number, change: Partial<StoredResult>) =>
    makeResult({
      monitorId: service.id,
      locationId: local,
      scheduledAt: NOW - ago,
      statusCode: null,
      ...change,
    });
  await observe(store, [
    check(30 * SECOND, { totalUs: 300 }),
    check(90 * SECOND, { totalUs: 700, message: aReason("status", "SSH 2.0") }),
    check(30 * MINUTE, { outcome: 1, totalUs: 5_000, reason: aReason("refused", "Refused.") }),
    check(31 * MINUTE, { outcome: 3, totalUs: null }),
    check(3 * DAY, { totalUs: 2_000 }),
    check(40 * DAY, { totalUs: 9_000 }),
  ]);
  return { store, service };
}

/** Every figure of a service, as both families have it. */
const metricsOf = ({ id, uuid }: { id: number; uuid: string }) => [
  "/api/services/limits",
  "/api/services/stats",
  "/api/services/response-time-trends",
  `/api/services/${id}/history`,
  `/api/services/${id}/monitoring/locations`,
  `/api/services/${id}/monitoring/phases`,
  `/api/services/${id}/monitoring/days`,
  `/api/services/${id}/monitoring/status-history`,
  `/api/services/${id}/summary`,
  "/v2/services/limits",
  "/v2/services/stats",
  "/v2/services/response-time-trends",
  `/v2/services/${uuid}/history`,
  `/v2/services/${uuid}/locations`,
  `/v2/services/${uuid}/phases`,
  `/v2/services/${uuid}/days`,
  `/v2/services/${uuid}/status-history`,
  `/v2/services/${uuid}/summary`,
];

eachEngine("the metrics of services", (engine) => {
  test("200: history has what the specification shows, newest first, with a message for each check", async () => {
    const server = await serve({ engine });
    const { service } = await scene(server);
    const { status, body } = await server.api("GET", `/api/services/${service.id}/history`);
    const { data } = body;
    expect(status).toBe(200);
    expect(data.map((item: { message: string }) => item.message)).toEqual([
      "The check passed.",
      "SSH 2.0",
      "Refused.",
      "The location had no network.",
      "The check passed.",
      "The check passed.",
    ]);
    expect(data[2]).toEqual({
      id: expect.any(Number),
      serviceId: service.id,
      status: "down",
      responseTime: 5,
      timestamp: "2026-11-21T11:32:30.000Z",
      message: "Refused.",
      state: "down",
      statusCode: null,
      location: "local",
      reason: "Refused.",
      reasonCode: "refused",
      reasonFact: { code: "refused.text", params: { text: "Refused." } },
      messageFact: null,
      phases: expect.objectContaining({ total: 5 }),
    });
    expect(data[0]).toMatchObject({ status: "up", responseTime: 0.3 });
  });

  test("200: history in v2 says the same in snake_case", async () => {
    const server = await serve({ engine });
    const { service } = await scene(server);
    const { data } = (await server.api("GET", `/v2/services/${service.uuid}/history?limit=3`)).body;
    expect(data).toHaveLength(3);
    expect(data[2]).toMatchObject({ service_id: service.id, response_time: 5, message: "Refused." });
    expect(Object.keys(data[2])).not.toContain("serviceId");
  });

  test("history reaches back as far as results are kept by default, and page by page", async () => {
    const server = await serve({ engine });
    const { service } = await scene(server);
    const path = `/api/services/${service.id}/history`;
    const read = async (query: string) => (await server.api("GET", `${path}?${query}`)).body.data;
    const counts = await Promise.all(
      ["", "range=1h", "range=24h", "range=7d", "range=30d", "limit=2"].map(
        async (query) => (await read(query)).length,
      ),
    );
    expect(counts).toEqual([6, 4, 4, 5, 5, 2]);
    const [first, second, third] = await read("limit=3");
    expect(await read(`limit=1&before=${second.id}`)).toEqual([third]);
    expect(await read(`limit=1&before=${first.id}`)).toEqual([second]);
  });

  test("200: stats count services, not domains, and average the last 24 hours", async () => {
    const server = await serve({ engine });
    const { store, service } = await scene(server);
    await makeDomain(server);
    const down = await makeService(server, { ...POSTGRES, name: "Down" });
    await setState(store, service.id, { status: "up" });
    await setState(store, down.id, { status: "down" });
    await setHistory(store, service.id, [
      [NOW - 2 * DAY, "down"],
      [NOW - 6 * HOUR, "up"],
    ]);
    const counts = { total: 2, up: 1, down: 1, unknown: 0, degraded: 0, paused: 0, maintenance: 0 };
    const legacy = (await server.api("GET", "/api/services/stats")).body.data;
    expect(legacy).toEqual({ ...counts, avgResponseTime: 0.5, avgUptime: 25 });
    const v2 = (await server.api("GET", "/v2/services/stats")).body.data;
    expect(v2).toEqual({ ...counts, avg_response_time: 0.5, avg_uptime: 25 });
    const dashboard = (await server.api("GET", "/api/dashboard/stats")).body.data;
    expect(dashboard.services).toMatchObject({ total: 2, up: 1, down: 1 });
  });

  test("200: trends have one entry a service, or that of one, and no domain's", async () => {
    const server = await serve({ engine });
    const { service } = await scene(server);
    await makeDomain(server);
    const other = await makeService(server, { ...POSTGRES, name: "Other" });
    const url = "/api/services/response-time-trends";
    const { data } = (await server.api("GET", url)).body;
    expect(data).toEqual([
      expect.objectContaining({ serviceId: other.id, avgResponseTime: null, dataPoints: [] }),
      {
        serviceId: service.id,
        serviceUuid: service.uuid,
        serviceName: "Orders",
        avgResponseTime: 0.5,
        minResponseTime: 0.3,
        maxResponseTime: 0.7,
        dataPoints: [{ timestamp: "2026-11-21T12:00:00.000Z", responseTime: 0.5 }],
      },
    ]);
    const one = (await server.api("GET", `${url}?service=${service.uuid}`)).body.data;
    expect(one).toEqual([data[1]]);
    const v2 = (await server.api("GET", `/v2/services/response-time-trends?service=${service.id}`)).body.data;
    expect(v2).toEqual([expect.objectContaining({ service_id: service.id, avg_response_time: 0.5 })]);
    expect((await server.api("GET", `${url}?domain=${service.id}`)).status).toBe(200);
  });

  test("200: locations, phases, days, periods and the summary, in both families", async () => {
    const server = await serve({ engine });
    const { store, service } = await scene(server);
    await setHistory(store, service.id, [[NOW - 2 * DAY, "up"]]);
    const read = async (path: string) => (await server.api("GET", path)).body.data;
    const legacy = (path: string) => read(`/api/services/${service.id}/${path}`);
    const v2 = (path: string) => read(`/v2/services/${service.uuid}/${path}`);
    expect((await legacy("monitoring/locations")).local).toHaveLength(4);
    expect((await v2("locations?limit=1")).local).toEqual([
      { timestamp: "2026-11-21T12:02:00.000Z", status: "up", state: "up", response_time: 0.3 },
    ]);
    expect((await legacy("monitoring/phases?range=1h")).at(-1)).toMatchObject({
      totalChecks: 2,
      failedChecks: 0,
      phases: { total: 0.5 },
    });
    expect((await v2("phases?range=1h")).at(-1)).toMatchObject({ total_checks: 2, phases: { total: 0.5 } });
    expect((await legacy("monitoring/days?days=1"))[0]).toMatchObject({ totalChecks: 3, failedChecks: 1 });
    expect((await v2("days?days=1"))[0]).toMatchObject({ total_checks: 3, failed_checks: 1 });
    expect(await legacy("monitoring/status-history")).toEqual([
      expect.objectContaining({ state: "up", startedAt: "2026-11-19T12:02:30.000Z", endedAt: null }),
    ]);
    expect(await v2("status-history")).toEqual([expect.objectContaining({ state: "up", ended_at: null })]);
    const about = { id: service.id, uuid: service.uuid, name: "Orders", protocol: "tcp" };
    expect(await legacy("summary")).toMatchObject({
      service: { ...about, target: "orders.test:5432" },
      stats: { uptime24h: 100, totalChecks: 4, failedChecks: 1, avgResponseTime: 1 },
      certificate: { valid: null, expiresAt: null },
    });
    expect(await v2("summary")).toMatchObject({
      service: { ...about, target: "orders.test:5432" },
      stats: { uptime_24h: 100, total_checks: 4 },
    });
  });

  test("200: limits are those of domains", async () => {
    const server = await serve({ engine });
    const [domains, services] = await Promise.all(
      ["domains", "services"].map((each) => server.api("GET", `/api/${each}/limits`)),
    );
    expect(services?.body.data).toEqual(domains?.body.data);
  });

  test("401 and 403: no one without a key, without the scope or without the plan", async () => {
    const server = await serve({ engine });
    const { service } = await scene(server);
    const keys = {
      domains: await server.createKey({ scopes: ["*:domains"] }),
      free: await server.createKey({ plan: "free" }),
      pro: await server.createKey({ plan: "pro" }),
    };
    for (const path of metricsOf(service)) {
      const read = async (key: string | null) => (await server.api("GET", path, undefined, { key })).status;
      expect([path, await read(null)]).toEqual([path, 401]);
      expect([path, await read(keys.domains)]).toEqual([path, 403]);
      expect([path, await read(keys.free)]).toEqual([path, 403]);
      const isOfOne = path.includes(`/${service.id}/`) || path.includes(service.uuid);
      const inPro = path.startsWith("/v2") ? 403 : isOfOne ? 404 : 200;
      expect([path, await read(keys.pro)]).toEqual([path, inPro]);
    }
  });

  test("404: of another organization, of none, and of a domain, whose metrics are not a service's", async () => {
    const server = await serve({ engine });
    const { service } = await scene(server);
    const outsider = await server.createKey({ plan: "expert" });
    const domain = await makeDomain(server);
    const unknown = { id: 999_999_999, uuid: crypto.randomUUID() };
    const ofOne = (which: { id: number; uuid: string }) =>
      metricsOf(which).filter((path) => path.includes(`/${which.id}/`) || path.includes(which.uuid));
    for (const path of ofOne(service)) {
      const { status } = await server.api("GET", path, undefined, { key: outsider });
      expect([path, status]).toEqual([path, 404]);
    }
    for (const path of [...ofOne(domain), ...ofOne(unknown)]) {
      expect([path, (await server.api("GET", path)).status]).toEqual([path, 404]);
    }
    const trends = `/api/services/response-time-trends?service=${domain.id}`;
    expect((await server.api("GET", trends)).status).toBe(404);
  });

  test("422: what is out of range, by field", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server, POSTGRES);
    const refused: [path: string, field: string][] = [
      [`/api/services/${id}/history?limit=0`, "limit"],
      [`/api/services/${id}/history?limit=10001`, "limit"],
      [`/api/services/${id}/history?range=2h`, "range"],
      [`/api/services/${id}/history?before=x`, "before"],
      [`/api/services/${id}/monitoring/days?days=91`, "days"],
      ["/api/services/response-time-trends?range=90d", "range"],
      ["/v2/services/response-time-trends?per_page=101", "per_page"],
    ];
    for (const [path, field] of refused) {
      const { status, body } = await server.api("GET", path);
      expect([path, status, Object.keys(body.errors ?? {})]).toEqual([path, 422, [field]]);
    }
  });

  test("403: services count towards the plan's number of monitors, as domains do", async () => {
    const server = await serve({ engine, plan: "pro" });
    for (let n = 0; n < 50; n += 1) await makeDomain(server, { name: `domain ${n}` });
    for (let n = 0; n < 50; n += 1) await makeService(server, { ...POSTGRES, name: `service ${n}` });
    const used = { monitors: 100, monitorsUsed: 100 };
    expect((await server.api("GET", "/api/services/limits")).body.data).toMatchObject(used);
    const refused = await server.api("POST", "/api/services", { ...POSTGRES, name: "one too many" });
    expect([refused.status, refused.body.fact]).toEqual([
      403,
      { code: "quota.monitors", params: { limit: 100, count: 100 } },
    ]);
    const domain = await server.api("POST", "/api/domains", { url: "https://shop.test" });
    expect(domain.status).toBe(403);
  });
});

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
  setCertificate,
  setHistory,
  setState,
} from "./factories.ts";

/** One domain `a` with a handful of checks whose metrics are easy to add up by hand. */
async function scene(server: TestServer) {
  const { store } = server.ctx;
  const local = await makeLocation(store, "local");
  const tokyo = await makeLocation(store, "tokyo");
  const a = await makeDomain(server, { name: "a", url: "https://a.test" });
  const check = (ago: number, change: Partial<StoredResult>) =>
    makeResult({ monitorId: a.id, locationId: local, scheduledAt: NOW - ago, ...change });
  await observe(store, [
    check(30 * SECOND, { totalUs: 100_000 }),
    check(30 * SECOND, {
      locationId: tokyo,
      totalUs: 300_000,
      outcome: 2,
      reason: aReason("slow", "Slow."),
    }),
    check(90 * SECOND, { totalUs: 200_000 }),
    check(30 * MINUTE, {
      outcome: 1,
      totalUs: 5_000,
      statusCode: 503,
      reason: aReason("status", "Answered 503."),
    }),
    check(31 * MINUTE, { outcome: 3, totalUs: null, statusCode: null }),
    check(5 * HOUR, { totalUs: 40_050 }),
    check(3 * DAY, { totalUs: 1_000_000 }),
    check(40 * DAY, { totalUs: 9_000_000 }),
  ]);
  return { store, local, tokyo, a };
}

eachEngine("the metrics of domains", (engine) => {
  test("history shows the checks of the range newest first, each with all that was measured", async () => {
    const server = await serve({ engine });
    const { a } = await scene(server);
    const { data } = (await server.api("GET", `/api/domains/${a.id}/monitoring/history?range=1h`)).body;
    expect(data.map((item: { state: string }) => item.state)).toEqual([
      "degraded",
      "up",
      "up",
      "down",
      "unknown",
    ]);
    expect(data[3]).toEqual({
      id: expect.any(Number),
      domainId: a.id,
      timestamp: "2026-11-21T11:32:30.000Z",
      status: "down",
      state: "down",
      responseTime: 5,
      statusCode: 503,
      location: "local",
      reason: "Answered 503.",
      reasonCode: "status",
      reasonFact: { code: "status.text", params: { text: "Answered 503." } },
      message: null,
      messageFact: null,
      phases: { dns: 1, connect: 2, tls: null, firstByte: 15, transfer: null, total: 5 },
    });
    expect(data[0]).toMatchObject({ status: "up", location: "tokyo", responseTime: 300 });
    expect(data[4]).toMatchObject({ status: "unknown", responseTime: null, statusCode: null });
    expect(new Set(data.map((item: { id: number }) => item.id)).size).toBe(5);
  });

  test("history says in v2 what it says in the legacy family", async () => {
    const server = await serve({ engine });
    const { a } = await scene(server);
    const { data } = (await server.api("GET", `/v2/domains/${a.uuid}/history?range=1h`)).body;
    expect(data[3]).toEqual({
      id: expect.any(Number),
      domain_id: a.id,
      timestamp: "2026-11-21T11:32:30.000Z",
      status: "down",
      state: "down",
      response_time: 5,
      status_code: 503,
      location: "local",
      reason: "Answered 503.",
      reason_code: "status",
      reason_fact: { code: "status.text", params: { text: "Answered 503." } },
      message: null,
      message_fact: null,
      phases: { dns: 1, connect: 2, tls: null, first_byte: 15, transfer: null, total: 5 },
    });
  });

  test("history reaches back 24 hours by default, and as many checks as requested", async () => {
    const server = await serve({ engine });
    const { a } = await scene(server);
    const count = async (query: string) =>
      (await server.api("GET", `/api/domains/${a.id}/monitoring/history?${query}`)).body.data.length;
    const counts = await Promise.all(
      ["", "range=1h", "range=24h", "range=7d", "range=30d", "limit=2"].map(count),
    );
    expect(counts).toEqual([6, 5, 6, 7, 7, 2]);
  });

  test("locations show each location's own checks, newest first, as many as requested of each", async () => {
    const server = await serve({ engine });
    const { a } = await scene(server);
    const path = `/api/domains/${a.id}/monitoring/locations`;
    expect((await server.api("GET", `${path}?limit=2`)).body.data).toEqual({
      local: [
        { timestamp: "2026-11-21T12:02:00.000Z", status: "up", state: "up", responseTime: 100 },
        { timestamp: "2026-11-21T12:01:00.000Z", status: "up", state: "up", responseTime: 200 },
      ],
      tokyo: [{ timestamp: "2026-11-21T12:02:00.000Z", status: "up", state: "degraded", responseTime: 300 }],
    });
    const all = (await server.api("GET", path)).body.data;
    expect([all.local.length, all.tokyo.length]).toEqual([5, 1]);
    const v2 = await server.api("GET", `/v2/domains/${a.uuid}/locations?limit=1`);
    expect(v2.body.data.tokyo).toEqual([
      { timestamp: "2026-11-21T12:02:00.000Z", status: "up", state: "degraded", response_time: 300 },
    ]);
  });

  test("trends give mean, smallest, largest and a point a bucket, of passed checks only", async () => {
    const server = await serve({ engine });
    const { a } = await scene(server);
    const b = await makeDomain(server, { name: "b", url: "https://b.test" });
    const { data, pagination } = (await server.api("GET", "/api/domains/response-time-trends?range=24h"))
      .body;
    expect(pagination).toBeUndefined();
    expect(data).toEqual([
      {
        domainId: b.id,
        domainUuid: b.uuid,
        domainName: "b",
        avgResponseTime: null,
        minResponseTime: null,
        maxResponseTime: null,
        dataPoints: [],
      },
      {
        domainId: a.id,
        domainUuid: a.uuid,
        domainName: "a",
        // (100 + 300 + 200 + 40.05) / 4
        avgResponseTime: 160,
        minResponseTime: 40.1,
        maxResponseTime: 300,
        dataPoints: [
          { timestamp: "2026-11-21T07:00:00.000Z", responseTime: 40.1 },
          { timestamp: "2026-11-21T12:00:00.000Z", responseTime: 200 },
        ],
      },
    ]);
  });

  test("trends are hourly over 7 days, and paged where requested", async () => {
    const server = await serve({ engine });
    const { a } = await scene(server);
    await makeDomain(server, { name: "b", url: "https://b.test" });
    const legacy = (await server.api("GET", "/api/domains/response-time-trends?range=7d&page=2&limit=1"))
      .body;
    expect(legacy.pagination).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 });
    expect(legacy.data[0].dataPoints).toEqual([
      { timestamp: "2026-11-18T12:00:00.000Z", responseTime: 1000 },
      { timestamp: "2026-11-21T07:00:00.000Z", responseTime: 40.1 },
      { timestamp: "2026-11-21T12:00:00.000Z", responseTime: 200 },
    ]);
    const v2 = (await server.api("GET", "/v2/domains/response-time-trends?range=1h&page=2&per_page=1")).body;
    expect(v2.pagination).toEqual({ page: 2, per_page: 1, total: 2, total_pages: 2 });
    expect(v2.data[0]).toMatchObject({
      domain_id: a.id,
      avg_response_time: 200,
      data_points: [{ response_time: 200 }],
    });
  });

  test("stats count every domain once and average the last 24 hours", async () => {
    const server = await serve({ engine });
    const { store, a } = await scene(server);
    const b = await makeDomain(server, { name: "b", url: "https://b.test" });
    const c = await makeDomain(server, { name: "c", url: "https://c.test" });
    await makeDomain(server, { name: "d", url: "https://d.test" });
    const e = await makeDomain(server, { name: "e", url: "https://e.test" });
    await server.api("PUT", `/api/domains/${e.id}`, { enabled: false });
    await setState(store, a.id, { status: "degraded" });
    await setState(store, b.id, { status: "up" });
    await setState(store, c.id, { status: "down" });
    await setHistory(store, a.id, [[NOW - 2 * DAY, "up"]]);
    await setHistory(store, c.id, [
      [NOW - 2 * DAY, "up"],
      [NOW - 12 * HOUR, "down"],
    ]);
    const stats = { total: 5, up: 2, down: 1, unknown: 2, degraded: 1, paused: 1, maintenance: 0 };
    const legacy = (await server.api("GET", "/api/domains/stats")).body.data;
    // (100 + 300 + 200 + 40.05) / 4, and (100 + 50) / 2: b and d have no history yet.
    expect(legacy).toEqual({ ...stats, avgResponseTime: 160, avgUptime: 75 });
    const v2 = (await server.api("GET", "/v2/domains/stats")).body.data;
    expect(v2).toEqual({ ...stats, avg_response_time: 160, avg_uptime: 75 });
  });

  test("stats and trends take the organization filter, for organizations of one's own", async () => {
    const server = await serve({ engine });
    await makeDomain(server);
    const other = await server.createOrganization();
    for (const path of ["stats", "response-time-trends"]) {
      const own = await server.api(
        "GET",
        `/api/domains/${path}?organization=${server.person.organization.slug}`,
      );
      expect(own.status).toBe(200);
      const foreign = await server.api("GET", `/api/domains/${path}?organization=${other.organization.slug}`);
      expect([path, foreign.status]).toEqual([path, 404]);
    }
  });

  test("the summary has the uptime of three ranges, the checks of 30 days and the certificate", async () => {
    const server = await serve({ engine });
    const { store, a } = await scene(server);
    await setHistory(store, a.id, [
      [NOW - 20 * DAY, "up"],
      [NOW - 6 * DAY, "down"],
      [NOW - 5 * DAY, "up"],
      [NOW - 6 * HOUR, "degraded"],
      [NOW - 3 * HOUR, "down"],
    ]);
    await setCertificate(store, a.id, { valid: true, expiresAt: NOW + 60 * DAY });
    const domain = { id: a.id, uuid: a.uuid, name: "a", url: "https://a.test" };
    const { data } = (await server.api("GET", `/api/domains/${a.id}/summary`)).body;
    expect(data).toEqual({
      domain,
      stats: {
        uptime24h: 87.5,
        // Down for 1 day and 3 hours of 7 days, and of the 20 days that are known.
        uptime7d: 83.928,
        uptime30d: 94.375,
        knownSeconds24h: 86_400,
        knownSeconds7d: 7 * 86_400,
        // Of 30 days 20.
        knownSeconds30d: 20 * 86_400,
        // (100 + 300 + 200 + 40.05 + 1000) / 5
        avgResponseTime: 328,
        totalChecks: 6,
        failedChecks: 1,
      },
      certificate: { valid: true, expiresAt: "2027-01-20T12:02:30.000Z" },
    });
    const v2 = (await server.api("GET", `/v2/domains/${a.uuid}/summary`)).body.data;
    expect(v2).toEqual({
      domain,
      stats: {
        uptime_24h: 87.5,
        uptime_7d: 83.928,
        uptime_30d: 94.375,
        known_seconds_24h: 86_400,
        known_seconds_7d: 7 * 86_400,
        known_seconds_30d: 20 * 86_400,
        avg_response_time: 328,
        total_checks: 6,
        failed_checks: 1,
      },
      certificate: { valid: true, expires_at: "2027-01-20T12:02:30.000Z" },
    });
  });

  test("refuse what is out of range with 422 instead of clamping it", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server);
    for (const [path, field] of outOfRange(id)) {
      const answer = await server.api("GET", path);
      expect([path, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([path, 422, [field]]);
    }
  });
});

const outOfRange = (id: number): [path: string, field: string][] => [
  [`/api/domains/${id}/monitoring/history?limit=0`, "limit"],
  [`/api/domains/${id}/monitoring/history?limit=10001`, "limit"],
  [`/api/domains/${id}/monitoring/history?range=2h`, "range"],
  [`/api/domains/${id}/monitoring/locations?limit=-1`, "limit"],
  [`/api/domains/${id}/monitoring/locations?range=1y`, "range"],
  [`/api/domains/${id}/monitoring/days?days=91`, "days"],
  [`/v2/domains/${id}/days?days=0`, "days"],
  ["/api/domains/response-time-trends?range=90d", "range"],
  ["/api/domains/response-time-trends?limit=1001", "limit"],
  [`/v2/domains/${id}/history?limit=x`, "limit"],
  [`/v2/domains/${id}/locations?range=x`, "range"],
  ["/v2/domains/response-time-trends?per_page=101", "per_page"],
];

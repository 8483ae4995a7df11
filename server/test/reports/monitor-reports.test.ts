import { describe, expect, it, onTestFinished } from "vitest";
import { encodeHistogram, percentiles, sumHistograms } from "../../src/platform/database/histogram.ts";
import type { TestServer } from "../harness/server.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { addMonitor, type Check, DAY, HOUR, NOW, reportServer } from "./world.ts";

const MINUTE = 60_000;

async function serverOn(engine: EngineName, more = {}): Promise<TestServer> {
  const server = await reportServer({ engine, ...more });
  onTestFinished(() => server.close());
  return server;
}

/** A check every hour from `from` on, of these milliseconds one after the other. */
const hourly = (from: number, hours: number, msOf: (hour: number) => number | "failed"): Check[] =>
  Array.from({ length: hours }, (_, hour) => [from + hour * HOUR + MINUTE, msOf(hour)]);

eachEngine("the report on domains", (engine) => {
  it("says of a hand-made history what one can work out on paper", async () => {
    const server = await serverOn(engine);
    const from = NOW - DAY;
    const shop = await addMonitor(server, {
      name: "Shop",
      history: [
        [from - 10 * DAY, "up"],
        // The day before: one outage of six hours.
        [from - 12 * HOUR, "down"],
        [from - 6 * HOUR, "up"],
        // Two outages in the report, of an hour and of half an hour; two hours of maintenance.
        [from + 4 * HOUR, "down"],
        [from + 5 * HOUR, "up"],
        [from + 6 * HOUR, "up", "maintenance"],
        [from + 8 * HOUR, "up"],
        [from + 10 * HOUR, "down"],
        [from + 10 * HOUR + 30 * MINUTE, "up"],
      ],
      checks: [
        ...hourly(from - DAY, 24, () => 50),
        ...hourly(from, 24, (hour) => (hour === 4 ? "failed" : 100 + hour)),
      ],
    });
    const { status, body } = await server.api("GET", "/api/reports/domains?range=24h");
    expect(status).toBe(200);
    const { data } = body;
    expect(data.period).toEqual({
      from: "2026-11-01T12:00:00.000Z",
      to: "2026-11-02T12:00:00.000Z",
      previousFrom: "2026-10-31T12:00:00.000Z",
      stepSeconds: 3600,
    });
    // 22 h known, 1.5 h of them down.
    const expected = {
      uptimePercentage: 93.181,
      knownSeconds: 22 * 3600,
      downSeconds: 5400,
      outages: 2,
      mttrSeconds: 2700,
      mtbfSeconds: 36_900,
      longestOutageSeconds: 3600,
      totalChecks: 24,
      failedChecks: 1,
      avgResponseTime: 111.8,
    };
    expect(data.items).toHaveLength(1);
    expect(data.items[0]).toMatchObject({ id: shop, name: "Shop", ...expected });
    expect(data.total).toMatchObject(expected);
    expect(data.items[0].previous).toMatchObject({
      uptimePercentage: 75,
      downSeconds: 6 * 3600,
      outages: 1,
      totalChecks: 24,
      failedChecks: 0,
      avgResponseTime: 50,
    });
    expect(data.previous).toEqual(data.items[0].previous);
    expect(data.outages).toEqual([
      {
        ...{ monitorId: shop, monitorName: "Shop", durationSeconds: 3600 },
        ...{ startedAt: "2026-11-01T16:00:00.000Z", endedAt: "2026-11-01T17:00:00.000Z" },
      },
      {
        ...{ monitorId: shop, monitorName: "Shop", durationSeconds: 1800 },
        ...{ startedAt: "2026-11-01T22:00:00.000Z", endedAt: "2026-11-01T22:30:00.000Z" },
      },
    ]);
    expect(data.worst).toEqual({ uptime: [shop], responseTime: [shop] });
    expect(data.points).toHaveLength(24);
    expect(data.points[4]).toMatchObject({
      timestamp: "2026-11-01T16:00:00.000Z",
      uptimePercentage: 0,
      downSeconds: 3600,
      totalChecks: 1,
      failedChecks: 1,
      avgResponseTime: null,
    });
    // Maintenance: nothing counts as known, checks go on.
    expect(data.points[6]).toMatchObject({ uptimePercentage: null, downSeconds: 0, avgResponseTime: 106 });
  });

  it("names the worst first, and counts each monitor for as long as it was known", async () => {
    const server = await serverOn(engine);
    const from = NOW - 7 * DAY;
    const steady = await addMonitor(server, { name: "Steady", history: [[from - DAY, "up"]] });
    const young = await addMonitor(server, {
      name: "Young",
      history: [
        [NOW - 10 * HOUR, "down"],
        [NOW - 5 * HOUR, "up"],
      ],
      checks: hourly(NOW - 10 * HOUR, 10, () => 900),
    });
    const never = await addMonitor(server, { name: "Never checked" });
    const { data } = (await server.api("GET", "/api/reports/domains?range=7d")).body;
    expect(data.items.map(({ id }: { id: number }) => id)).toEqual([young, steady, never]);
    expect(data.items.map((item: { uptimePercentage: number }) => item.uptimePercentage)).toEqual([
      50,
      100,
      null,
    ]);
    expect(data.worst).toEqual({ uptime: [young], responseTime: [young] });
    // 168 h + 10 h known, 5 h down.
    expect(data.total).toMatchObject({
      uptimePercentage: 97.191,
      knownSeconds: 178 * 3600,
      downSeconds: 5 * 3600,
    });
    expect(data.monitors).toBe(3);
  });

  it("counts the checks of a month from days and hours alike, each once", async () => {
    const server = await serverOn(engine);
    const from = NOW - 30 * DAY;
    await addMonitor(server, {
      checks: hourly(from - 30 * DAY, 60 * 24, (hour) => (hour < 30 * 24 ? 10 : 20)),
    });
    const { data } = (await server.api("GET", "/api/reports/domains")).body;
    expect(data.period.stepSeconds).toBe(86_400);
    expect(data.total).toMatchObject({ totalChecks: 720, avgResponseTime: 20 });
    expect(data.previous).toMatchObject({ totalChecks: 720, avgResponseTime: 10 });
    expect(data.points).toHaveLength(31);
    const ofPoints = data.points.reduce(
      (sum: number, point: { totalChecks: number }) => sum + point.totalChecks,
      0,
    );
    expect(ofPoints).toBe(720);
    // Percentiles are accurate to 2 %.
    for (const percentile of [
      data.total.responseTimeP50,
      data.total.responseTimeP95,
      data.total.responseTimeP99,
    ]) {
      expect(percentile).toBeGreaterThanOrEqual(19.6);
      expect(percentile).toBeLessThanOrEqual(20.4);
    }
  });

  it("takes the percentiles of several locations and days together, not their mean", async () => {
    const server = await serverOn(engine);
    // 90 fast checks and 10 slow ones: the median is fast, the 95th percentile slow.
    await addMonitor(server, {
      checks: hourly(NOW - 100 * HOUR, 100, (hour) => (hour % 10 === 0 ? 1000 : 100)),
    });
    const [item] = (await server.api("GET", "/api/reports/domains?range=7d")).body.data.items;
    expect(item.responseTimeP50).toBeCloseTo(100, -1);
    expect(item.responseTimeP95).toBeGreaterThan(980);
    expect(item.responseTimeP95).toBeLessThan(1020);
    expect(item.avgResponseTime).toBe(190);
  });

  it("is cut where from and to say, and never reaches beyond now", async () => {
    const server = await serverOn(engine);
    await addMonitor(server, {
      history: [
        [NOW - 40 * DAY, "up"],
        [NOW - 20 * DAY, "down"],
        [NOW - 20 * DAY + HOUR, "up"],
      ],
    });
    const at = (ms: number) => new Date(ms).toISOString();
    const cut = await server.api(
      "GET",
      `/api/reports/domains?from=${at(NOW - 20 * DAY)}&to=${at(NOW - 20 * DAY + 2 * HOUR)}`,
    );
    expect(cut.body.data.total).toMatchObject({ uptimePercentage: 50, outages: 1, knownSeconds: 7200 });
    const beyond = await server.api("GET", `/api/reports/domains?from=${at(NOW - DAY)}&to=${at(NOW + DAY)}`);
    expect(beyond.body.data.period.to).toBe(at(NOW));
    const counted = await server.api("GET", `/api/reports/domains?range=24h&to=${at(NOW - 19 * DAY)}`);
    expect(counted.body.data.period.from).toBe(at(NOW - 20 * DAY));
  });

  it("knows its own organization's monitors of the kind only, also by name of the organization", async () => {
    const server = await serverOn(engine, { allOrganizations: true });
    const other = await server.createOrganization();
    await addMonitor(server, { name: "Own domain" });
    await addMonitor(server, { name: "Own service", kind: "service" });
    await addMonitor(server, { name: "Foreign", person: other });
    const names = async (path: string) =>
      (await server.api("GET", path)).body.data.items.map(({ name }: { name: string }) => name);
    expect(await names("/api/reports/domains")).toEqual(["Own domain"]);
    expect(await names("/v2/reports/services")).toEqual(["Own service"]);
    expect(
      (await server.api("GET", `/api/reports/domains?organizationId=${other.organization.id}`)).status,
    ).toBe(404);
    const own = await server.api(
      "GET",
      `/api/reports/domains?organization=${server.person.organization.slug}`,
    );
    expect(own.body.data.organization.id).toBe(server.person.organization.id);
  });

  it("says the same in v2, in its words", async () => {
    const server = await serverOn(engine);
    await addMonitor(server, {
      kind: "service",
      history: [[NOW - 2 * DAY, "up"]],
      checks: [[NOW - HOUR, 42]],
    });
    const legacy = (await server.api("GET", "/api/reports/services?range=24h")).body.data;
    const v2 = (await server.api("GET", "/v2/reports/services?range=24h")).body.data;
    expect(v2.items[0]).toMatchObject({
      uuid: legacy.items[0].uuid,
      uptime_percentage: 100,
      response_time_p95: legacy.items[0].responseTimeP95,
      protocol: "tcp",
    });
    expect(v2.period.previous_from).toBe(legacy.period.previousFrom);
  });

  it("as CSV has a row a monitor, with nothing that a spreadsheet would run", async () => {
    const server = await serverOn(engine);
    await addMonitor(server, { name: '=HYPERLINK("http://evil.example")', history: [[NOW - 2 * DAY, "up"]] });
    await addMonitor(server, { name: "-2+3;@SUM(A1)", checks: [[NOW - HOUR, 12.5]] });
    const { status, body, headers } = await server.api("GET", "/api/reports/domains?range=24h&format=csv");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe(
      'attachment; filename="domains-report-2026-11-01-2026-11-02.csv"',
    );
    const [head, ...rows] = (body as string).trim().split("\n");
    expect(head).toMatch(/^﻿?id,uuid,name,url,uptimePercentage,knownSeconds,/);
    expect(head).toContain(",previousUptimePercentage,");
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(rows[1]).toContain("'-2+3;'@SUM(A1)");
    const v2 = await server.api("GET", "/v2/reports/domains?format=csv");
    expect(v2.body.split("\n")[0]).toContain(",previous_uptime_percentage,");
  });
});

eachEngine("a report is refused", (engine) => {
  const at = (ms: number) => new Date(ms).toISOString();
  it.each([
    ["range=1h", "range"],
    ["range=10y", "range"],
    [`range=24h&from=${at(NOW - DAY)}`, "range"],
    ["format=xlsx", "format"],
    ["from=yesterday", "from"],
    [`from=${at(NOW - DAY)}&to=${at(NOW - 2 * DAY)}`, "to"],
    [`from=${at(NOW + DAY)}`, "from"],
    [`from=${at(NOW - 3653 * DAY)}`, "from"],
    [`from=${at(NOW - 367 * DAY)}`, "from"],
  ])("with 422 for %s, naming %s", async (query, field) => {
    const server = await serverOn(engine);
    for (const address of ["/api/reports/domains", "/v2/reports/services"]) {
      const { status, body } = await server.api("GET", `${address}?${query}`);
      expect([status, body.message, Object.keys(body.errors)]).toEqual([
        422,
        "The given data was invalid.",
        [field],
      ]);
    }
  });

  it("with 403 without the Reports plan, whatever the plan is otherwise", async () => {
    const server = await serverOn(engine, { reports: false });
    const { status, body } = await server.api("GET", "/api/reports/domains");
    expect([status, body.message]).toEqual([403, "This feature requires a Reports Plan subscription."]);
    const free = await server.createKey({ plan: "free", reports: true });
    expect((await server.api("GET", "/api/reports/services", undefined, { key: free })).status).toBe(200);
    expect((await server.api("GET", "/v2/reports/services", undefined, { key: free })).status).toBe(403);
  });

  it("with 401 without a key, and with 403 to one that may not read reports", async () => {
    const server = await serverOn(engine, { scopes: ["read:domains"] });
    expect((await server.api("GET", "/api/reports/domains", undefined, { key: null })).status).toBe(401);
    const { status, body } = await server.api("GET", "/api/reports/domains");
    expect([status, body.message]).toEqual([403, expect.stringContaining("read:reports")]);
  });
});

describe("merged histograms", () => {
  it("have the percentiles of all their checks, which do not fall", () => {
    const parts = [3, 40, 500].map((ms) =>
      encodeHistogram(Array.from({ length: 50 }, (_, i) => ms * 1000 * (1 + i))),
    );
    const sums = sumHistograms(3);
    for (const [i, part] of parts.entries()) sums.add(part, 0, i === 0 ? 1 : 2);
    const ranks = [1, 25, 50, 75, 95, 99, 100];
    expect(sums.percentiles({ from: 0, to: 1 }, ranks)).toEqual(percentiles(parts, ranks));
    expect(sums.percentiles({ from: 1, to: 3 }, ranks)).toEqual(percentiles(parts, ranks));
    const found = sums.percentiles({ from: 1, to: 3 }, ranks) as number[];
    expect(found.toSorted((a, b) => a - b)).toEqual(found);
    sums.clear(1);
    expect(sums.percentiles({ from: 1, to: 3 }, [50])).toEqual([null]);
  });
});

import { expect, test } from "vitest";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
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
} from "./factories.ts";

/** One domain `a` with checks on four days whose metrics are easy to add up by hand. */
async function scene(server: TestServer) {
  const { store } = server.ctx;
  const locationId = await makeLocation(store, "local");
  const a = await makeDomain(server, { name: "a", url: "https://a.test" });
  const check = (ago: number, change: Partial<StoredResult>) =>
    makeResult({ monitorId: a.id, locationId, scheduledAt: NOW - ago, ...change });
  await observe(store, [
    check(30 * SECOND, { totalUs: 100_000 }),
    check(90 * SECOND, { totalUs: 300_000 }),
    check(30 * MINUTE, { outcome: 1, totalUs: 5_000 }),
    check(31 * MINUTE, { outcome: 3, totalUs: null }),
    check(5 * HOUR, { totalUs: 200_000 }),
    check(3 * DAY, { totalUs: 1_000_000 }),
    check(40 * DAY, { totalUs: 9_000_000 }),
  ]);
  return { store, a };
}

eachEngine("one domain's days and trend", (engine) => {
  test("trends of one domain are that domain's alone; another organization's is unknown", async () => {
    const server = await serve({ engine });
    const { a } = await scene(server);
    await makeDomain(server, { name: "b", url: "https://b.test" });
    const path = "/api/domains/response-time-trends?range=24h";
    const all = (await server.api("GET", path)).body.data;
    const one = (await server.api("GET", `${path}&domain=${a.id}&page=1`)).body;
    expect(one.data).toEqual(all.filter((trend: { domainId: number }) => trend.domainId === a.id));
    expect(one.pagination.total).toBe(1);
    expect((await server.api("GET", `${path}&domain=${a.uuid}&page=2`)).body.data).toEqual([]);
    const v2 = await server.api("GET", `/v2/domains/response-time-trends?domain=${a.uuid}`);
    expect(v2.body.data.map((trend: { domain_id: number }) => trend.domain_id)).toEqual([a.id]);
    const key = await server.createKey({ person: await server.createOrganization() });
    const foreign = await Promise.all([
      server.api("GET", `${path}&domain=${a.id}`, undefined, { key }),
      server.api("GET", `${path}&domain=nonsense`),
    ]);
    expect(foreign.map(({ status }) => status)).toEqual([404, 404]);
  });

  test("days say of each day in UTC how long it was up, what failed and how fast it was", async () => {
    const server = await serve({ engine });
    const { store, a } = await scene(server);
    // NOW is 12:02:30. Yesterday: unknown until 6, up until 18, down. Today: down until 3, then up.
    const today = NOW - (NOW % DAY);
    await setHistory(store, a.id, [
      [today - 18 * HOUR, "up"],
      [today - 6 * HOUR, "down"],
      [today + 3 * HOUR, "up"],
    ]);
    const nothing = { downSeconds: 0, totalChecks: 0, failedChecks: 0, avgResponseTime: null };
    const days = [
      { date: "2026-11-18", uptimePercentage: null, ...nothing, totalChecks: 1, avgResponseTime: 1000 },
      { date: "2026-11-19", uptimePercentage: null, ...nothing },
      { date: "2026-11-20", uptimePercentage: 66.666, ...nothing, downSeconds: 6 * 3600 },
      {
        date: "2026-11-21",
        uptimePercentage: 75.086,
        downSeconds: 3 * 3600,
        // (100 + 300 + 200) / 3; the probe's own fault is no check.
        totalChecks: 4,
        failedChecks: 1,
        avgResponseTime: 200,
      },
    ];
    const path = `/api/domains/${a.id}/monitoring/days`;
    expect((await server.api("GET", `${path}?days=4`)).body.data).toEqual(days);
    const whole = (await server.api("GET", path)).body.data;
    expect([whole.length, whole[0].date, whole.at(-1)]).toEqual([90, "2026-08-24", days[3]]);
    // 40 days ago.
    expect(whole[49]).toMatchObject({ date: "2026-10-12", totalChecks: 1, avgResponseTime: 9000 });
    expect((await server.api("GET", `/v2/domains/${a.uuid}/days?days=1`)).body.data).toEqual([
      {
        date: "2026-11-21",
        uptime_percentage: 75.086,
        down_seconds: 3 * 3600,
        total_checks: 4,
        failed_checks: 1,
        avg_response_time: 200,
      },
    ]);
  });
});

import { expect, test } from "vitest";
import { runPacking } from "../../../src/engine/results/pack-results.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { makeResult } from "../../harness/results.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { DAY, HOUR, MINUTE, makeDomain, makeLocation, NOW, observe, SECOND, serve } from "./factories.ts";

const phases = (
  dns: number,
  connect: number,
  tls: number | null,
  firstByte: number,
  total: number,
  transfer: number | null = null,
) => ({
  dnsUs: dns * 1000,
  connectUs: connect * 1000,
  tlsUs: tls === null ? null : tls * 1000,
  firstByteUs: firstByte * 1000,
  transferUs: transfer === null ? null : transfer * 1000,
  totalUs: total * 1000,
});
const unmeasured = { p95: null, p99: null };
const nothing = { dns: null, connect: null, tls: null, firstByte: null, transfer: null, total: null };

/** One domain with checks from two locations, now, two and five hours ago and three days ago. */
async function scene(server: TestServer) {
  const { store } = server.ctx;
  const [local, tokyo] = [await makeLocation(store, "local"), await makeLocation(store, "tokyo")];
  const a = await makeDomain(server, { name: "a", url: "https://a.test" });
  const check = (ago: number, change: Partial<StoredResult>) =>
    makeResult({ monitorId: a.id, locationId: local, scheduledAt: NOW - ago, ...change });
  await observe(store, [
    check(30 * SECOND, phases(1, 10, null, 40, 60, 6)),
    check(90 * SECOND, { ...phases(3, 20, null, 60, 100, 14), locationId: tokyo }),
    check(2 * HOUR, { outcome: 1, ...phases(500, 0, null, 0, 500) }),
    check(5 * HOUR, { outcome: 2, ...phases(2, 12, 30, 50, 100) }),
    check(5 * HOUR + MINUTE, { outcome: 3, ...phases(900, 0, null, 0, 900) }),
    check(3 * DAY, phases(4, 16, 32, 40, 99)),
  ]);
  return a;
}

eachEngine("what a domain's response time was made of", (engine) => {
  test("is given stretch by stretch, of passed checks only, packed or not, in both families", async () => {
    const server = await serve({ engine, alone: true });
    const a = await scene(server);
    // NOW is 12:02:30.
    const day = [
      {
        timestamp: "2026-11-21T07:00:00.000Z",
        totalChecks: 1,
        failedChecks: 0,
        phases: { dns: 2, connect: 12, tls: 30, firstByte: 50, transfer: null, total: 100 },
        ...unmeasured,
      },
      {
        timestamp: "2026-11-21T10:00:00.000Z",
        totalChecks: 1,
        failedChecks: 1,
        phases: nothing,
        ...unmeasured,
      },
      {
        timestamp: "2026-11-21T12:00:00.000Z",
        totalChecks: 2,
        failedChecks: 0,
        phases: { dns: 2, connect: 15, tls: null, firstByte: 50, transfer: 10, total: 80 },
        ...unmeasured,
      },
    ];
    const path = `/api/domains/${a.id}/monitoring/phases`;
    expect((await server.api("GET", path)).body.data).toEqual(day);
    await runPacking(server.ctx);
    expect(await server.ctx.store.db.selectFrom("packs").select("hour_at").execute()).not.toEqual([]);
    expect((await server.api("GET", `${path}?range=24h`)).body.data).toEqual(day);
    expect((await server.api("GET", `${path}?range=1h`)).body.data).toEqual(day.slice(2));
    const week = (await server.api("GET", `/v2/domains/${a.uuid}/phases?range=7d`)).body.data;
    expect(week[0]).toEqual({
      timestamp: "2026-11-18T12:00:00.000Z",
      total_checks: 1,
      failed_checks: 0,
      phases: { dns: 4, connect: 16, tls: 32, first_byte: 40, transfer: null, total: 99 },
      p_95: null,
      p_99: null,
    });
    expect(week).toHaveLength(4);
  });

  test("is the total alone where the results are no longer stored", async () => {
    const server = await serve({ engine, alone: true });
    const a = await scene(server);
    await server.ctx.store.db
      .deleteFrom("results")
      .where("scheduled_at", "<", NOW - 2 * DAY)
      .execute();
    const [oldest] = (await server.api("GET", `/api/domains/${a.id}/monitoring/phases?range=30d`)).body.data;
    expect(oldest).toEqual({
      timestamp: "2026-11-18T12:00:00.000Z",
      totalChecks: 1,
      failedChecks: 0,
      phases: { ...nothing, total: 99 },
      ...unmeasured,
    });
  });

  test("comes with what 95 and 99 of a hundred checks stayed below, when that is requested", async () => {
    const server = await serve({ engine, alone: true });
    const a = await scene(server);
    const path = `/api/domains/${a.id}/monitoring/phases?percentiles=true`;
    const [, failed, last] = (await server.api("GET", path)).body.data;
    expect(failed).toMatchObject(unmeasured);
    // Of 60 and 100 ms; a histogram is off by 2 % at most.
    expect(last.p95).toBeGreaterThan(98);
    expect(last.p99).toBeLessThan(102);
    const v2 = await server.api("GET", `/v2/domains/${a.uuid}/phases?percentiles=true`);
    expect(v2.body.data[2]).toMatchObject({ p_95: last.p95, p_99: last.p99 });
    expect((await server.api("GET", `${path}&percentiles=some`)).status).toBe(422);
  });

  test("is not readable by other organizations, and refuses ranges that are none", async () => {
    const server = await serve({ engine, alone: true });
    const a = await scene(server);
    const key = await server.createKey({ person: await server.createOrganization() });
    const path = `/api/domains/${a.id}/monitoring/phases`;
    expect((await server.api("GET", path, undefined, { key })).status).toBe(404);
    const wrong = await server.api("GET", `${path}?range=2h`);
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ["range"]]);
  });
});

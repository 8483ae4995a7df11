import { expect, it } from "vitest";
import { packMetrics } from "../../../../src/monitors/devices/metrics/pack-metrics.ts";
import { chartMetrics, readRecentUsage } from "../../../../src/monitors/devices/metrics/read-metrics.ts";
import type { ReportMetrics } from "../../../../src/monitors/devices/metrics/report-metrics.ts";
import { keepReports } from "../../../../src/monitors/devices/store-reports.ts";
import type { Running } from "../../../../src/platform/operations/operation.ts";
import { eachEngine } from "../../../harness/stores.ts";
import { NOW, serve } from "../../domains/factories.ts";
import { addDevice } from "../add-device.ts";
import { DAY_MS, MINUTE_MS } from "./metrics-setup.ts";

const EVERY = { "cpu.usage": 12.5, "memory.used": 8e9, "disk./.usage": 40, "network.eth0.rx": 1_000 };

eachEngine("the metrics of a device", (engine) => {
  /** A server with a device, to which it has reported so long ago. */
  async function open() {
    const server = await serve({ engine, alone: true });
    const { store } = server.ctx;
    const [organization] = await store.db.selectFrom("organizations").select("id").execute();
    const device = await addDevice(store, organization?.id as number);
    const keep = (agoMs: number, metrics: ReportMetrics = EVERY, deviceId = device.id) =>
      store.transaction((trx) => keepReports(trx, [{ deviceId, at: NOW - agoMs, metrics }]));
    const read = async (path: string) =>
      (await server.api("GET", `/api/devices/${device.id}${path}`)).body.data;
    return { server, store, device, keep, read, organizationId: organization?.id as number };
  }

  it("are the newest as they were reported, unless a time is requested, in both families", async () => {
    const { server, device, keep, read } = await open();
    await keep(20_000, { ...EVERY, "cpu.usage": 99 });
    await keep(10_000);
    const list = await read("/metrics");
    expect(list.map(({ name }: { name: string }) => name).slice(0, 4)).toEqual(Object.keys(EVERY).sort());
    expect(list).toHaveLength(8);
    const at = new Date(NOW - 10_000).toISOString();
    expect(list[0]).toEqual({
      ...{ id: expect.any(Number), deviceId: device.id, type: "cpu", name: "cpu.usage", value: 12.5 },
      ...{ unit: "percent", timestamp: at, min: 12.5, max: 12.5, resolution: "raw" },
    });
    expect(await read("/metrics?limit=1")).toEqual(list.slice(0, 1));
    const ids = list.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(8);
    expect(ids.every(Number.isSafeInteger)).toBe(true);
    const v2 = await server.api("GET", `/v2/devices/${device.uuid}/metrics?limit=1`);
    const { deviceId, ...same } = list[0];
    expect(v2.body.data).toEqual([{ ...same, device_id: deviceId }]);
  });

  it("are of one type or one name", async () => {
    const { keep, read } = await open();
    await keep(0);
    const units = { cpu: "percent", memory: "bytes", disk: "percent", network: "bytes/s" };
    for (const [type, unit] of Object.entries(units)) {
      expect(await read(`/metrics?type=${type}`)).toMatchObject([{ type, unit }]);
    }
    expect(await read("/metrics?name=disk./.usage")).toMatchObject([{ name: "disk./.usage", value: 40 }]);
    expect(await read("/metrics?name=disk./.usage&type=cpu")).toEqual([]);
  });

  it("of a long range are rolled up, with the extremes of each bucket, packed or not", async () => {
    const { server, keep, read } = await open();
    // NOW is 12:02:30.
    await keep(3 * DAY_MS, { "cpu.usage": 1 });
    await keep(63 * MINUTE_MS, { "cpu.usage": 10 });
    await keep(62 * MINUTE_MS, { "cpu.usage": 40 });
    await keep(MINUTE_MS, { "cpu.usage": 80 });
    const week = [
      { timestamp: "2026-11-21T12:00:00.000Z", value: 80, min: 80, max: 80, resolution: "15m" },
      { timestamp: "2026-11-21T11:00:00.000Z", value: 40, min: 40, max: 40 },
      { timestamp: "2026-11-21T10:45:00.000Z", value: 10 },
      { timestamp: "2026-11-18T12:00:00.000Z", value: 1 },
    ];
    expect(await read("/metrics?range=7d")).toMatchObject(week);
    await packMetrics(server.ctx);
    expect(await read("/metrics?range=7d")).toMatchObject(week);
    expect(await read("/metrics?range=24h&resolution=1h")).toMatchObject([
      { value: 80 },
      { timestamp: "2026-11-21T11:00:00.000Z", value: 40 },
      { timestamp: "2026-11-21T10:00:00.000Z", value: 10 },
    ]);
    expect(await read("/metrics?from=2026-11-18T00:00:00Z&to=2026-11-19T00:00:00Z")).toMatchObject([
      { value: 1, resolution: "1m" },
    ]);
  });

  it("are given line by line for charts, with gaps where nothing was reported", async () => {
    const { server, device, keep, read } = await open();
    for (const minutes of [50, 49, 10]) {
      await keep(minutes * MINUTE_MS, { "cpu.usage": minutes, "memory.usage": 50 });
    }
    const chart = await read("/metrics/series?range=24h&type=cpu");
    expect(chart).toMatchObject({ resolution: "1m", from: "2026-11-20T12:02:30.001Z" });
    expect(chart.series).toEqual([
      {
        ...{ type: "cpu", name: "cpu.usage", unit: "percent" },
        points: [50, 49, 10].map((value) => ({
          timestamp: new Date(NOW - value * MINUTE_MS - 30_000).toISOString(),
          ...{ value, min: value, max: value },
        })),
      },
    ]);
    const v2 = await server.api("GET", `/v2/devices/${device.uuid}/metrics/series?range=24h&type=cpu`);
    expect(v2.body.data).toEqual(chart);
    const all = await read("/metrics/series?range=1h");
    expect(all.resolution).toBe("raw");
    expect(all.series.map(({ name }: { name: string }) => name)).toEqual(["cpu.usage", "memory.usage"]);
  });

  it("are given more coarsely where there would be too many points, and at last the newest alone", async () => {
    const { server, store, device, keep } = await open();
    for (let minutes = 0; minutes < 50; minutes += 5) await keep(minutes * MINUTE_MS, { "cpu.usage": 1 });
    await keep(5 * DAY_MS, { "cpu.usage": 1 });
    await packMetrics(server.ctx);
    const ctx = { ...server.ctx, db: store.db } as unknown as Running;
    const drawn = async (maxPoints: number) => {
      const chart = await chartMetrics(ctx, device, { range: "7d", resolution: "1m" }, maxPoints);
      return [chart.resolution, chart.lines[0]?.points.length, new Date(chart.from).toISOString()];
    };
    const week = "2026-11-14T12:02:30.001Z";
    // 11:17 to 12:02, and five days before.
    expect(await drawn(11)).toEqual(["1m", 11, week]);
    expect(await drawn(10)).toEqual(["15m", 5, week]);
    expect(await drawn(4)).toEqual(["1h", 3, week]);
    expect(await drawn(1)).toEqual(["1h", 2, "2026-11-21T11:00:00.000Z"]);
  });

  it("are of that device alone, of no other one, and of no service", async () => {
    const { server, store, device, keep, organizationId } = await open();
    await keep(0);
    const other = await addDevice(store, organizationId);
    expect((await server.api("GET", `/api/devices/${other.id}/metrics`)).body.data).toEqual([]);
    const key = await server.createKey({ person: await server.createOrganization() });
    for (const path of ["metrics", "metrics/series"]) {
      expect((await server.api("GET", `/api/devices/${device.id}/${path}`, undefined, { key })).status).toBe(
        404,
      );
      expect((await server.api("GET", `/api/services/${device.id}/${path}`)).status).toBe(404);
    }
  });

  it("are refused for what is no limit, type, time or resolution, and for an end before the beginning", async () => {
    const { server, device } = await open();
    const refused = {
      limit: ["limit=0", "limit=10001"],
      type: ["type=gpu"],
      resolution: ["resolution=5m"],
      range: ["range=2h"],
      from: ["from=yesterday", "from=9999-12-31T23:59:59Z"],
      to: ["from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z"],
    };
    for (const [field, queries] of Object.entries(refused)) {
      for (const query of queries) {
        const { status, body } = await server.api("GET", `/api/devices/${device.id}/metrics?${query}`);
        expect([status, Object.keys(body.errors ?? {})], query).toEqual([422, [field]]);
      }
    }
  });

  it("are drawn in lists by 30 points of the last hour, whichever of them is packed", async () => {
    const { server, store, device, keep } = await open();
    const other = await addDevice(store, 1);
    // The hour of points begins at 11:04.
    for (const minutes of [59, 58, 41, 21, 1]) {
      await keep(minutes * MINUTE_MS, { "cpu.usage": minutes, "memory.usage": 50, "cpu.load1": 1 });
    }
    await keep(30 * MINUTE_MS, { "memory.usage": 60 });
    const drawn = async () => {
      const lines = await readRecentUsage({ ...server.ctx, db: store.db }, [device.id, other.id]);
      expect(lines.get(other.id)?.every(({ cpu }) => cpu === null)).toBe(true);
      const points = lines.get(device.id) ?? [];
      expect(points).toHaveLength(30);
      expect(points.at(-1)?.at).toBe(NOW - 30_000);
      return points.flatMap(({ cpu, memory }) => (memory === null ? [] : [[cpu, memory]]));
    };
    const points = [
      [58, 50],
      [41, 50],
      [null, 60],
      [21, 50],
      [1, 50],
    ];
    expect(await drawn()).toEqual(points);
    await packMetrics(server.ctx);
    expect(await drawn()).toEqual(points);
  });
});

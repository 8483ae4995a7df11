import { expect, it } from "vitest";
import { RESOLUTION_DETAILS, type Resolution } from "../../../../src/engine/results/precision.ts";
import { runRetention } from "../../../../src/engine/results/retention.ts";
import { packSeries } from "../../../../src/monitors/devices/metrics/packed-series.ts";
import { insertMany } from "../../../../src/platform/database/bulk.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachEngine } from "../../../harness/stores.ts";
import { countRows, DAY_MS, HOUR_MS, NOW, openForMetrics, readAll, report } from "./metrics-setup.ts";

/** A pack of device 1 that begins so long ago. */
async function addPack(store: Store, resolution: Resolution, agoMs: number): Promise<void> {
  const { seconds } = RESOLUTION_DETAILS[resolution];
  const at = NOW - agoMs;
  const width = resolution === "raw" ? [[1]] : [[1], [1], [1]];
  const series = await packSeries({ times: [at], columns: new Map([["cpu.usage", width]]) }, async () => {});
  await insertMany(store.db, "device_packs", [
    { monitor_id: 1, resolution: seconds, begins_at: at, series: Buffer.from(series) },
  ]);
}

const packs = async (store: Store, resolution: Resolution) => {
  const { seconds } = RESOLUTION_DETAILS[resolution];
  const rows = await store.db
    .selectFrom("device_packs")
    .select("begins_at")
    .where("resolution", "=", seconds)
    .orderBy("begins_at", "desc")
    .execute();
  return rows.map((row) => NOW - row.begins_at);
};

eachEngine("metrics that are packed", (engine) => {
  const remove = (store: Store, now = NOW) =>
    runRetention({ store, clock: { now: () => now } }, { rawDaysOf: () => 7 });

  it("are stored for 2 days as reported, by the minute for 30, by the quarter for 90, by the hour for 730", async () => {
    const { store } = await openForMetrics(engine);
    const daysOf = { raw: 2, "1m": 30, "15m": 90, "1h": 730 } as const;
    for (const [resolution, days] of Object.entries(daysOf) as [Resolution, number][]) {
      const { packMs } = RESOLUTION_DETAILS[resolution];
      // The oldest is over just as long as it is stored, the next one has a millisecond that is younger.
      for (const agoMs of [HOUR_MS, days * DAY_MS + packMs - 1, days * DAY_MS + packMs]) {
        await addPack(store, resolution, agoMs);
      }
    }
    expect((await remove(store)).rows).toEqual({ device_packs: 4 });
    for (const [resolution, days] of Object.entries(daysOf) as [Resolution, number][]) {
      const { packMs } = RESOLUTION_DETAILS[resolution];
      expect(await packs(store, resolution)).toEqual([HOUR_MS, days * DAY_MS + packMs - 1]);
    }
    expect((await remove(store)).rows).toEqual({});
  });

  it("stay as reported while something of their hour waits to be packed with them", async () => {
    const { store, pack, keep } = await openForMetrics(engine);
    const at = NOW - 2 * HOUR_MS;
    await keep([report(at, { "cpu.usage": 10 })]);
    await pack();
    await keep([report(at + 1, { "cpu.usage": 30 })]);
    const later = NOW + 4 * DAY_MS;
    expect((await remove(store, later)).rows).toEqual({});
    await pack(later);
    const hour = at - (at % HOUR_MS);
    expect(await readAll(store, "1h")).toEqual([[hour, "cpu.usage", 20, 10, 30]]);
    expect((await remove(store, later)).rows).toEqual({ device_packs: 1 });
  });

  it("go with their device, with what is not packed", async () => {
    const { store, pack, keep } = await openForMetrics(engine);
    await keep([report(NOW - HOUR_MS), report(NOW), report(NOW, { "cpu.usage": 1 }, 2)]);
    await pack();
    const deleted = { deleted_at: NOW - HOUR_MS };
    await store.db.updateTable("monitors").set(deleted).where("id", "=", 1).execute();
    expect((await remove(store)).rows).toEqual({ device_packs: 4, device_reports: 1, monitors: 1 });
    expect([await countRows(store, "device_reports"), await countRows(store, "device_packs")]).toEqual([
      1, 0,
    ]);
  });
});

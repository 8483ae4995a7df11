import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { insertResults, listResults } from "../../../src/engine/queries/results.ts";
import { lockStates } from "../../../src/engine/queries/states.ts";
import { HOUR_MS } from "../../../src/engine/results/pack-format.ts";
import { runRetention } from "../../../src/engine/results/retention.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { makeResult } from "../../harness/results.ts";
import { eachEngine } from "../../harness/stores.ts";
import {
  ALWAYS,
  countPacks,
  DAY_MS,
  expected,
  MINUTE_MS,
  NOW,
  openForPacking,
  rowTimes,
  someHours,
  T0,
} from "./packing-setup.ts";

eachEngine("results that are packed", (engine) => {
  const open = (monitors?: number) => openForPacking(engine, monitors);

  it("take the place of the rows of every hour that ended an hour ago", async () => {
    const { store, pack } = await open();
    const all = someHours();
    await insertResults(store.db, all);
    // 12:30: the hours from 6:00 to 10:59 have ended before 11:30.
    expect(await pack()).toMatchObject({ results: 4 * 30, packs: 4 * 5, finished: true });
    expect(await rowTimes(store)).toEqual(
      Array.from({ length: 10 }, (_, i) => T0 + (30 + i) * 10 * MINUTE_MS),
    );
    expect(await pack()).toMatchObject({ results: 0, packs: 0 });
    expect(await pack(NOW + HOUR_MS)).toMatchObject({ results: 4 * 6, packs: 4 });
  });

  it("are packed while the same results come in again and again, without one lost or doubled", async () => {
    const { store, pack } = await open();
    const all = someHours();
    await insertResults(store.db, all);
    let finished = false;
    const packing = pack().finally(() => {
      finished = true;
    });
    const added: StoredResult[] = [];
    while (!finished) {
      await Promise.all(
        [1, 2].map((monitorId) =>
          store.transaction(async (trx) => {
            await lockStates(trx, [monitorId]);
            const own = all.filter((result) => result.monitorId === monitorId);
            added.push(...(await insertResults(trx, own)));
          }),
        ),
      );
      await setImmediate();
    }
    expect(await packing).toMatchObject({ results: 4 * 30, finished: true });
    expect(added).toEqual([]);
    expect(await rowTimes(store)).toHaveLength(10);
    expect(await listResults(store.db, ALWAYS)).toEqual(expected(all, ALWAYS));
  });

  it("are packed hour by hour out of a large backlog, between which results come in", async () => {
    const { store, pack } = await open();
    const backlog = Array.from({ length: 12_000 }, (_, i) => makeResult({ scheduledAt: T0 - i * 10_000 }));
    await insertResults(store.db, backlog);
    let finished = false;
    const packing = pack().finally(() => {
      finished = true;
    });
    let ingested = 0;
    for (; !finished; ingested += 1) {
      await store.transaction((trx) => insertResults(trx, [makeResult({ scheduledAt: NOW + ingested })]));
      await setImmediate();
    }
    const report = await packing;
    expect(report).toMatchObject({ results: 12_000, finished: true });
    expect(report.slices).toBeGreaterThan(30);
    expect(ingested).toBeGreaterThan(30);
    expect(await listResults(store.db, ALWAYS)).toHaveLength(12_000 + ingested);
  });

  it("of one hour of many locations are packed in slices, each result once", async () => {
    const { store, pack } = await open(1);
    const all = Array.from({ length: 30 }, (_, location) =>
      Array.from({ length: 90 }, (_, i) =>
        makeResult({ locationId: location + 1, scheduledAt: T0 + i * 40_000 }),
      ),
    ).flat();
    await insertResults(store.db, all);
    expect(await pack()).toMatchObject({ results: 2_700, finished: true });
    expect(await countPacks(store)).toBe(30);
    expect(await listResults(store.db, ALWAYS)).toEqual(expected(all, ALWAYS));
  });

  it("end early on request, and the next run goes on", async () => {
    const { store, pack } = await open();
    await insertResults(store.db, someHours());
    expect(await pack(NOW, AbortSignal.abort())).toMatchObject({ results: 0, finished: false });
    expect(await pack()).toMatchObject({ results: 4 * 30, finished: true });
  });

  it("are removed when the plan's days are over, and with their monitor", async () => {
    const { store, pack } = await open();
    // Of the hour seven days ago a part is still to be retained.
    const days = [1, 6, 7, 8, 30].map((day) => NOW - day * DAY_MS);
    const all = [1, 2].flatMap((monitorId) =>
      days.map((scheduledAt) => makeResult({ monitorId, scheduledAt })),
    );
    await insertResults(store.db, all);
    await pack();
    await store.db
      .updateTable("monitors")
      .set({ deleted_at: NOW - HOUR_MS })
      .where("id", "=", 2)
      .execute();
    const clock = { now: () => NOW };
    const report = await runRetention({ store, clock }, { rawDaysOf: () => 7 });
    expect(report).toMatchObject({ rows: { packs: 2 + 5 }, finished: true });
    expect(report.rows.results).toBeUndefined();
    const left = await store.db
      .selectFrom("packs")
      .select(["monitor_id", "hour_at"])
      .orderBy("hour_at")
      .execute();
    expect(left).toEqual(
      [7, 6, 1].map((day) => ({ monitor_id: 1, hour_at: NOW - day * DAY_MS - 30 * MINUTE_MS })),
    );
  });
});

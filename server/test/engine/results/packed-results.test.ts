import fc from "fast-check";
import { expect, it } from "vitest";
import { backupStore, restoreStore } from "../../../src/app/backup.ts";
import { insertResults, listResults } from "../../../src/engine/queries/results.ts";
import { DamagedPackError, HOUR_MS } from "../../../src/engine/results/pack-format.ts";
import { runPacking } from "../../../src/engine/results/pack-results.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { database, temporaryFile } from "../../harness/databases.ts";
import { aReason } from "../../harness/reasons.ts";
import { recordingLog } from "../../harness/recording-log.ts";
import { makeResult } from "../../harness/results.ts";
import { eachEngine } from "../../harness/stores.ts";
import {
  ALWAYS,
  addMonitors,
  countPacks,
  damage,
  expected,
  MINUTE_MS,
  NOW,
  openForPacking,
  rowTimes,
  someHours,
  T0,
} from "./packing-setup.ts";

eachEngine("packed results", (engine) => {
  const open = (monitors?: number) => openForPacking(engine, monitors);

  it("are read as if nothing had happened, with any range, order, limit and location", async () => {
    const { store, pack } = await open();
    const all = someHours();
    await insertResults(store.db, all);
    await pack();
    // Late ones, whose hours are packed already, and one of an hour without any.
    const late = [T0 + 5 * MINUTE_MS, T0 + 125 * MINUTE_MS, T0 - 3 * HOUR_MS].map((scheduledAt) =>
      makeResult({ scheduledAt }),
    );
    await insertResults(store.db, late);
    all.push(...late);
    const time = fc.integer({ min: -200, max: 500 }).map((minutes) => T0 + minutes * MINUTE_MS);
    const query = fc.record({
      monitorId: fc.constantFrom(1, 2, 3),
      from: time,
      to: time,
      limit: fc.constantFrom(1, 2, 7, 13, 60, 1_000),
      order: fc.constantFrom("asc", "desc"),
      locationId: fc.constantFrom(undefined, 1, 2),
    });
    const listed = fc.asyncProperty(query, async (wanted) => {
      expect(await listResults(store.db, wanted)).toEqual(expected(all, wanted));
    });
    await fc.assert(listed, { numRuns: 150 });
    await pack();
    await fc.assert(listed, { numRuns: 150 });
  });

  it("are listed to their end when there are more hours than one query reads", async () => {
    const { store, pack } = await open();
    const all = Array.from({ length: 160 }, (_, i) =>
      [1, 2].map((locationId) => makeResult({ locationId, scheduledAt: T0 - i * HOUR_MS })),
    ).flat();
    await insertResults(store.db, all);
    await pack();
    for (const order of ["asc", "desc"] as const) {
      for (const locationId of [undefined, 2]) {
        const query = { ...ALWAYS, order, locationId };
        expect(await listResults(store.db, query)).toEqual(expected(all, query));
      }
    }
  });

  it("count as known when they come again, and late ones are new, listed, and packed by the next run", async () => {
    const { store, pack } = await open();
    const all = someHours();
    await insertResults(store.db, all);
    await pack();
    const late = makeResult({
      scheduledAt: T0 + 3 * MINUTE_MS,
      outcome: 1,
      reason: aReason("timeout", "Late."),
    });
    const again = all.map((result) => ({ ...result, outcome: 1 as const }));
    expect(await insertResults(store.db, [...again, late])).toEqual([late]);
    expect(await insertResults(store.db, [late, ...again])).toEqual([]);
    const listed = await listResults(store.db, ALWAYS);
    expect(listed).toEqual(expected([...all, late], ALWAYS));
    expect(await pack()).toMatchObject({ results: 1, packs: 1 });
    expect((await rowTimes(store)).includes(late.scheduledAt)).toBe(false);
    expect(await listResults(store.db, ALWAYS)).toEqual(listed);
    expect(await insertResults(store.db, [late, ...again])).toEqual([]);
  });

  it("that are damaged say so and leave other hours, monitors and late results alone", async () => {
    const { store, log, pack } = await open();
    const all = someHours();
    await insertResults(store.db, all);
    await pack();
    await damage(store, { monitorId: 1, hourAt: T0 + HOUR_MS, locationId: 1 });
    const isDamaged = (result: StoredResult) =>
      result.monitorId === 1 &&
      result.locationId === 1 &&
      Math.floor((result.scheduledAt - T0) / HOUR_MS) === 1;
    await expect(listResults(store.db, ALWAYS)).rejects.toThrow(
      /monitor 1, location 1, hour 2026-11-21T07:00/,
    );
    const errors: DamagedPackError[] = [];
    const onDamaged = (error: DamagedPackError) => errors.push(error);
    const intact = all.filter((result) => !isDamaged(result));
    expect(await listResults(store.db, { ...ALWAYS, onDamaged })).toEqual(expected(intact, ALWAYS));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(DamagedPackError);
    expect(await listResults(store.db, { ...ALWAYS, monitorId: 2 })).toHaveLength(80);

    const late = [65, 125].map((minutes) => makeResult({ scheduledAt: T0 + minutes * MINUTE_MS }));
    expect(await insertResults(store.db, late)).toEqual(late);
    expect(await pack()).toMatchObject({ results: 1, packs: 1, finished: true });
    expect(log.lines.filter((line) => line.startsWith("error: "))).toHaveLength(1);
    expect(await rowTimes(store)).toContain(T0 + 65 * MINUTE_MS);
    expect(await listResults(store.db, { ...ALWAYS, onDamaged })).toEqual(
      expected([...intact, ...late], ALWAYS),
    );
  });

  it("are part of a backup, which either engine restores", async () => {
    const [source, file] = [await database(engine), temporaryFile()];
    const target = await database(engine === "sqlite" ? "sqlite" : "postgres");
    const other = await database("sqlite");
    const all = someHours();
    const store = await openStore(source);
    await addMonitors(store);
    await insertResults(store.db, all);
    await runPacking({ store, log: recordingLog(), clock: { now: () => NOW } });
    await store.close();
    await backupStore(source, file);
    for (const location of [target, other]) {
      await restoreStore(location, file);
      const restored = await openStore(location);
      expect(await countPacks(restored)).toBe(20);
      expect(await listResults(restored.db, ALWAYS)).toEqual(expected(all, ALWAYS));
      expect(await insertResults(restored.db, all)).toEqual([]);
      await restored.close();
    }
  });
});

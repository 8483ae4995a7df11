import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { DamagedPackError, HOUR_MS } from "../../src/result/pack.ts";
import { runPacking } from "../../src/result/packing.ts";
import { runRetention } from "../../src/result/retention.ts";
import { createState } from "../../src/status/pause-monitor.ts";
import { backupStore, restoreStore } from "../../src/store/backup.ts";
import { insertMany } from "../../src/store/bulk.ts";
import { openStore, type Store } from "../../src/store/open.ts";
import {
  insertResults,
  listResults,
  type ResultsQuery,
  type StoredResult,
} from "../../src/store/queries/results.ts";
import { lockStates } from "../../src/store/queries/states.ts";
import { database, temporaryFile } from "../harness/databases.ts";
import { makeResult } from "../harness/results.ts";
import { monitorRow, organizationRow } from "../harness/rows.ts";
import { eachEngine, openTestStore } from "../harness/stores.ts";
import { recordingLog } from "../probe/recording-log.ts";

const NOW = Date.UTC(2026, 10, 21, 12, 30);
const T0 = Date.UTC(2026, 10, 21, 6);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const ALWAYS = { monitorId: 1, from: 0, to: 2 ** 52, limit: 100_000 };

/** Every ten minutes from 6:00 to 12:30, by monitors 1 and 2 at locations 1 and 2. */
const someHours = () =>
  [1, 2].flatMap((monitorId) =>
    [1, 2].flatMap((locationId) =>
      Array.from({ length: 40 }, (_, i) =>
        makeResult({ monitorId, locationId, scheduledAt: T0 + i * 10 * MINUTE_MS, totalUs: 1_000 + i }),
      ),
    ),
  );

async function addMonitors(store: Store, count = 3): Promise<void> {
  const ids = Array.from({ length: count }, (_, i) => i + 1);
  await insertMany(store.db, "organizations", [organizationRow(1, { plan: "free" })]);
  await insertMany(
    store.db,
    "monitors",
    ids.map((id) => monitorRow(id, { name: `M${id}` })),
  );
  for (const id of ids) await createState(store.db, id, 0);
}

const rowTimes = async (store: Store) => {
  const rows = await store.db
    .selectFrom("results")
    .select("scheduled_at")
    .distinct()
    .orderBy("scheduled_at")
    .execute();
  return rows.map((row) => row.scheduled_at);
};

async function countPacks(store: Store): Promise<number> {
  return (await store.db.selectFrom("packs").select("hour_at").execute()).length;
}

async function damage(
  store: Store,
  where: { monitorId: number; hourAt: number; locationId: number },
): Promise<void> {
  const pack = store.db
    .selectFrom("packs")
    .select("data")
    .where("monitor_id", "=", where.monitorId)
    .where("hour_at", "=", where.hourAt)
    .where("location_id", "=", where.locationId);
  const data = Uint8Array.from((await pack.executeTakeFirstOrThrow()).data);
  data[data.length - 1] = (data.at(-1) as number) ^ 255;
  await store.db
    .updateTable("packs")
    .set({ data })
    .where("monitor_id", "=", where.monitorId)
    .where("hour_at", "=", where.hourAt)
    .where("location_id", "=", where.locationId)
    .execute();
}

/** What must be listed, worked out from all results there are. */
function expected(all: readonly StoredResult[], query: ResultsQuery): StoredResult[] {
  const sign = query.order === "asc" ? 1 : -1;
  return all
    .filter((result) => result.monitorId === query.monitorId)
    .filter((result) => query.from <= result.scheduledAt && result.scheduledAt < query.to)
    .filter((result) => query.locationId === undefined || result.locationId === query.locationId)
    .sort((a, b) => sign * (a.scheduledAt - b.scheduledAt || a.locationId - b.locationId))
    .slice(0, query.limit);
}

eachEngine("packed results", (engine) => {
  async function open(monitors?: number) {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    await addMonitors(store, monitors);
    const log = recordingLog();
    const pack = (now = NOW, signal?: AbortSignal) =>
      runPacking({ store, log, clock: { now: () => now } }, { signal });
    return { store, log, pack };
  }

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
      reasonCode: "timeout",
      reason: "Late.",
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

  it("end early when told to, are one replica's work at a time, and the next run goes on", async () => {
    const { store, pack } = await open();
    await insertResults(store.db, someHours());
    expect(await pack(NOW, AbortSignal.abort())).toMatchObject({ results: 0, finished: false });
    const reports = await Promise.all([pack(), pack(), pack()]);
    expect(reports.filter((report) => report.finished)).toHaveLength(1);
    expect(reports.reduce((sum, report) => sum + report.results, 0)).toBe(4 * 30);
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

  it("are removed when the plan's days are over, and with their monitor", async () => {
    const { store, pack } = await open();
    const days = [1, 6, 8, 30].map((day) => NOW - day * DAY_MS);
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
    expect(report).toMatchObject({ results: 0, packs: 2 + 4, finished: true });
    const left = await store.db
      .selectFrom("packs")
      .select(["monitor_id", "hour_at"])
      .orderBy("hour_at")
      .execute();
    expect(left).toEqual(
      [6, 1].map((day) => ({ monitor_id: 1, hour_at: NOW - day * DAY_MS - 30 * MINUTE_MS })),
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

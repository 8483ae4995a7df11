import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { insertResults } from "../../../src/engine/queries/results.ts";
import { addToRollups, type RollupPoint, readRollups } from "../../../src/engine/queries/rollups.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { percentile } from "../../../src/platform/database/histogram.ts";
import { makeResult } from "../../harness/results.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const MIDNIGHT = Date.UTC(2026, 10, 21);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const day = { from: MIDNIGHT, to: MIDNIGHT + DAY_MS };

/** A point without its histogram, which the tests read through its percentiles. */
const plain = ({ histogram, ...point }: RollupPoint) => point;

/** What the roll-ups of `results` must be: summed up the slow way. */
function expected(results: StoredResult[], periodMs: number) {
  const groups = Map.groupBy(results, (r) => `${r.locationId} ${r.scheduledAt - (r.scheduledAt % periodMs)}`);
  return [...groups]
    .map(([key, group]) => {
      const [locationId, bucketAt] = key.split(" ").map(Number) as [number, number];
      const conclusive = group.filter((r) => r.outcome !== 3);
      const timed = conclusive
        .filter((r) => r.outcome !== 1 && r.totalUs !== null)
        .map((r) => r.totalUs as number);
      return {
        locationId,
        bucketAt,
        checks: conclusive.length,
        failures: conclusive.filter((r) => r.outcome === 1).length,
        timed: timed.length,
        sumUs: timed.reduce((sum, us) => sum + us, 0),
        minUs: timed.length ? Math.min(...timed) : null,
        maxUs: timed.length ? Math.max(...timed) : null,
      };
    })
    .filter((point) => point.checks > 0)
    .sort((a, b) => a.locationId - b.locationId || a.bucketAt - b.bucketAt);
}

const someResults = fc.uniqueArray(
  fc.record({
    minute: fc.integer({ min: 0, max: 3 * 24 * 60 }),
    locationId: fc.integer({ min: 1, max: 3 }),
    outcome: fc.constantFrom(0, 0, 0, 1, 2, 3),
    totalUs: fc.option(fc.integer({ min: 1, max: 60_000_000 })),
  }),
  { selector: (r) => `${r.minute} ${r.locationId}`, minLength: 1, maxLength: 120 },
);

eachEngine("roll-ups", (engine) => {
  async function open() {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    return store;
  }

  it("equal the sums over the raw results in whatever order and batches those come", async () => {
    const { db } = await open();
    let monitorId = 0;
    await fc.assert(
      fc.asyncProperty(someResults, fc.integer({ min: 1, max: 50 }), async (drawn, size) => {
        monitorId += 1;
        const results = drawn.map(({ minute, ...rest }) =>
          makeResult({
            ...rest,
            monitorId,
            scheduledAt: MIDNIGHT + minute * MINUTE_MS,
          } as Partial<StoredResult>),
        );
        for (let i = 0; i < results.length; i += size) await addToRollups(db, results.slice(i, i + size));
        for (const periodSeconds of [300, 3600, 86_400] as const) {
          const range = { from: MIDNIGHT, to: MIDNIGHT + 4 * DAY_MS };
          const points = await readRollups(db, {
            monitorIds: [monitorId],
            ...range,
            periodSeconds,
            groupBy: "location_bucket",
            histograms: true,
          });
          expect(points.map(plain)).toEqual(expected(results, periodSeconds * 1000));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("take in late results of buckets that closed long ago, and repeated batches not at all", async () => {
    const { db } = await open();
    const add = async (results: StoredResult[]) => addToRollups(db, await insertResults(db, results));
    const at = (minute: number, totalUs: number) =>
      makeResult({ scheduledAt: MIDNIGHT + minute * MINUTE_MS, totalUs });
    await add([at(600, 1_000)]);
    await add([at(2, 9_000), at(600, 1_000)]);
    await add([at(2, 9_000)]);
    const points = await readRollups(db, { monitorIds: [1], ...day, periodSeconds: 300, groupBy: "bucket" });
    expect(points.map((p) => [(p.bucketAt as number) - MIDNIGHT, p.checks, p.sumUs])).toEqual([
      [0, 1, 9_000],
      [600 * MINUTE_MS, 1, 1_000],
    ]);
    const [whole] = await readRollups(db, {
      monitorIds: [1],
      ...day,
      periodSeconds: 86_400,
      groupBy: "bucket",
    });
    expect(whole).toMatchObject({ checks: 2, sumUs: 10_000, minUs: 1_000, maxUs: 9_000 });
  });

  it("group by bucket, by monitor, by both, and leave other monitors and times out", async () => {
    const { db } = await open();
    const results = [1, 2, 3].flatMap((monitorId) =>
      [0, 5, 65].flatMap((minute) =>
        [1, 2].map((locationId) =>
          makeResult({
            monitorId,
            locationId,
            scheduledAt: MIDNIGHT + minute * MINUTE_MS,
            totalUs: monitorId * 1_000,
          }),
        ),
      ),
    );
    await addToRollups(db, results);
    const query = {
      monitorIds: [1, 2, 99],
      from: MIDNIGHT,
      to: MIDNIGHT + 60 * MINUTE_MS,
      periodSeconds: 300,
    } as const;
    const read = async (groupBy: "bucket" | "monitor" | "monitor_bucket") =>
      (await readRollups(db, { ...query, groupBy })).map((p) => [p.monitorId, p.bucketAt, p.checks, p.sumUs]);
    const later = MIDNIGHT + 5 * MINUTE_MS;
    expect(await read("bucket")).toEqual([
      [undefined, MIDNIGHT, 4, 6_000],
      [undefined, later, 4, 6_000],
    ]);
    expect(await read("monitor")).toEqual([
      [1, undefined, 4, 4_000],
      [2, undefined, 4, 8_000],
    ]);
    expect(await read("monitor_bucket")).toEqual([
      [1, MIDNIGHT, 2, 2_000],
      [1, later, 2, 2_000],
      [2, MIDNIGHT, 2, 4_000],
      [2, later, 2, 4_000],
    ]);
    expect(await readRollups(db, { ...query, monitorIds: [], groupBy: "bucket" })).toEqual([]);
  });

  it("keep percentiles over thousands of checks added one batch at a time, in few bytes", async () => {
    const { db } = await open();
    // Every latency from 10 to 50 ms in steps of 20 us, in an order without order.
    for (let batch = 0; batch < 200; batch += 1) {
      await addToRollups(
        db,
        Array.from({ length: 10 }, (_, i) => batch * 10 + i).map((n) =>
          makeResult({ scheduledAt: MIDNIGHT + n, totalUs: 10_000 + ((n * 777) % 2_000) * 20 }),
        ),
      );
    }
    const [point] = await readRollups(db, {
      monitorIds: [1],
      ...day,
      periodSeconds: 86_400,
      groupBy: "monitor",
      histograms: true,
    });
    expect(point).toMatchObject({ checks: 2_000, timed: 2_000 });
    for (const [percentage, exact] of [
      [50, 30_000],
      [95, 48_000],
      [99, 49_600],
    ] as const) {
      const estimate = percentile(point?.histogram ?? [], percentage) as number;
      expect(Math.abs(estimate - exact)).toBeLessThan(exact * 0.025);
    }
    const rows = await db.selectFrom("rollups").select("histogram").execute();
    for (const row of rows) expect(row.histogram.length).toBeLessThanOrEqual(512);
  });

  it("lose nothing when several transactions add to the same bucket at once", async () => {
    const store = await open();
    await Promise.all(
      Array.from({ length: 12 }, (_, writer) =>
        store.transaction((trx) =>
          addToRollups(
            trx,
            Array.from({ length: 20 }, (_, i) =>
              makeResult({ monitorId: i + 1, scheduledAt: MIDNIGHT + writer, totalUs: 1_000 }),
            ),
          ),
        ),
      ),
    );
    const monitorIds = Array.from({ length: 20 }, (_, i) => i + 1);
    const points = await readRollups(store.db, {
      monitorIds,
      ...day,
      periodSeconds: 300,
      groupBy: "monitor",
    });
    expect(points.map((p) => [p.checks, p.sumUs])).toEqual(monitorIds.map(() => [12, 12_000]));
  });

  it("answer for more monitors than one query takes", async () => {
    const { db } = await open();
    const monitorIds = Array.from({ length: 6_000 }, (_, i) => i + 1);
    await addToRollups(
      db,
      monitorIds.map((monitorId) => makeResult({ monitorId, scheduledAt: MIDNIGHT })),
    );
    const [point] = await readRollups(db, {
      monitorIds,
      from: MIDNIGHT,
      to: MIDNIGHT + 1,
      periodSeconds: 300,
      groupBy: "bucket",
    });
    expect(point?.checks).toBe(6_000);
  });
});

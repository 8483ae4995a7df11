import { expect, it, onTestFinished } from "vitest";
import { readLatencies } from "../../src/store/queries/latencies.ts";
import { addToRollups, readRollups } from "../../src/store/queries/rollups.ts";
import { makeResult } from "../harness/results.ts";
import { eachEngine, openTestStore } from "../harness/stores.ts";

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);

/** Three hours of two locations, some failed, for each of the monitors. */
const makeResults = (monitorIds: readonly number[]) =>
  monitorIds.flatMap((monitorId) =>
    [0, 1, 2].flatMap((hour) =>
      [1, 2].map((locationId) =>
        makeResult({
          ...{ monitorId, locationId, scheduledAt: MIDNIGHT + hour * HOUR + locationId },
          outcome: hour === 1 && locationId === 1 ? 1 : 0,
          totalUs: 1_000 * monitorId + 100 * hour + locationId,
        }),
      ),
    ),
  );

eachEngine("latencies", (engine) => {
  const open = async (monitorIds: readonly number[]) => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    await addToRollups(store.db, makeResults(monitorIds));
    return store.db;
  };

  it.each([
    ["close together", [1, 2, 3, 4, 5, 6], [2, 3, 5]],
    ["far apart", [1, 7, 900, 100_000], [7, 100_000]],
  ])("say what the roll-ups say, of monitors with numbers %s", async (_, stored, asked) => {
    const db = await open(stored);
    const query = {
      monitorIds: asked,
      from: MIDNIGHT,
      to: MIDNIGHT + 3 * HOUR,
      periodSeconds: 3600,
    } as const;
    const expected = await readRollups(db, { ...query, groupBy: "monitor_bucket" });
    const series = await readLatencies(db, query);
    expect([...series.keys()].sort((a, b) => a - b)).toEqual(asked);
    for (const [monitorId, own] of series) {
      const points = expected.filter((point) => point.monitorId === monitorId);
      expect(own).toEqual({
        at: points.map(({ bucketAt }) => bucketAt),
        timed: points.map(({ timed }) => timed),
        sumUs: points.map(({ sumUs }) => sumUs),
        minUs: Math.min(...points.map(({ minUs }) => minUs as number)),
        maxUs: Math.max(...points.map(({ maxUs }) => maxUs as number)),
      });
    }
    // Two locations add up; the failed check of one does not count.
    expect(series.get(asked[0] as number)?.timed).toEqual([2, 1, 2]);
  });

  it("begin with the bucket of the start, end before the end, and are absent where nothing passed", async () => {
    const db = await open([1]);
    const read = (from: number, to: number) =>
      readLatencies(db, { monitorIds: [1, 2], from, to, periodSeconds: 3600 });
    const times = (series: Awaited<ReturnType<typeof read>>) => series.get(1)?.at;
    expect(times(await read(MIDNIGHT + 1, MIDNIGHT + HOUR + 1))).toEqual([MIDNIGHT, MIDNIGHT + HOUR]);
    expect(times(await read(MIDNIGHT, MIDNIGHT + HOUR))).toEqual([MIDNIGHT]);
    expect((await read(MIDNIGHT, MIDNIGHT + HOUR)).has(2)).toBe(false);
    expect((await read(MIDNIGHT - HOUR, MIDNIGHT)).size).toBe(0);
    expect((await readLatencies(db, { monitorIds: [], from: 0, to: HOUR, periodSeconds: 300 })).size).toBe(0);
  });

  it("come whole for more monitors than one query takes", async () => {
    const monitorIds = Array.from({ length: 6_000 }, (_, i) => i + 1);
    const db = await open(monitorIds);
    const series = await readLatencies(db, {
      ...{ monitorIds, from: MIDNIGHT, to: MIDNIGHT + 3 * HOUR, periodSeconds: 3600 },
    });
    expect([...series.values()].flatMap(({ at }) => at).length).toBe(18_000);
  });
});

import { expect, it, onTestFinished } from "vitest";
import { addToRollups, readRollups } from "../../../src/engine/queries/rollups.ts";
import { readLatencies } from "../../../src/engine/queries/transitions.ts";
import { makeResult } from "../../harness/results.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);

/** Three hours of two locations, some failed, for each of the monitors. */
const makeResults = (monitorIds: readonly number[]) =>
  monitorIds.flatMap((monitorId) =>
    [0, 1, 2].flatMap((hour) =>
      [1, 2].map((locationId) =>
        makeResult({
          monitorId,
          locationId,
          scheduledAt: MIDNIGHT + hour * HOUR + locationId,
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
  ])("say what the roll-ups say, of monitors with numbers %s", async (_, stored, requested) => {
    const db = await open(stored);
    const query = {
      monitorIds: requested,
      from: MIDNIGHT,
      to: MIDNIGHT + 3 * HOUR,
      periodSeconds: 3600,
    } as const;
    const expected = await readRollups(db, { ...query, groupBy: "monitor_bucket" });
    const { bucketsAt, timed, sumUs, minUs, maxUs } = await readLatencies(db, query);
    expect(bucketsAt).toEqual([MIDNIGHT, MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR]);
    for (const [row, monitorId] of requested.entries()) {
      const points = expected.filter((point) => point.monitorId === monitorId);
      expect({
        timed: [...timed.slice(3 * row, 3 * row + 3)],
        sumUs: [...sumUs.slice(3 * row, 3 * row + 3)],
        minUs: minUs[row],
        maxUs: maxUs[row],
      }).toEqual({
        timed: points.map((point) => point.timed),
        sumUs: points.map((point) => point.sumUs),
        minUs: Math.min(...points.map((point) => point.minUs as number)),
        maxUs: Math.max(...points.map((point) => point.maxUs as number)),
      });
    }
    // Two locations add up; the failed check of one does not count.
    expect([...timed.slice(0, 3)]).toEqual([2, 1, 2]);
  });

  it("begin with the bucket of the start, end before the end, and are empty where nothing passed", async () => {
    const db = await open([1]);
    const read = (from: number, to: number) =>
      readLatencies(db, { monitorIds: [2, 1], from, to, periodSeconds: 3600 });
    const late = await read(MIDNIGHT + 1, MIDNIGHT + HOUR + 1);
    expect(late.bucketsAt).toEqual([MIDNIGHT, MIDNIGHT + HOUR]);
    expect([...late.timed]).toEqual([0, 0, 2, 1]);
    expect((await read(MIDNIGHT, MIDNIGHT + HOUR)).bucketsAt).toEqual([MIDNIGHT]);
    const before = await read(MIDNIGHT - HOUR, MIDNIGHT);
    expect([...before.timed, ...before.sumUs, ...before.maxUs]).toEqual([0, 0, 0, 0, 0, 0]);
    const ofNone = await readLatencies(db, { monitorIds: [], from: 0, to: HOUR, periodSeconds: 300 });
    expect(ofNone).toMatchObject({ bucketsAt: [], timed: new Float64Array() });
  });

  it("come whole for more monitors than one query takes", async () => {
    const monitorIds = Array.from({ length: 6_000 }, (_, i) => i + 1);
    const db = await open(monitorIds);
    const { timed } = await readLatencies(db, {
      monitorIds,
      from: MIDNIGHT,
      to: MIDNIGHT + 3 * HOUR,
      periodSeconds: 3600,
    });
    expect(timed.filter((count) => count > 0).length).toBe(18_000);
  });
});

import { expect, it, onTestFinished } from "vitest";
import {
  insertResults,
  listResults,
  listResultsByLocation,
  resultId,
} from "../../../src/engine/queries/results.ts";
import { addToRollups } from "../../../src/engine/queries/rollups.ts";
import { aReason } from "../../harness/reasons.ts";
import { makeResult } from "../../harness/results.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const T0 = Date.UTC(2026, 10, 21, 9, 0);
const MINUTE_MS = 60_000;
const ALWAYS = { from: 0, to: 2 ** 52, limit: 10_000 };
const every = (count: number, more = {}) =>
  Array.from({ length: count }, (_, i) => makeResult({ scheduledAt: T0 + i * MINUTE_MS, ...more }));

eachEngine("raw results", (engine) => {
  async function open() {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    return store.db;
  }

  it("come back as they went in, failures and missing phases included", async () => {
    const db = await open();
    const failed = makeResult({
      scheduledAt: T0 + 1,
      outcome: 1,
      statusCode: null,
      dnsUs: null,
      connectUs: null,
      firstByteUs: null,
      totalUs: null,
      reason: aReason("refused", "The connection was refused — “no listener”."),
      maintenance: 1,
    });
    const passed = makeResult({ transferUs: 900 });
    await insertResults(db, [passed, failed]);
    expect(await listResults(db, { monitorId: 1, ...ALWAYS })).toEqual([failed, passed]);
  });

  it("known ones change nothing and are not returned as new, also when they come twice in one batch", async () => {
    const db = await open();
    const [a, b, c] = every(3) as [
      ReturnType<typeof makeResult>,
      ReturnType<typeof makeResult>,
      ReturnType<typeof makeResult>,
    ];
    expect(await insertResults(db, [c, a])).toEqual([a, c]);
    expect(await insertResults(db, [{ ...a, outcome: 1 }, b, { ...b, statusCode: 500 }, c])).toEqual([b]);
    expect(await listResults(db, { monitorId: 1, ...ALWAYS, order: "asc" })).toEqual([a, b, c]);
    expect(await insertResults(db, [a, b, c])).toEqual([]);
    expect(await insertResults(db, [])).toEqual([]);
  });

  it("are unique by monitor, location and time together", async () => {
    const db = await open();
    const batch = [
      makeResult(),
      makeResult({ monitorId: 2 }),
      makeResult({ locationId: 2 }),
      makeResult({ scheduledAt: 5 }),
    ];
    expect(await insertResults(db, batch)).toHaveLength(4);
  });

  it("are listed for one monitor from `from` to before `to`, either way round, up to the limit", async () => {
    const db = await open();
    await insertResults(db, [...every(10), ...every(10, { monitorId: 2 })]);
    const range = { monitorId: 1, from: T0 + 2 * MINUTE_MS, to: T0 + 8 * MINUTE_MS };
    const minutes = (results: { scheduledAt: number }[]) =>
      results.map((r) => (r.scheduledAt - T0) / MINUTE_MS);
    expect(minutes(await listResults(db, { ...range, limit: 100 }))).toEqual([7, 6, 5, 4, 3, 2]);
    expect(minutes(await listResults(db, { ...range, limit: 3 }))).toEqual([7, 6, 5]);
    expect(minutes(await listResults(db, { ...range, limit: 3, order: "asc" }))).toEqual([2, 3, 4]);
  });

  it("are listed location by location, the newest few of each", async () => {
    const db = await open();
    const batch = [...every(5), ...every(2, { locationId: 7 }), ...every(5, { monitorId: 2, locationId: 3 })];
    await insertResults(db, batch);
    await addToRollups(db, batch);
    const list = await listResultsByLocation(db, {
      monitorId: 1,
      from: T0,
      to: T0 + 4 * MINUTE_MS,
      limitPerLocation: 3,
    });
    expect(list.map((r) => [r.locationId, (r.scheduledAt - T0) / MINUTE_MS])).toEqual([
      [1, 3],
      [1, 2],
      [1, 1],
      [7, 1],
      [7, 0],
    ]);
    const one = await listResults(db, { monitorId: 1, locationId: 7, ...ALWAYS });
    expect(one.map((r) => r.locationId)).toEqual([7, 7]);
  });
});

it("a result's number is unique within its monitor and a safe integer in the year 2200", () => {
  const far = Date.UTC(2200, 0, 1);
  expect(Number.isSafeInteger(resultId({ scheduledAt: far, locationId: 999 }))).toBe(true);
  expect(resultId({ scheduledAt: far, locationId: 2 })).not.toBe(
    resultId({ scheduledAt: far, locationId: 1 }),
  );
});

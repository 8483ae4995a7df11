import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { RESOLUTIONS } from "../../../../src/engine/results/precision.ts";
import type { MeasuredReport } from "../../../../src/monitors/devices/store-reports.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachEngine } from "../../../harness/stores.ts";
import {
  countRows,
  DAY_MS,
  expected,
  HOUR_MS,
  MINUTE_MS,
  metricsAt,
  NOW,
  openForMetrics,
  readAll,
  report,
  reportsOf,
} from "./metrics-setup.ts";

const T0 = NOW - 6.5 * HOUR_MS;

/** Every resolution has what follows from the reports, and nothing twice. */
async function expectAll(store: Store, reports: readonly MeasuredReport[]): Promise<void> {
  for (const resolution of RESOLUTIONS) {
    expect(await readAll(store, resolution), resolution).toEqual(expected(reports, resolution));
  }
}

eachEngine("what devices measure", (engine) => {
  const open = (devices?: number) => openForMetrics(engine, devices);

  it("is read the same before it is packed, when part of it is, and when all of it is", async () => {
    const { store, pack, keep } = await open();
    const all = reportsOf(T0, NOW);
    await keep(all);
    await expectAll(store, all);
    expect(await pack(NOW - 2 * HOUR_MS)).toMatchObject({ hours: 4, reports: 48, finished: true });
    await expectAll(store, all);
    expect(await pack()).toMatchObject({ hours: 2, reports: 24 });
    expect(await countRows(store, "device_reports")).toBe(6);
    // 6 hours as reported and by the minute, one day by the quarter and the hour.
    expect(await countRows(store, "device_packs")).toBe(6 + 6 + 1 + 1);
    await expectAll(store, all);
    expect(await pack()).toMatchObject({ hours: 0 });
  });

  it("is packed once the hour has been over for two minutes", async () => {
    const { pack, keep } = await open();
    await keep([report(NOW)]);
    const hourEnds = NOW + HOUR_MS / 2;
    expect(await pack(hourEnds + 119_000)).toMatchObject({ reports: 0 });
    expect(await pack(hourEnds + 120_000)).toMatchObject({ reports: 1 });
  });

  it("is the same from any time to any other", async () => {
    const { store, pack, keep } = await open();
    const all = reportsOf(NOW - 2 * DAY_MS, NOW, 17 * MINUTE_MS);
    await keep(all);
    await pack(NOW - HOUR_MS);
    const at = fc.integer({ min: -1, max: 2 * 48 }).map((n) => NOW - 2 * DAY_MS + n * (HOUR_MS / 2));
    const moment = fc.tuple(at, fc.constantFrom(-1, 0, 1)).map(([time, more]) => time + more);
    await fc.assert(
      fc.asyncProperty(moment, moment, fc.constantFrom(...RESOLUTIONS), async (from, to, resolution) => {
        const range = { from, to };
        expect(await readAll(store, resolution, range)).toEqual(expected(all, resolution, range));
      }),
      { numRuns: 40 },
    );
  });

  it("is stored once for a device and a time, packed or not", async () => {
    const { store, pack, keep } = await open();
    const all = reportsOf(T0, T0 + HOUR_MS);
    const again = all.map((one) => ({ ...one, metrics: { "cpu.usage": 1 } }));
    await keep(all);
    await keep(again);
    await expectAll(store, all);
    await pack();
    await keep(again);
    await expectAll(store, all);
    await pack();
    await expectAll(store, all);
    expect(await countRows(store, "device_reports")).toBe(0);
  });

  it("opens its hour again when it comes late, up to a day and more", async () => {
    const { store, pack, keep } = await open();
    const from = NOW - 26 * HOUR_MS;
    const all = reportsOf(from, NOW);
    const isLate = ({ at }: MeasuredReport) => at % (10 * MINUTE_MS) === 0 && at > NOW - 25 * HOUR_MS;
    const [late, onTime] = [all.filter(isLate), all.filter((one) => !isLate(one))];
    await keep(onTime);
    await pack();
    await keep(late);
    await expectAll(store, all);
    await pack();
    await expectAll(store, all);
  });

  it("of one device is no other's", async () => {
    const { store, pack, keep } = await open();
    const [first, second] = [reportsOf(T0, NOW), reportsOf(T0, NOW, 7 * MINUTE_MS, 2)];
    await keep([...first, ...second]);
    await pack();
    await expectAll(store, first);
    expect(await readAll(store, "1m", { deviceId: 2 })).toEqual(expected(second, "1m"));
  });

  it("is neither lost nor doubled when the server is killed at any of its steps", async () => {
    const { store, pack, keep } = await open();
    const all = reportsOf(T0, NOW, 10 * MINUTE_MS);
    await keep(all);
    expect(await killedAt(store, 1, pack)).toBe(6);
    expect(await countRows(store, "device_packs")).toBe(0);
    // Five an hour.
    for (let step = 1; step < 12; step += 1) {
      await killedAt(store, step, pack);
      await expectAll(store, all);
    }
    await pack(NOW + 2 * HOUR_MS);
    expect(await countRows(store, "device_reports")).toBe(0);
    await expectAll(store, all);
  });

  it("is packed by two servers at once, one of which takes the other for dead", async () => {
    const { store, pack, keep, log } = await open();
    const all = reportsOf(T0, NOW, MINUTE_MS);
    await keep(all);
    await Promise.all([pack(), pack(NOW + 2 * HOUR_MS), pack(NOW + 4 * HOUR_MS)]);
    await expectAll(store, all);
    expect(log.lines).toEqual([]);
    await pack(NOW + 8 * HOUR_MS);
    expect(await countRows(store, "device_reports")).toBe(0);
    await expectAll(store, all);
  });

  it.each([
    ["the first of the day", []],
    ["one of many", [report(T0 - HOUR_MS)]],
  ])(
    "of an hour, %s, gives way to what another server has packed of that day meanwhile",
    async (_, before) => {
      const { store, pack, keep } = await open();
      const [late, hour] = [[report(T0 + MINUTE_MS)], reportsOf(T0 + HOUR_MS, T0 + 2 * HOUR_MS)];
      const all = [...before, ...late, ...hour];
      await keep(before);
      await pack();
      await keep(hour);
      const stop = new AbortController();
      const stopped: Store = {
        ...store,
        transaction: (work) => store.transaction(work).finally(() => stop.abort()),
      };
      let isOvertaken = false;
      const overtaken: Store = {
        ...store,
        async transaction(work) {
          if (!isOvertaken) {
            isOvertaken = true;
            await keep(late);
            await pack(NOW + 2 * HOUR_MS, stop.signal, stopped);
          }
          return store.transaction(work);
        },
      };
      expect(await pack(NOW, undefined, overtaken)).toMatchObject({ hours: 0 });
      await expectAll(store, all);
      await pack(NOW + 4 * HOUR_MS);
      await expectAll(store, all);
      expect(await countRows(store, "device_reports")).toBe(0);
    },
  );

  it("is packed to its end by the next run after a stop", async () => {
    const { store, pack, keep } = await open();
    await keep(reportsOf(T0, NOW));
    expect(await pack(NOW, AbortSignal.abort())).toMatchObject({ hours: 0, finished: false });
    expect(await pack()).toMatchObject({ finished: true });
    expect(await countRows(store, "device_reports")).toBe(6);
  });

  it("may come in while it is packed", async () => {
    const { store, pack, keep } = await open();
    const all = reportsOf(T0, NOW, MINUTE_MS);
    const [early, late] = [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)];
    await keep(early);
    let isOver = false;
    const packing = pack().finally(() => {
      isOver = true;
    });
    for (const one of late) {
      await keep([one]);
      if (!isOver) await setImmediate();
    }
    await packing;
    await expectAll(store, all);
    await pack(NOW + HOUR_MS);
    await expectAll(store, all);
  });

  it("is all there at any moment while it is packed", async () => {
    const { store, pack, keep } = await open();
    const all = reportsOf(T0, NOW, 10 * MINUTE_MS);
    await keep(all);
    let isOver = false;
    const packing = pack().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      for (const resolution of ["raw", "1h"] as const) {
        expect(await readAll(store, resolution), resolution).toEqual(expected(all, resolution));
      }
    }
    expect(await packing).toMatchObject({ hours: 6 });
  });

  it("of more reports than are read at once makes one pack an hour", async () => {
    const { store, pack, keep } = await open();
    const all = reportsOf(T0, T0 + HOUR_MS, 1_000);
    await keep(all);
    expect(await pack()).toMatchObject({ reports: 3_600, hours: 2 });
    expect(await readAll(store, "raw")).toHaveLength(expected(all, "raw").length);
    expect(await readAll(store, "1h")).toEqual(expected(all, "1h"));
  });

  it("stays in rows where a pack of its hour cannot be read, and the log says so", async () => {
    const { store, pack, keep, log } = await open();
    await keep([report(T0), report(T0 + HOUR_MS)]);
    await pack();
    await store.db
      .updateTable("device_packs")
      .set({ series: Uint8Array.from([1, 2, 3]) })
      .where("resolution", "=", 0)
      .where("begins_at", "=", T0)
      .execute();
    await keep([report(T0 + 1), report(T0 + HOUR_MS + 1)]);
    expect(await pack()).toMatchObject({ reports: 1, finished: true });
    expect(log.lines).toEqual(["error: Metrics could not be packed; they stay as they are"]);
    expect(await countRows(store, "device_reports")).toBe(1);
    const times = (await readAll(store, "raw")).map(([at]) => at);
    expect([...new Set(times)]).toEqual([T0 + 1, T0 + HOUR_MS, T0 + HOUR_MS + 1]);
  });

  it("of a device that is deleted is not packed", async () => {
    const { store, pack, keep } = await open();
    await keep([report(T0), report(T0, metricsAt(T0), 2)]);
    await store.db.updateTable("monitors").set({ deleted_at: NOW }).where("id", "=", 1).execute();
    expect(await pack()).toMatchObject({ reports: 1 });
  });
});

/** Runs packing on a store whose process ends at the given statement that writes: neither it nor anything after it happens. */
async function killedAt(
  store: Store,
  step: number,
  pack: (now: number, signal: undefined, on: Store) => Promise<unknown>,
): Promise<number> {
  let steps = 0;
  const killed = new Error("killed");
  const mortal: Store = {
    ...store,
    transaction: (work) =>
      store.transaction(async (trx) => {
        const counted = new Proxy(trx, {
          get(target, name, self) {
            const isStep = name === "insertInto" || name === "updateTable" || name === "deleteFrom";
            if (isStep) steps += 1;
            if (isStep && steps >= step) throw killed;
            return Reflect.get(target, name, self) as unknown;
          },
        });
        return work(counted);
      }),
  };
  await pack(NOW, undefined, mortal);
  return steps;
}

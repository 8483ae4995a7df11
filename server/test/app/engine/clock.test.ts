import { expect, it } from "vitest";
import { CORRECTIONS } from "../../../src/app/engine.ts";
import { ingestBatch, markPaused } from "../../../src/app/pipeline.ts";
import { watchClock } from "../../../src/engine/results/clock-watch.ts";
import { runRetention } from "../../../src/engine/results/retention.ts";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { failed, probed } from "../pipeline/setup.ts";
import { installation } from "./setup.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A watch on clocks of the test's own; its first look is made. */
async function watched(name: Parameters<typeof installation>[0]) {
  const house = await installation(name);
  const machine = { upMs: 0 };
  const warnings = () => house.log.lines.filter((line) => line.includes("more than a day away")).length;
  const start = async () => {
    const watch = watchClock(house.ctx, CORRECTIONS, () => machine.upMs);
    await watch.look();
    return watch;
  };
  /** Time goes by on both clocks. */
  const pass = (ms: number) => {
    machine.upMs += ms;
    house.clock.aheadMs += ms;
  };
  return { house, machine, warnings, start, pass, watch: await start() };
}

eachEngine("a clock that is set", (name) => {
  // PostgreSQL's own clock is read as well there, and the test cannot set that one.
  const alone = name === "sqlite" ? it : () => {};
  const beside = name === "postgres" ? it : () => {};

  it("more than a day ahead holds history back and says so once; corrected, it is trusted again", async () => {
    const { house, machine, warnings, watch } = await watched(name);
    expect(watch.isSkewSuspected).toBe(false);
    house.clock.aheadMs += 30 * DAY;
    await watch.look();
    machine.upMs += 2 * MINUTE;
    await watch.look();
    expect([watch.isSkewSuspected, warnings()]).toEqual([true, 1]);
    house.clock.aheadMs -= 30 * DAY;
    await watch.look();
    expect([watch.isSkewSuspected, warnings()]).toEqual([false, 1]);
  });

  it("is trusted where the machine slept for as long, but for where the database knows better", async () => {
    const { pass, watch } = await watched(name);
    pass(20 * DAY);
    await watch.look();
    expect(watch.isSkewSuspected).toBe(name === "postgres");
  });

  beside("minutes away from the database's is said once, until both are in step again", async () => {
    const { house, machine, watch } = await watched(name);
    const lines = () => house.log.lines.filter((line) => line.includes("minutes apart")).length;
    const differ = async (ms: number) => {
      house.clock.aheadMs += ms;
      machine.upMs += MINUTE;
      await watch.look();
      return lines();
    };
    expect([await differ(0), await differ(5 * MINUTE), await differ(0)]).toEqual([0, 1, 1]);
    expect([await differ(-5 * MINUTE), await differ(-5 * MINUTE)]).toEqual([1, 2]);
    expect(watch.isSkewSuspected).toBe(false);
  });

  alone("is trusted an hour after a start that follows weeks without a server", async () => {
    const { house, machine, start, pass } = await watched(name);
    house.clock.aheadMs += 20 * DAY;
    machine.upMs = 0;
    const next = await start();
    expect(next.isSkewSuspected).toBe(true);
    pass(59 * MINUTE);
    await next.look();
    expect(next.isSkewSuspected).toBe(true);
    pass(2 * MINUTE);
    await next.look();
    expect(next.isSkewSuspected).toBe(false);
    house.clock.aheadMs += 3 * DAY;
    await next.look();
    expect(next.isSkewSuspected).toBe(true);
  });

  alone("far ahead in a running server is trusted once it has been there for an hour", async () => {
    const { house, watch, pass } = await watched(name);
    const looks = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        pass(MINUTE);
        await watch.look();
      }
      return watch.isSkewSuspected;
    };
    expect(await looks(90)).toBe(false);
    house.clock.aheadMs += 25 * HOUR;
    await watch.look();
    expect(await looks(50)).toBe(true);
    house.clock.aheadMs += 3 * HOUR;
    await watch.look();
    expect(await looks(50)).toBe(true);
    expect(await looks(20)).toBe(false);
    house.clock.aheadMs += 25 * HOUR;
    expect(await looks(50)).toBe(true);
  });

  alone("from the year that the machine was made in to today is trusted", async () => {
    const { house, start } = await watched(name);
    house.clock.aheadMs -= 30 * 365 * DAY;
    const next = await start();
    house.clock.aheadMs += 30 * 365 * DAY + HOUR;
    await next.look();
    expect(next.isSkewSuspected).toBe(false);
  });

  it("ahead removes nothing while the engine runs, and its health says why", async () => {
    const house = await installation(name);
    const runs: number[] = [];
    const retention = { firstMs: 20, everyMs: 20 };
    const engine = await house.start(
      {
        runRetention: async (ctx, options) => {
          runs.push(ctx.clock.now());
          return runRetention(ctx, options);
        },
      },
      { retention },
    );
    const id = await house.addMonitor({ url: "http://127.0.0.1:9/", locations: ["elsewhere"] });
    await ingestBatch(house.ctx, [probed(id, house.clock.now() - HOUR)]);
    await eventually(
      () => runs.length,
      (count) => count > 0,
    );
    expect(engine.health().isClockTrusted).toBe(true);
    house.clock.aheadMs += 400 * DAY;
    await eventually(engine.health, ({ isClockTrusted }) => !isClockTrusted);
    const before = runs.length;
    await new Promise(setImmediate);
    house.clock.aheadMs -= 400 * DAY;
    await eventually(engine.health, ({ isClockTrusted }) => isClockTrusted);
    await eventually(
      () => runs.length,
      (count) => count > before,
    );
    expect(Math.max(...runs)).toBeLessThan(Date.now() + DAY);
    expect(await house.results(id)).toHaveLength(1);
  });

  it("ahead removes no live events, and corrected those of an hour ago", async () => {
    const house = await installation(name);
    const event = (type: string, at: number) => ({ organization_id: 1, type, payload: "{}", at });
    const put = (type: string, at: number) =>
      house.store.db.insertInto("events").values(event(type, at)).execute();
    const types = async () =>
      (await house.store.db.selectFrom("events").select("type").orderBy("id").execute()).map(
        ({ type }) => type,
      );
    const engine = await house.start({}, { forgetEventsMs: 5 });
    await put("old", house.clock.now() - 2 * HOUR);
    await put("new", house.clock.now());
    await put("newest", house.clock.now());
    await eventually(types, (left) => !left.includes("old"));
    house.clock.aheadMs += 400 * DAY;
    await eventually(engine.health, ({ isClockTrusted }) => !isClockTrusted);
    await put("dated ahead", house.clock.now());
    expect(await types()).toEqual(["new", "newest", "dated ahead"]);
    house.clock.aheadMs -= 400 * DAY;
    await eventually(engine.health, ({ isClockTrusted }) => isClockTrusted);
    await put("old", house.clock.now() - 2 * HOUR);
    await put("last", house.clock.now());
    await eventually(types, (left) => !left.includes("old"));
    expect(await types()).toEqual(["new", "newest", "dated ahead", "last"]);
  }, 20_000);
});

eachEngine("a clock that was a day ahead and is corrected", (name) => {
  it("leaves no monitor in the future: paused, down or up, with history, incident and certificate", async () => {
    const { house, watch } = await watched(name);
    const { ctx, store, clock } = house;
    const ids = [];
    for (let n = 0; n < 3; n += 1)
      ids.push(await house.addMonitor({ url: "http://a.test/", intervalSeconds: 60 }));
    const [up = 0, down = 0, paused = 0] = ids;
    await ingestBatch(
      ctx,
      ids.map((id) => probed(id, clock.now())),
    );
    clock.aheadMs += DAY + HOUR;
    await watch.look();
    const wrong = clock.now();
    await ingestBatch(ctx, [
      probed(up, wrong),
      probed(paused, wrong),
      failed(down, wrong),
      failed(down, wrong + 1),
    ]);
    await store.transaction((trx) => markPaused(trx, [paused], clock.now()));
    clock.aheadMs -= DAY + HOUR;
    // One that arrived before the first look.
    await ingestBatch(ctx, [probed(up, clock.now())]);
    await watch.look();
    const now = clock.now() + 1;
    for (const state of await store.db.selectFrom("monitor_states").selectAll().execute()) {
      expect([state.status_since, state.last_check_at ?? 0].every((time) => time <= now)).toBe(true);
      expect(JSON.stringify(state.rules.match(/\d{13}/g)?.filter((time) => Number(time) > now))).toBe("[]");
    }
    const transitions = await store.db.selectFrom("transitions").selectAll().execute();
    expect(transitions.filter(({ at }) => at > now)).toEqual([]);
    const [incident] = await store.db.selectFrom("incidents").selectAll().execute();
    expect(incident?.started_at).toBeLessThanOrEqual(now);
    expect(await house.results(down)).toHaveLength(3);
    const at = clock.now() + MINUTE;
    clock.aheadMs += MINUTE + 2_001;
    const end = await ingestBatch(ctx, [probed(down, at), probed(down, at + 2_000)]);
    expect(end.rechecks.length).toBeGreaterThan(0);
    const [resolved] = await store.db.selectFrom("incidents").selectAll().execute();
    expect(resolved?.resolved_at).toBe(at);
  });

  it("counts checks at the very times that the wrong clock has used", async () => {
    const { house, watch } = await watched(name);
    const { ctx, store, clock } = house;
    const id = await house.addMonitor({ url: "http://a.test/", intervalSeconds: 60 });
    const tomorrow = clock.now() + DAY;
    clock.aheadMs += DAY;
    await watch.look();
    await ingestBatch(ctx, [probed(id, tomorrow), probed(id, tomorrow + MINUTE)]);
    clock.aheadMs -= DAY;
    await watch.look();
    clock.aheadMs += DAY + MINUTE;
    await ingestBatch(ctx, [failed(id, tomorrow)]);
    await ingestBatch(ctx, [failed(id, tomorrow + MINUTE)]);
    const state = await store.db.selectFrom("monitor_states").selectAll().executeTakeFirstOrThrow();
    expect(state).toMatchObject({ status: "down", last_check_at: tomorrow + MINUTE });
    expect(await house.results(id)).toHaveLength(2);
  });
});

import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { hang, slow, status } from "../../harness/behaviours.ts";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { type Installation, installation } from "./setup.ts";

async function target() {
  const started = await startHttpTarget();
  onTestFinished(() => started.close());
  return started;
}

const statusOf = async ({ store }: Installation, id: number) =>
  (
    await store.db
      .selectFrom("monitor_states")
      .select("status")
      .where("monitor_id", "=", id)
      .executeTakeFirstOrThrow()
  ).status;

const probeIds = async ({ store }: Installation) =>
  (await store.db.selectFrom("probes").select("id").execute()).map(({ id }) => id);

eachEngine("engine", (name) => {
  it("has a new monitor's true status in the store within three seconds of the change", async () => {
    const { url } = await target();
    const house = await installation(name);
    const engine = await house.start();
    await eventually(engine.health, ({ ticking }) => ticking);
    const id = await house.addMonitor({ url });
    engine.monitorChanged(id);
    await eventually(
      () => statusOf(house, id),
      (now) => now === "up",
      3_000,
    );
    const [result] = await house.results(id);
    expect(result).toMatchObject({ outcome: 0, status_code: 200, reason: null });
    expect(result?.total_us).toBeGreaterThan(0);
    const { code } = await house.store.db.selectFrom("locations").selectAll().executeTakeFirstOrThrow();
    expect(code).toBe("local");
  });

  it("confirms an outage by a recheck two seconds later, long before the next run of the grid", async () => {
    const failing = await target();
    failing.set(status(503));
    const house = await installation(name);
    const engine = await house.start();
    const id = await house.addMonitor({ url: failing.url });
    engine.monitorChanged(id);
    await eventually(
      () => statusOf(house, id),
      (now) => now === "down",
      5_000,
    );
    expect(failing.requests.length).toBeGreaterThanOrEqual(2);
    const results = await house.results(id);
    expect(results.map(({ outcome }) => outcome)).toEqual([1, 1]);
    const [first = 0, second = 0] = results.map(({ scheduled_at: at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(2_000);
  });

  it("takes a target that is away for less than two seconds for no outage", async () => {
    const restarting = await target();
    const house = await installation(name);
    restarting.set(status(503));
    const engine = await house.start();
    const id = await house.addMonitor({ url: restarting.url });
    engine.monitorChanged(id);
    await eventually(
      () => restarting.requests.length,
      (count) => count === 1,
    );
    restarting.set(status(200));
    await eventually(
      () => house.results(id),
      (rows) => rows.length === 2,
      5_000,
    );
    expect(await statusOf(house, id)).toBe("up");
  });

  it("checks a paused monitor no more", async () => {
    const { url, requests } = await target();
    const house = await installation(name);
    const engine = await house.start();
    const id = await house.addMonitor({ url });
    engine.monitorChanged(id);
    await eventually(
      () => house.results(id),
      (rows) => rows.length === 1,
    );
    await house.changeMonitor(id, { url, enabled: false });
    engine.monitorChanged(id);
    await eventually(engine.health, ({ monitors }) => monitors === 0);
    expect(requests).toHaveLength(1);
  });

  it("loses no result while the store refuses them, and reports how many wait", async () => {
    const { url } = await target();
    const house = await installation(name);
    const state = { isOpen: false };
    const engine = await house.start({
      ingestBatch: (ctx, results) =>
        state.isOpen ? ingestBatch(ctx, results) : Promise.reject(new Error("away")),
    });
    const ids = [];
    for (let index = 0; index < 5; index += 1) ids.push(await house.addMonitor({ url: `${url}?${index}` }));
    for (const id of ids) engine.monitorChanged(id);
    await eventually(engine.health, ({ queuedResults }) => queuedResults === 5);
    state.isOpen = true;
    for (const id of ids)
      await eventually(
        () => house.results(id),
        (rows) => rows.length === 1,
      );
    await eventually(engine.health, ({ queuedResults }) => queuedResults === 0);
  });

  it("lets the running check end when it stops, stores it, and removes its heartbeat", async () => {
    const slowTarget = await target();
    slowTarget.set(slow(800));
    const house = await installation(name);
    const engine = await house.start();
    const id = await house.addMonitor({ url: slowTarget.url });
    engine.monitorChanged(id);
    await eventually(
      () => slowTarget.requests.length,
      (count) => count === 1,
    );
    expect(await probeIds(house)).toHaveLength(1);
    await engine.stop();
    expect(await house.results(id)).toHaveLength(1);
    expect(await probeIds(house)).toEqual([]);
  });

  it("leaves no heartbeat behind when it cannot start", async () => {
    const house = await installation(name);
    await sql`alter table monitors rename to away`.execute(house.store.db);
    await expect(house.start()).rejects.toThrow(/monitors/);
    expect(await probeIds(house)).toEqual([]);
  });

  it("stops within eight seconds whatever hangs", async () => {
    const hanging = await target();
    hanging.set(hang);
    const house = await installation(name);
    const engine = await house.start({ ingestBatch: () => new Promise(() => {}) });
    const quick = await target();
    const stuck = await house.addMonitor({ url: hanging.url, timeoutSeconds: 60 });
    const done = await house.addMonitor({ url: quick.url });
    engine.monitorChanged(stuck);
    engine.monitorChanged(done);
    await eventually(
      () => hanging.requests.length + quick.requests.length,
      (count) => count === 2,
    );
    const startedMs = performance.now();
    await engine.stop();
    expect(performance.now() - startedMs).toBeLessThan(8_500);
  }, 20_000);

  it("sweeps for stale monitors every second, with the time it began to watch", async () => {
    const house = await installation(name);
    const since: (number | undefined)[] = [];
    const before = house.clock.now();
    await house.start({
      sweepStale: async (_ctx, options) => {
        since.push(options?.watchingSince);
        return 0;
      },
    });
    await eventually(
      () => since.length,
      (count) => count >= 2,
    );
    expect(since[0]).toBeGreaterThanOrEqual(before);
    expect(since[0]).toBeLessThanOrEqual(house.clock.now());
  });

  it("reports its true figures", async () => {
    const { url } = await target();
    const house = await installation(name);
    const engine = await house.start();
    const id = await house.addMonitor({ url });
    engine.monitorChanged(id);
    const health = await eventually(engine.health, ({ checksTotal }) => checksTotal === 1);
    expect(health).toMatchObject({ ticking: true, monitors: 1, skippedTotal: 0 });
    expect(health.lateness99Ms).toBeLessThan(5_000);
  });
});

import { expect, it, onTestFinished } from "vitest";
import type { Engine } from "../../../src/app/engine.ts";
import { followEvents } from "../../../src/app/engine.ts";
import { createLive } from "../../../src/app/live/hub.ts";
import { status } from "../../harness/behaviours.ts";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { type Installation, installation } from "./setup.ts";

const HERE = { code: "local", name: "Local" };
const FAR = { code: "far", name: "Far" };
const CRASHING = new URL("../../engine/probe/crashing-worker.ts", import.meta.url);

async function target() {
  const started = await startHttpTarget();
  onTestFinished(() => started.close());
  return started;
}

/** Results by location's code, oldest first. */
async function byLocation(house: Installation, id: number) {
  const locations = await house.store.db.selectFrom("locations").selectAll().execute();
  const codes = new Map(locations.map((location) => [location.id, location.code]));
  return (await house.results(id)).map((row) => ({ ...row, location: codes.get(row.location_id) }));
}

const stateOf = async ({ store }: Installation, id: number) =>
  store.db.selectFrom("monitor_states").selectAll().where("monitor_id", "=", id).executeTakeFirstOrThrow();

/** A daily monitor that is up at both locations. */
async function upAtBoth(house: Installation, engines: Engine[], url: string): Promise<number> {
  const id = await house.addMonitor({ url });
  for (const engine of engines) engine.monitorChanged(id);
  await eventually(
    () => house.results(id),
    (rows) => rows.length === 2,
  );
  return id;
}

/** It fails from now on, and one location finds out. */
async function expectBothConfirm(house: Installation, id: number, finder: Engine): Promise<void> {
  finder.recheck({ monitorId: id, location: "local" });
  await eventually(
    () => stateOf(house, id),
    (state) => state.status === "down",
    10_000,
  );
  const failures = (await byLocation(house, id)).filter(({ outcome }) => outcome === 1);
  expect(failures.map(({ location }) => location).toSorted()).toEqual(["far", "far", "local", "local"]);
  for (const code of ["local", "far"]) {
    const [first = 0, second = 0] = failures
      .filter(({ location }) => location === code)
      .map((row) => row.scheduled_at);
    expect(second - first).toBeGreaterThanOrEqual(2_000);
  }
}

eachEngine("a recheck at another location", (name) => {
  it("is made by that location's probe in the same process", async () => {
    const site = await target();
    const house = await installation(name);
    const engine = await house.start({}, { locations: [HERE, FAR] });
    const id = await upAtBoth(house, [engine], site.url);
    expect((await byLocation(house, id)).map(({ location }) => location).toSorted()).toEqual([
      "far",
      "local",
    ]);
    site.set(status(503));
    await expectBothConfirm(house, id, engine);
    expect(engine.health()).toMatchObject({ monitors: 2 });
    expect(
      await house.store.db.selectFrom("events").selectAll().where("type", "=", "recheck").execute(),
    ).toEqual([]);
  }, 20_000);

  if (name === "sqlite") return;
  it("reaches a probe that another replica has, and no subscriber of the live stream", async () => {
    const site = await target();
    const near = await installation(name);
    const far = await installation(name, near.store);
    const received: string[] = [];
    const start = async (house: Installation, location: typeof HERE) => {
      const live = createLive({ ...house.ctx, store: near.store });
      onTestFinished(() => live.close());
      house.ctx.live = live;
      const engine = await house.start({}, { locations: [location] });
      followEvents(engine, live);
      const write = (text: string | Buffer) => void received.push(...String(text).split("\n"));
      const types = new Set(["status", "recheck"]);
      const reader = { family: "legacy", types, write, isFull: () => false, fail() {} } as const;
      live.subscribe({ ...reader, organizationId: near.organizationId }, null);
      return engine;
    };
    const engines = [await start(near, HERE), await start(far, FAR)];
    const id = await upAtBoth(near, engines, site.url);
    site.set(status(503));
    await expectBothConfirm(near, id, engines[0] as Engine);
    await eventually(
      () => received,
      (lines) => lines.includes("event: status"),
    );
    expect(received).not.toContain("event: recheck");
  }, 20_000);
});

eachEngine("a recheck requested of a worker", (name) => {
  it("is made though the worker dies before", async () => {
    const site = await target();
    const house = await installation(name);
    const engine = await house.start({}, { workerEntry: CRASHING });
    const id = await house.addMonitor({ url: site.url });
    engine.monitorChanged(id);
    await eventually(
      () => stateOf(house, id),
      (state) => state.status === "up",
    );
    site.set(status(503));
    engine.recheck({ monitorId: id, location: "local" });
    await eventually(
      () => house.results(id),
      (rows) => rows.length === 2,
    );
    const crashing = await house.addMonitor({ url: site.url, type: "crash" });
    engine.monitorChanged(crashing);
    await eventually(
      () => house.log.lines.some((line) => line.includes("A worker of the probe died")),
      Boolean,
    );
    await eventually(
      () => stateOf(house, id),
      (state) => state.status === "down",
      10_000,
    );
    const [, first, second] = await house.results(id);
    expect((second?.scheduled_at ?? 0) - (first?.scheduled_at ?? 0)).toBeGreaterThanOrEqual(2_000);
  }, 20_000);
});

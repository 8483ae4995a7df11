import { expect, it, onTestFinished } from "vitest";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import type { ProbeResult } from "../../../src/engine/probe/link.ts";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { type Installation, installation } from "./setup.ts";

async function target() {
  const started = await startHttpTarget();
  onTestFinished(() => started.close());
  return started;
}

eachEngine("several engines on one store", (name) => {
  if (name === "sqlite") {
    it("are never assumed: what a killed process left behind takes no share", async () => {
      const house = await installation(name);
      const { url } = await target();
      const locationId = await localLocation(house);
      await house.store.db
        .insertInto("probes")
        .values({ id: "killed", location_id: locationId, started_at: 0, seen_at: house.clock.now() })
        .execute();
      for (let index = 0; index < 10; index += 1) await house.addMonitor({ url: `${url}?${index}` });
      const engine = await house.start();
      await eventually(engine.health, ({ monitors }) => monitors === 10);
    });
    return;
  }

  it("share the monitors, and the rest takes over when one leaves", async () => {
    const { url } = await target();
    const house = await installation(name);
    for (let index = 0; index < 20; index += 1) await house.addMonitor({ url: `${url}?${index}` });
    const first = await house.start();
    await eventually(first.health, ({ monitors }) => monitors === 20);
    const second = await (await installation(name, house.store)).start();
    await eventually(
      () => [first.health().monitors, second.health().monitors],
      ([a = 0, b = 0]) => a + b === 20 && a > 0 && b > 0,
    );
    await first.stop();
    await eventually(second.health, ({ monitors }) => monitors === 20);
  });

  it("take over the share of one that has been silent for fifteen seconds", async () => {
    const { url } = await target();
    const house = await installation(name);
    const locationId = await localLocation(house);
    for (let index = 0; index < 20; index += 1) await house.addMonitor({ url: `${url}?${index}` });
    await house.store.db
      .insertInto("probes")
      .values({ id: "killed", location_id: locationId, started_at: 0, seen_at: house.clock.now() })
      .execute();
    const engine = await house.start();
    const shared = await eventually(engine.health, ({ monitors }) => monitors > 0);
    expect(shared.monitors).toBeLessThan(20);
    house.clock.aheadMs = 15_001;
    await eventually(engine.health, ({ monitors }) => monitors === 20);
  });

  it("store no result twice when two of them check the same monitor for a moment", async () => {
    const { url } = await target();
    const house = await installation(name);
    const id = await house.addMonitor({ url, intervalSeconds: 1 });
    const offered: ProbeResult[] = [];
    const noting: Parameters<typeof house.start>[0] = {
      ingestBatch: (ctx, results) => {
        offered.push(...results);
        return ingestBatch(ctx, results);
      },
    };
    await house.start(noting);
    const twin = await installation(name, house.store);
    // The twin takes no server for alive but itself.
    twin.clock.aheadMs = 60_000;
    await twin.start(noting);
    const times = () => offered.map(({ scheduledAt }) => scheduledAt);
    await eventually(times, (list) => new Set(list).size < list.length);
    const rows = await house.results(id);
    expect(new Set(rows.map((row) => row.scheduled_at)).size).toBe(rows.length);
  });
});

async function localLocation({ store }: Installation): Promise<number> {
  const { id } = await store.db
    .insertInto("locations")
    .values({ code: "local", name: "Local", created_at: 0 })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

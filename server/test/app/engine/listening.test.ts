import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { installation } from "./setup.ts";

async function targetUrl(): Promise<string> {
  const started = await startHttpTarget();
  onTestFinished(() => started.close());
  return started.url;
}

eachEngine("the sweep of an engine", (name) => {
  it("does not take its own deafness for silence: after a break it begins to watch anew", async () => {
    const house = await installation(name);
    const sweeps: { since: number; graceMs: number }[] = [];
    let isAway = false;
    const engine = await house.start({
      sweepStale: async (_ctx, { watchingSince = 0, graceMs = 0 } = {}) => {
        if (isAway) throw new Error("away");
        sweeps.push({ since: watchingSince, graceMs });
        return 0;
      },
      ingestBatch: async () => {
        throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
      },
    });
    const nextSweep = async () => {
      const before = sweeps.length;
      await eventually(
        () => sweeps.length,
        (count) => count > before,
      );
      return sweeps.at(-1) as (typeof sweeps)[number];
    };
    const first = await nextSweep();
    expect((await nextSweep()).since).toBe(first.since);
    expect(first.graceMs).toBe(name === "postgres" ? 20_000 : 0);
    house.clock.aheadMs += 3_600_000;
    const wokeAt = house.clock.now();
    const slept = await nextSweep();
    expect(slept.since).toBeGreaterThanOrEqual(wokeAt);
    isAway = true;
    house.clock.aheadMs += 60_000;
    await eventually(
      () => house.log.lines.filter((line) => line.includes("sweep-stale-monitors failed")).length,
      (count) => count > 0,
    );
    isAway = false;
    const back = await nextSweep();
    expect(back.since).toBeGreaterThan(slept.since + 60_000);
    engine.monitorChanged(await house.addMonitor({ url: await targetUrl() }));
    await eventually(
      () => nextSweep().then(({ since }) => since),
      (since) => since > back.since,
    );
  });
});

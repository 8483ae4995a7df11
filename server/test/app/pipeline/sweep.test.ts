import { expect, it } from "vitest";
import { sweepStale } from "../../../src/app/pipeline.ts";
import { statusHistory, uptimeByMonitor } from "../../../src/engine/queries/transitions.ts";
import { eachEngine } from "../../harness/stores.ts";
import { failed, MINUTE, pipelineOn, probed, T0 } from "./setup.ts";

const FRESH_MS = 130_000;

eachEngine("monitors without results", (engine) => {
  it("become unknown when their newest vote runs out, reported once, with no incident", async () => {
    const on = await pipelineOn(engine);
    const [silent, checked] = [await on.addMonitor("silent"), await on.addMonitor("seen")];
    await on.ingest(probed(silent, T0), probed(checked, T0 + MINUTE));
    on.clock.ms = T0 + FRESH_MS - 1;
    expect(await on.sweep()).toBe(0);
    on.clock.ms += 1;
    expect(await on.sweep()).toBe(1);
    expect(await on.state(silent)).toMatchObject({ status: "unknown", stale_at: null });
    expect(await on.state(checked)).toMatchObject({ status: "up" });
    on.clock.ms += MINUTE / 2;
    expect(await on.sweep()).toBe(0);
    expect(await on.incidents()).toEqual([]);
    expect(await on.notifications()).toMatchObject([
      {
        event: "monitor.stopped",
        type: "warning",
        message: expect.stringContaining("Monitoring of silent stopped at 2026-11-21 09:02:10 UTC."),
      },
    ]);
  });

  it("get their time once more where this process has only just begun to listen", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    const started = T0 + 60 * MINUTE;
    on.clock.ms = started + FRESH_MS - 1;
    expect(await on.sweep(started)).toBe(0);
    on.clock.ms += 1;
    expect(await on.sweep(started)).toBe(1);
    expect(await on.state(id)).toMatchObject({ status: "unknown", status_since: T0 + FRESH_MS });
  });

  it("are left a while to the process that may be taking them over, and are unknown since they should have been", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    on.clock.ms = T0 + FRESH_MS + 19_999;
    expect(await on.sweep(0, 20_000)).toBe(0);
    on.clock.ms += 1;
    expect(await on.sweep(0, 20_000)).toBe(1);
    expect(await on.state(id)).toMatchObject({ status: "unknown", status_since: T0 + FRESH_MS });
  });

  // SQLite has one writer: there the second one waits its turn.
  const onPostgres = engine === "postgres" ? it : () => {};
  onPostgres("that another process is looking at are left to it, without waiting", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    on.clock.ms = T0 + FRESH_MS;
    const held = on.holdTransaction();
    const first = sweepStale(held.ctx);
    await held.reached;
    expect(await on.sweep()).toBe(0);
    held.release();
    expect(await first).toBe(1);
    expect(await on.notifications()).toHaveLength(1);
  });

  it("are swept in rounds until none is left", async () => {
    const on = await pipelineOn(engine);
    const ids: number[] = [];
    for (let i = 0; i < 520; i += 1) ids.push(await on.addMonitor());
    await on.ingest(...ids.map((id) => probed(id, T0)));
    on.clock.ms = T0 + FRESH_MS;
    expect(await on.sweep()).toBe(520);
  });

  it("are swept by several processes at once without doubling", async () => {
    const on = await pipelineOn(engine);
    const ids: number[] = [];
    for (let i = 0; i < 120; i += 1) ids.push(await on.addMonitor());
    await on.ingest(...ids.map((id) => probed(id, T0)));
    on.clock.ms = T0 + FRESH_MS;
    const swept = await Promise.all([on.sweep(), on.sweep(), on.sweep()]);
    expect(swept.reduce((sum, each) => sum + each)).toBe(120);
    expect(await on.notifications()).toHaveLength(120);
  });
});

eachEngine("a paused monitor", (engine) => {
  it("is unknown, its incident resolved with an update that says so, and nobody is notified that it is up", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor("shop");
    await on.ingest(failed(id, T0), failed(id, T0 + 1_000));
    const reported = (await on.notifications()).length;
    on.clock.ms = T0 + 2 * MINUTE;
    await on.pause(id);
    expect(await on.state(id)).toMatchObject({ status: "unknown", stale_at: null });
    expect(await on.incidents()).toMatchObject([{ status: "resolved", resolved_at: T0 + 2 * MINUTE }]);
    expect((await on.updates()).at(-1)?.message).toBe(
      "shop is no longer monitored, so this incident was closed after 2 minutes. Whether it works again is not known.",
    );
    expect(await on.notifications()).toHaveLength(reported);
    expect((await on.transitions()).at(-1)).toMatchObject({
      to_status: "unknown",
      reason: '{"code":"watch.paused"}',
    });
  });

  it("stays unknown when checks come in that were under way, until it is resumed", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    await on.pause(id);
    await on.ingest(probed(id, T0 + 1_000));
    expect(await on.state(id)).toMatchObject({ status: "unknown" });
    on.clock.ms = T0 + MINUTE;
    await on.resume(id);
    await on.ingest(probed(id, T0 + 2 * MINUTE));
    expect(await on.state(id)).toMatchObject({ status: "up" });
  });
});

eachEngine("the status history", (engine) => {
  it("begins with the status at the start of the range, and weighs uptime by time", async () => {
    const on = await pipelineOn(engine);
    const [id, quiet] = [await on.addMonitor(), await on.addMonitor()];
    await on.ingest(probed(id, T0));
    for (let n = 1; n <= 10; n += 1) await on.ingest((n < 5 ? probed : failed)(id, T0 + n * MINUTE));
    const [from, to] = [T0 + MINUTE, T0 + 9 * MINUTE];
    const history = await statusHistory(on.db, [id, quiet], from, to);
    expect(history.get(id)).toEqual([
      { at: from, status: "up", maintenance: false },
      { at: T0 + 5 * MINUTE, status: "down", maintenance: false },
    ]);
    expect(history.get(quiet)).toEqual([]);
    expect(await uptimeByMonitor(on.db, [id, quiet], from, to)).toEqual(
      new Map([
        [id, 50],
        [quiet, null],
      ]),
    );
  });

  it("includes a change at the very start of the range, and none at its end", async () => {
    const on = await pipelineOn(engine);
    const id = await on.addMonitor();
    await on.ingest(probed(id, T0));
    await on.ingest(failed(id, T0 + MINUTE), failed(id, T0 + 2 * MINUTE));
    const up = { at: T0, status: "up", maintenance: false };
    expect((await statusHistory(on.db, [id], T0, T0 + MINUTE)).get(id)).toEqual([up]);
    expect(await uptimeByMonitor(on.db, [id], T0, T0 + 2 * MINUTE)).toEqual(new Map([[id, 50]]));
  });

  it("of no monitors is empty", async () => {
    const on = await pipelineOn(engine);
    expect(await uptimeByMonitor(on.db, [], T0, T0 + 1)).toEqual(new Map());
  });
});

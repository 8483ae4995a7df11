import { expect, it, vi } from "vitest";
import { ingestBatch, markPaused } from "../../../src/app/pipeline.ts";
import { listAssignmentVersions } from "../../../src/engine/queries/assignments.ts";
import type { Break } from "../../../src/engine/status/late-signals.ts";
import { markResumed } from "../../../src/engine/status/monitor-states.ts";
import { missSignals } from "../../../src/monitors/miss-signals.ts";
import { installation } from "../../app/engine/setup.ts";
import { probed } from "../../app/pipeline/setup.ts";
import { eventually } from "../../harness/eventually.ts";
import { eachEngine } from "../../harness/stores.ts";
import { GRACE, INTERVAL, serverWithHeartbeat, T0, TOKEN } from "./heartbeat-setup.ts";

eachEngine("a heartbeat", (engine) => {
  it("is up with a signal, down when it is late, up with the next signal", async () => {
    const on = await serverWithHeartbeat(engine);
    on.clock.ms += 10 * INTERVAL;
    expect([await on.look(), await on.state()]).toEqual([0, "unknown"]);
    const answer = await on.signal();
    expect(await answer.json()).toEqual({
      success: true,
      message: "OK",
      data: { receivedAt: new Date(on.clock.ms).toISOString(), counted: true },
    });
    expect(await on.state()).toBe("up");
    on.clock.ms += INTERVAL + GRACE - 1;
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
    on.clock.ms += 1;
    expect([await on.look(), await on.state()]).toEqual([1, "down"]);
    expect([await on.look(), await on.state()]).toEqual([0, "down"]);
    on.clock.ms += 20_000;
    await on.signal("POST");
    expect(await on.state()).toBe("up");
    expect(await on.notifications()).toEqual(["monitor.down", "monitor.up"]);
  });

  it("that is late says since when, however often it is missed, unless it was resumed meanwhile", async () => {
    const on = await serverWithHeartbeat(engine);
    const reason = async () => (await on.server.api("GET", `/api/services/${on.id}`)).body.data.lastReason;
    await on.signal();
    for (const missed of [1, 2, 3]) {
      on.clock.ms = T0 + missed * INTERVAL + GRACE;
      await on.look();
      expect(await reason()).toBe(
        "No heartbeat since 2026-11-21 09:00:00 UTC: one is expected every 5 minutes, with 1 minute of grace.",
      );
    }
    for (const enabled of [false, true]) await on.server.api("PUT", `/api/services/${on.id}`, { enabled });
    on.clock.ms += INTERVAL + GRACE;
    await on.look();
    expect(await reason()).toBe(
      "No heartbeat came in time: one is expected every 5 minutes, with 1 minute of grace.",
    );
  });

  it("that is late says when the last one came, also after a change of the interval", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.signal();
    on.clock.ms += 60_000;
    await on.server.api("PUT", `/api/services/${on.id}`, { checkInterval: 120 });
    on.clock.ms += 120_000 + GRACE;
    expect(await on.look()).toBe(1);
    expect((await on.server.api("GET", `/api/services/${on.id}`)).body.data.lastReason).toMatch(
      /^No heartbeat since 2026-11-21 09:00:00 UTC: one is expected every 2 minutes/,
    );
  });

  it("stays down, and known to be, for as long as it is late", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.signal();
    for (let passed = 0; passed <= 6 * INTERVAL; passed += 30_000) {
      on.clock.ms = T0 + passed;
      await on.look();
    }
    expect(await on.state()).toBe("down");
    expect(await on.results()).toEqual([[0, 0], ...[1, 2, 3, 4, 5].map((n) => [n * INTERVAL + GRACE, 1])]);
    expect(await on.notifications()).toEqual(["monitor.down"]);
  });

  it("is missed once, however many processes look for it at the same time", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.signal();
    on.clock.ms += INTERVAL + GRACE + 5_000;
    const found: Parameters<Parameters<typeof missSignals>[2]>[] = [];
    const find = (...breaks: Break[]) => missSignals(on.ctx, breaks, async (...each) => found.push(each));
    expect([await find(), await find({ from: T0, to: T0 + 1_000 })]).toEqual([1, 1]);
    await Promise.all(
      found.map(([results, prepareResults]) => ingestBatch(on.ctx, results, undefined, prepareResults)),
    );
    expect(await on.results()).toEqual([
      [0, 0],
      [INTERVAL + GRACE, 1],
    ]);
    expect(await on.notifications()).toEqual(["monitor.down"]);
  });

  it("gets an interval more after a stop of the server, without being called unknown meanwhile", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.signal();
    const stop = { from: T0 + INTERVAL + 45_000, to: T0 + INTERVAL + 50_000 };
    for (on.clock.ms = stop.to; on.clock.ms < T0 + 2 * INTERVAL + GRACE + 10_000; on.clock.ms += 10_000) {
      expect([await on.look(stop), await on.state()]).toEqual([0, "up"]);
    }
    expect([await on.look(stop), await on.state()]).toEqual([1, "down"]);
    expect(await on.notifications()).toEqual(["monitor.down"]);
  });

  it("is not late while it is paused, and has its whole time from when it is resumed", async () => {
    const on = await serverWithHeartbeat(engine);
    const { db } = on.ctx.store;
    const setEnabled = (enabled: 0 | 1) =>
      db.updateTable("monitors").set({ enabled }).where("id", "=", on.id).execute();
    await on.signal();
    await on.ctx.store.transaction((trx) => markPaused(trx, [on.id], T0));
    await setEnabled(0);
    on.clock.ms += 10 * INTERVAL;
    expect(await on.look()).toBe(0);
    expect(await (await on.signal()).json()).toMatchObject({ data: { counted: false } });
    await setEnabled(1);
    await on.ctx.store.transaction((trx) => markResumed(trx, [on.id], on.clock.ms));
    on.clock.ms += INTERVAL + GRACE - 1;
    expect([await on.look(), await on.state()]).toEqual([0, "unknown"]);
    on.clock.ms += 1;
    expect([await on.look(), await on.state()]).toEqual([1, "down"]);
  });

  it("is not missed when the signal came after the look for it", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.signal();
    on.clock.ms += INTERVAL + GRACE;
    await missSignals(on.ctx, [], async (results, prepareResults) => {
      on.clock.ms -= 1;
      await on.signal();
      on.clock.ms += 1;
      await ingestBatch(on.ctx, results, undefined, prepareResults);
    });
    expect([await on.state(), await on.results()]).toEqual([
      "up",
      [
        [0, 0],
        [INTERVAL + GRACE - 1, 0],
      ],
    ]);
  });

  it("is never given to a probe", async () => {
    const { ctx } = await serverWithHeartbeat(engine);
    const { db } = ctx.store;
    expect(await listAssignmentVersions(db, { location: "local", exceptTypes: ["heartbeat"] })).toEqual([]);
    expect(await listAssignmentVersions(db, { location: "local", exceptTypes: ["other"] })).toHaveLength(1);
  });
});

eachEngine("the address of a heartbeat", (engine) => {
  it("takes GET, HEAD and POST with any body, and lets no cache answer for it", async () => {
    const on = await serverWithHeartbeat(engine);
    const url = `${on.server.url}${on.address}/${TOKEN}`;
    const sent: RequestInit[] = [
      { method: "GET" },
      { method: "HEAD" },
      { method: "POST" },
      { method: "POST", body: "{ not json", headers: { "content-type": "application/json" } },
      { method: "POST", body: new URLSearchParams({ status: "done" }) },
      { method: "POST", body: new Uint8Array(600_000), headers: { "content-type": "image/png" } },
    ];
    for (const request of sent) {
      on.clock.ms += 1_000;
      const { status, headers } = await fetch(url, request);
      expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
    expect(await on.results()).toHaveLength(sent.length);
  });

  it("refuses everything but the whole token, and what is no heartbeat", async () => {
    const on = await serverWithHeartbeat(engine);
    const made = await on.server.api("POST", "/api/domains", { url: "http://127.0.0.1:1" });
    const paths = [
      `${on.address}/${TOKEN.slice(1)}`,
      `${on.address}/${TOKEN}x`,
      `/api/heartbeats/999999/${TOKEN}`,
      `/api/heartbeats/nonsense/${TOKEN}`,
      `/api/heartbeats/${made.body.data.id}/${TOKEN}`,
    ];
    for (const path of paths) {
      const answer = await on.signal("GET", path);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { success: false, message: "Resource not found.", fact: { code: "request.not_found" } },
      ]);
    }
    expect(await on.results()).toEqual([]);
  });

  it("answers 503 with Retry-After while heartbeats cannot be stored", async () => {
    const on = await serverWithHeartbeat(engine);
    on.store.isAway = true;
    const answer = await on.signal();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    on.store.isAway = false;
    expect((await on.signal()).status).toBe(200);
  });

  it("is limited by the caller's address", async () => {
    const on = await serverWithHeartbeat(engine, { rateLimits: true });
    const answer = await on.signal();
    expect([answer.status, answer.headers.get("ratelimit-limit")]).toEqual([200, "1200"]);
  });

  it("does not keep the token in the clear", async () => {
    const on = await serverWithHeartbeat(engine);
    const row = await on.ctx.store.db.selectFrom("monitors").selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(TOKEN);
  });
});

const away = () => Object.assign(new Error("away"), { code: "ECONNREFUSED" });

eachEngine("missed heartbeats", (engine) => {
  const MANY = 1_002;
  async function manyMissed() {
    const house = await installation(engine);
    const wish = { url: "", type: "heartbeat", intervalSeconds: 300, timeoutSeconds: 60 };
    const ids: number[] = [];
    for (let made = 0; made < MANY; made += 1) ids.push(await house.addMonitor(wish));
    const reported = { scheduledAt: house.clock.now(), address: null, statusCode: null, protocol: null };
    const beats = ids.map((id) => probed(id, reported.scheduledAt, reported));
    await ingestBatch(house.ctx, beats);
    return { ctx: house.ctx, clock: house.clock, ids };
  }

  it("are stored in batches, and looked for only when their grace is over", async () => {
    const { ctx, clock } = await manyMissed();
    const sizes: number[] = [];
    const look = () =>
      missSignals(ctx, [], async (results) => {
        sizes.push(results.length);
      });
    clock.aheadMs += INTERVAL + GRACE / 2;
    const select = vi.spyOn(ctx.store.db, "selectFrom");
    expect([await look(), select.mock.calls.length]).toEqual([0, 2]);
    clock.aheadMs += GRACE;
    expect([await look(), sizes]).toEqual([MANY, [500, 500, 2]]);
  });

  it("are stored but for those that cannot be, which it reports at the end", async () => {
    const { ctx, clock, ids } = await manyMissed();
    clock.aheadMs += INTERVAL + GRACE;
    const stored = new Set<number>();
    const missed = missSignals(ctx, [], async (results) => {
      if (results.some(({ monitorId }) => monitorId === ids[7])) throw new Error("This cannot be stored");
      for (const { monitorId } of results) stored.add(monitorId);
    });
    await expect(missed).rejects.toThrow("cannot");
    expect(ids.filter((id) => !stored.has(id))).toEqual([ids[7]]);
  });
});

eachEngine("an engine", (name) => {
  it("stores signals, and looks for those that are missing", async () => {
    const house = await installation(name);
    const id = await house.addMonitor({ url: "", type: "heartbeat", intervalSeconds: 1, timeoutSeconds: 1 });
    const engine = await house.start();
    engine.monitorChanged(id);
    const reported = { scheduledAt: Date.now(), address: null, statusCode: null, protocol: null };
    await engine.accept([probed(id, reported.scheduledAt, reported)]);
    const results = await eventually(
      () => house.results(id),
      (rows) => rows.length > 1,
    );
    expect(results.slice(0, 2)).toMatchObject([
      { scheduled_at: reported.scheduledAt, outcome: 0 },
      { scheduled_at: reported.scheduledAt + 2_000, outcome: 1 },
    ]);
    expect(engine.health().monitors).toBe(0);
  });

  it("takes no time from the others when it refuses what cannot be stored", async () => {
    const house = await installation(name);
    const since: number[] = [];
    const engine = await house.start({
      ingestBatch: () => Promise.reject(new Error("This cannot be stored")),
      sweepStale: async (_ctx, { watchingSince = 0 } = {}) => since.push(watchingSince),
    });
    const begunAt = house.clock.now();
    await expect(engine.accept([probed(1, begunAt)])).rejects.toThrow("cannot");
    await eventually(
      () => since.length,
      (count) => count > 1,
    );
    expect(since.at(-1)).toBeLessThanOrEqual(begunAt);
  });

  it("gives what it could not store its time anew", async () => {
    const house = await installation(name);
    const since: number[] = [];
    const engine = await house.start({
      ingestBatch: () => Promise.reject(away()),
      sweepStale: async (_ctx, { watchingSince = 0 } = {}) => since.push(watchingSince),
    });
    const begunAt = house.clock.now();
    await expect(engine.accept([probed(1, begunAt)])).rejects.toThrow("away");
    await eventually(
      () => since.at(-1),
      (at = 0) => at >= begunAt,
    );
  });
});

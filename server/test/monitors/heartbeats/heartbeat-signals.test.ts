import { expect, it } from "vitest";
import { ingestBatch, markPaused } from "../../../src/app/pipeline.ts";
import { markResumed } from "../../../src/engine/status/monitor-states.ts";
import { missSignals } from "../../../src/monitors/miss-signals.ts";
import { eachEngine } from "../../harness/stores.ts";
import { GRACE, INTERVAL, serverWithHeartbeat, T0, TOKEN } from "./heartbeat-setup.ts";

const HOUR = 3_600_000;
type On = Awaited<ReturnType<typeof serverWithHeartbeat>>;

const reason = async (on: On) => (await on.server.api("GET", `/api/services/${on.id}`)).body.data.lastReason;
const ranMs = async (on: On) => (await on.server.api("GET", `/api/services/${on.id}`)).body.data.responseTime;
const later = (on: On, ms: number) => void (on.clock.ms += ms);

eachEngine("a job", (engine) => {
  it("that fails is down at once, and up when it has run well again", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("");
    later(on, 1_000);
    expect([(await on.say("/fail")).status, await on.state(), await reason(on)]).toEqual([
      ...[200, "down", "The job reported that it failed."],
    ]);
    later(on, 1_000);
    await on.say("");
    expect([await on.state(), await on.notifications()]).toEqual(["up", ["monitor.down", "monitor.up"]]);
  });

  it.each([
    ["/0", 200, "up", null],
    ["/3", 200, "down", "The job ended with exit code 3."],
    ["/255", 200, "down", "The job ended with exit code 255."],
    ["/256", 404, "unknown", null],
    ["/-1", 404, "unknown", null],
    ["/1e1", 404, "unknown", null],
    ["/done", 404, "unknown", null],
    ["/start", 200, "unknown", null],
    ["/log", 200, "unknown", null],
  ])("that requests %s gets %i and is %s", async (path, status, state, said) => {
    const on = await serverWithHeartbeat(engine);
    const answer = await on.say(path);
    expect([answer.status, await on.state(), await reason(on)]).toEqual([status, state, said]);
  });

  it("has the time of its run measured, each run by its name", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/start?rid=a");
    later(on, 20_000);
    await on.say("/start?rid=b");
    later(on, 10_000);
    await on.say("?rid=a");
    expect(await ranMs(on)).toBe(30_000);
    later(on, 5_000);
    await on.say("/1?rid=b");
    expect([await ranMs(on), await on.state()]).toEqual([15_000, "down"]);
    later(on, 5_000);
    await on.say("?rid=b");
    expect([await ranMs(on), await on.state()]).toEqual([null, "up"]);
  });

  it.each([
    ["", "up"],
    ["/0", "up"],
    ["/fail", "down"],
  ])("ends the run that started last when %j comes without its name", async (end, state) => {
    const on = await serverWithHeartbeat(engine);
    await on.say("");
    await on.say("/start?rid=a");
    later(on, 1_000);
    await on.say("/start?rid=b");
    later(on, 2_000);
    await on.say(end);
    expect([await ranMs(on), await on.state()]).toEqual([2_000, state]);
    later(on, 1_000);
    await on.say("?rid=a");
    expect(await ranMs(on)).toBe(4_000);
    // Nothing is open, so nothing is late by its start.
    later(on, GRACE);
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
  });

  it("ends its run without a name by an end without one, whatever started after it", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/start");
    later(on, 1_000);
    await on.say("/start?rid=a");
    later(on, 2_000);
    await on.say("");
    expect(await ranMs(on)).toBe(3_000);
    later(on, 1_000);
    await on.say("?rid=b");
    expect(await ranMs(on)).toBeNull();
    later(on, 1_000);
    await on.say("?rid=a");
    expect(await ranMs(on)).toBe(4_000);
  });

  it("ends its run without a name by an end of a name that no run has", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("");
    await on.say("/start");
    await on.say("/start?rid=a");
    later(on, 2_000);
    await on.say("?rid=b");
    expect(await ranMs(on)).toBe(2_000);
    later(on, 1_000);
    await on.say("?rid=a");
    expect(await ranMs(on)).toBe(3_000);
    later(on, GRACE);
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
  });

  it("may be a script on any web page, which can read refusals, too", async () => {
    const on = await serverWithHeartbeat(engine);
    const url = `${on.server.url}/api/heartbeats/${on.id}/${TOKEN}`;
    const headers = { origin: "https://shop.example", "sec-fetch-site": "cross-site" };
    const allowed = async (address: string, method: string) => {
      const answer = await fetch(address, { method, headers });
      return [answer.status, answer.headers.get("access-control-allow-origin")];
    };
    expect(await allowed(url, "GET")).toEqual([200, "*"]);
    expect(await allowed(`${url}/start?rid=a`, "POST")).toEqual([200, "*"]);
    expect(await allowed(`${url}x`, "POST")).toEqual([404, "*"]);
    const preflight = await fetch(`${url}x/fail`, { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([
      ...[204, "GET, HEAD, POST"],
    ]);
  });

  it("is measured from its last start where it gives its runs no name", async () => {
    const on = await serverWithHeartbeat(engine, { maxRuntime: 90_000 });
    await on.say("/start");
    later(on, 20_000);
    await on.say("/start");
    later(on, 3 * HOUR);
    await on.say("");
    expect(await ranMs(on)).toBe(3 * HOUR);
  });

  it("that starts in time has its longest runtime instead of the grace, and is late after that", async () => {
    const on = await serverWithHeartbeat(engine, { maxRuntime: 600 });
    await on.say("");
    later(on, INTERVAL);
    await on.say("/start");
    later(on, 599_999);
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
    later(on, 1);
    expect([await on.look(), await on.state()]).toEqual([1, "down"]);
    expect(await reason(on)).toBe(
      "The run that started at 2026-11-21 09:05:00 UTC has not ended: it may take 10 minutes.",
    );
    expect([await on.look(), await on.notifications()]).toEqual([0, ["monitor.down"]]);
    later(on, 60_000);
    await on.say("");
    expect([await ranMs(on), await on.state()]).toEqual([660_000, "up"]);
  });

  it("that starts again and again without an end is missed once a run would have taken too long", async () => {
    const on = await serverWithHeartbeat(engine, { maxRuntime: (2 * INTERVAL) / 1000 });
    await on.say("");
    for (const started of [1, 2]) {
      later(on, INTERVAL);
      await on.say("/start");
      expect([started, await on.look(), await on.state()]).toEqual([started, 0, "up"]);
    }
    later(on, INTERVAL);
    await on.say("/start");
    later(on, GRACE - 1);
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
    later(on, 1);
    expect([await on.look(), await on.state()]).toEqual([1, "down"]);
    await on.say("");
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
  });

  it("that starts and never signals again is late after the grace, where nothing else is said", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/start");
    later(on, GRACE - 1);
    expect([await on.look(), await on.state()]).toEqual([0, "unknown"]);
    later(on, 1);
    expect([await on.look(), await on.state()]).toEqual([1, "down"]);
  });

  it("is not late by a start that another process had seen, when it has ended meanwhile", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/start");
    later(on, GRACE);
    await missSignals(on.ctx, [], async (results, prepareResults) => {
      on.clock.ms -= 1;
      await on.say("");
      on.clock.ms += 1;
      await ingestBatch(on.ctx, results, undefined, prepareResults);
    });
    expect([await on.state(), await on.results()]).toEqual(["up", [[GRACE - 1, 0]]]);
  });

  it("whose run was under way while no signal could arrive is not late by it", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/start");
    const away = { from: T0 + 10_000, to: T0 + 20_000 };
    later(on, HOUR);
    await on.look(away);
    expect([await on.state(), await on.results()]).toEqual(["unknown", []]);
    await on.say("");
    expect([await on.state(), await ranMs(on)]).toEqual(["up", HOUR]);
  });

  it("whose start was lost counts by its end", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/0");
    expect([await on.state(), await ranMs(on)]).toEqual(["up", null]);
  });

  it("that had started before it was paused is neither late nor measured after that", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("/start");
    later(on, 1_000);
    await on.ctx.store.transaction((trx) => markPaused(trx, [on.id], on.clock.ms));
    const setEnabled = (enabled: 0 | 1) =>
      on.ctx.store.db.updateTable("monitors").set({ enabled }).where("id", "=", on.id).execute();
    await setEnabled(0);
    expect(await (await on.say("/start?rid=b")).json()).toMatchObject({ data: { counted: false } });
    later(on, HOUR);
    await on.look();
    await setEnabled(1);
    await on.ctx.store.transaction((trx) => markResumed(trx, [on.id], on.clock.ms));
    await on.look();
    expect([await on.state(), await on.results()]).toEqual(["unknown", []]);
    await on.say("");
    expect([await on.state(), await ranMs(on)]).toEqual(["up", null]);
  });

  it("that only writes to its log is late all the same", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("");
    for (let reported = 0; reported < 6; reported += 1) {
      later(on, GRACE);
      await on.say("/log", "still there");
      await on.look();
    }
    expect(await on.state()).toBe("down");
  });

  it("is as it said last, in the order in which it said so, by whichever clock", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("");
    await on.say("/fail");
    expect(await on.state()).toBe("down");
    // Another server, whose clock is behind by some seconds.
    later(on, -5_000);
    await on.say("");
    expect(await on.state()).toBe("up");
    expect(await on.results()).toEqual([
      [0, 0],
      [1, 1],
      [2, 0],
    ]);
  });

  it("that signals twice is up once, and waited for from the second on", async () => {
    const on = await serverWithHeartbeat(engine);
    await on.say("");
    later(on, 60_000);
    await on.say("");
    later(on, INTERVAL + GRACE - 1);
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
    later(on, 1);
    expect([await on.look(), await on.notifications()]).toEqual([1, ["monitor.down"]]);
  });
});

eachEngine("a job that runs by a cron expression", (engine) => {
  const NIGHTLY = { cron: "0 3 * * *", timeZone: "Europe/Berlin" };

  it("is late when its run and the grace have passed, and says which run", async () => {
    const on = await serverWithHeartbeat(engine, NIGHTLY);
    await on.say("");
    // 03:00 in Berlin is 02:00 UTC.
    later(on, 17 * HOUR + GRACE - 1);
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
    later(on, 1);
    expect([await on.look(), await on.state()]).toEqual([1, "down"]);
    expect(await reason(on)).toBe(
      "No heartbeat for the run that was due at 2026-11-22 02:00:00 UTC, nor in the 1 minute of grace after it. The last one came at 2026-11-21 09:00:00 UTC.",
    );
    later(on, 24 * HOUR);
    expect([await on.look(), await on.look(), await on.notifications()]).toEqual([1, 0, ["monitor.down"]]);
  });

  it("stays up from one week to the next", async () => {
    const on = await serverWithHeartbeat(engine, { cron: "0 9 * * SAT" });
    for (let week = 0; week < 4; week += 1) {
      await on.say("");
      for (let day = 0; day < 7; day += 1) {
        later(on, 24 * HOUR);
        expect([await on.look(), await on.state()]).toEqual([0, "up"]);
      }
    }
    const transitions = await on.ctx.store.db.selectFrom("transitions").select("to_status").execute();
    expect(transitions.map((row) => row.to_status)).toEqual(["up"]);
  });

  it("is not late for a run that its new expression would have had before", async () => {
    const on = await serverWithHeartbeat(engine, NIGHTLY);
    await on.say("");
    later(on, 4 * HOUR);
    const protocolConfig = { cron: "0 12 * * *", grace: 60, token: TOKEN };
    const changed = await on.server.api("PUT", `/api/services/${on.id}`, { protocolConfig });
    expect(changed.status).toBe(200);
    expect([await on.look(), await on.state()]).toEqual([0, "up"]);
    later(on, 23 * HOUR + GRACE);
    expect([await on.look(), await on.state()]).toEqual([1, "down"]);
  });
});

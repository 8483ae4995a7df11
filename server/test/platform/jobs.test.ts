import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeLease } from "../../src/platform/database/installation.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { type Job, leaseOf, listRecordedRuns, startJobs } from "../../src/platform/jobs.ts";
import { eventually } from "../harness/eventually.ts";
import { type EngineName, eachEngine, openTestStore } from "../harness/stores.ts";

const NOW = Date.UTC(2026, 10, 22, 12);

function recordingLog() {
  const lines: string[] = [];
  const line = (_fields: object, message = "") => lines.push(message);
  return { lines, debug: line, info: line, warn: line, error: line };
}

/** Starts jobs as a server does; `store`: that of another one. */
async function start(
  jobs: readonly Job[],
  { engine = "sqlite" as EngineName, store = null as Store | null } = {},
) {
  const own = store ?? (await openTestStore(engine));
  const log = recordingLog();
  const clock = { ms: NOW, now: () => clock.ms };
  const started = startJobs({ store: own, clock, log } as never, jobs);
  onTestFinished(async () => {
    await started.stop();
    if (store === null) await own.close();
  });
  const runsOf = (name: string) => started.stats().find((one) => one.name === name)?.runs ?? 0;
  const untilRuns = (name: string, count: number) =>
    eventually(
      () => runsOf(name),
      (runs) => runs >= count,
    );
  return { ...started, store: own, log, clock, untilRuns };
}

const count = async () => {};

describe("a job", () => {
  it("belongs to no request, even if one wakes it", async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const run = async () => void seen.push(request.getStore());
    const { runSoon, untilRuns } = await start([{ name: "count", everyMs: 1, firstMs: 60_000, run }]);
    request.run("a request", () => runSoon("count"));
    await untilRuns("count", 3);
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  it("never runs twice at once, and stop waits for the run that is under way", async () => {
    let running = 0;
    let most = 0;
    const run = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 15));
      running -= 1;
    };
    const { untilRuns, stop } = await start([{ name: "slow", everyMs: 1, firstMs: 0, run }]);
    await untilRuns("slow", 3);
    await stop();
    expect(running).toBe(0);
    expect(most).toBe(1);
  });

  it("that fails is logged once, and once when it works again", async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs <= 5) throw new Error("no store");
    };
    const { untilRuns, log, stats } = await start([{ name: "fetch", everyMs: 1, firstMs: 0, run }]);
    await untilRuns("fetch", 8);
    expect(log.lines).toEqual(["Job fetch failed; it is tried again every 1 ms", "Job fetch works again"]);
    expect(stats()[0]).toMatchObject({ failures: 5, failure: null, startedAt: NOW });
  });

  it("that fails holds up no other", async () => {
    const fail = () => Promise.reject(new Error("no"));
    const { untilRuns } = await start([
      { name: "broken", everyMs: 1, firstMs: 0, run: fail },
      { name: "count", everyMs: 1, firstMs: 0, run: count },
    ]);
    await untilRuns("count", 3);
    await untilRuns("broken", 3);
  });
});

eachEngine("a leased job", (engine) => {
  it("runs on one server at a time, and on another when that one has died at it", async () => {
    const leased = { name: "pack", everyMs: 1, firstMs: 0, isLeased: true, run: count };
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    expect(await takeLease(store.db, leaseOf("pack"), NOW, NOW + 3_600_000)).toBe(true);
    const { untilRuns, clock, stats } = await start(
      [leased, { name: "other", everyMs: 1, firstMs: 0, run: count }],
      { store },
    );
    await untilRuns("other", 5);
    expect(stats()[0]).toMatchObject({ runs: 0, startedAt: null });
    clock.ms += 3_600_000;
    await untilRuns("pack", 2);
  });
});

eachEngine("a lease", (engine) => {
  it("is one server's of several that take it at the same time, and another's when it is over", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const taken = await Promise.all(
      // About as long as each other: one that is twice as long as the next would pass for a wrong clock's.
      [101, 102, 103, 104].map((ms) => takeLease(store.db, leaseOf("pack"), NOW, NOW + ms)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await takeLease(store.db, leaseOf("pack"), NOW + 50, NOW + 150)).toBe(false);
    expect(await takeLease(store.db, leaseOf("pack"), NOW + 104, NOW + 204)).toBe(true);
  });
});

eachEngine("the last run of each job", (engine) => {
  it("can be read by another process, with why it failed", async () => {
    const fail = () => Promise.reject(new Error("The disk is full."));
    const { untilRuns, store, stop } = await start(
      [
        { name: "broken", everyMs: 1, firstMs: 0, run: fail },
        { name: "count", everyMs: 2_000, firstMs: 0, run: count },
      ],
      { engine },
    );
    await untilRuns("broken", 1);
    await untilRuns("count", 1);
    await stop();
    expect(await listRecordedRuns(store.db)).toEqual([
      {
        name: "broken",
        everyMs: 1,
        startedAt: NOW,
        tookMs: expect.any(Number),
        failure: "The disk is full.",
      },
      { name: "count", everyMs: 2_000, startedAt: NOW, tookMs: expect.any(Number), failure: null },
    ]);
  });

  it("is written down about once a minute, and when it begins to fail or works again", async () => {
    let isBroken = false;
    const run = async () => {
      if (isBroken) throw new Error("no");
    };
    const { untilRuns, store, clock, stats } = await start([{ name: "count", everyMs: 1, firstMs: 0, run }], {
      engine,
    });
    const recorded = async () => (await listRecordedRuns(store.db))[0];
    const more = () => untilRuns("count", (stats()[0]?.runs ?? 0) + 3);
    await more();
    clock.ms += 20_000;
    await more();
    expect(await recorded()).toMatchObject({ startedAt: NOW, failure: null });
    isBroken = true;
    await more();
    expect(await recorded()).toMatchObject({ startedAt: NOW + 20_000, failure: "no" });
    isBroken = false;
    await more();
    expect(await recorded()).toMatchObject({ failure: null });
    clock.ms += 60_000;
    await more();
    expect(await recorded()).toMatchObject({ startedAt: NOW + 80_000 });
  });
});

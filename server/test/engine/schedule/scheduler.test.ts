import { describe, expect, it } from "vitest";
import { createTimeBase, nextRunMs, phaseMs } from "../../../src/engine/schedule/plan.ts";
import { Scheduler } from "../../../src/engine/schedule/scheduler.ts";

const START = 1_795_000_000_000;

interface Run {
  monitorId: number;
  scheduledMs: number;
  atMs: number;
}

/** A scheduler on clocks of the test's own. Checks end at once unless `hold` names the monitor. */
function driven() {
  const clock = { monotonicMs: 50, wallMs: START };
  const steps: number[] = [];
  const time = createTimeBase({
    monotonicMs: () => clock.monotonicMs,
    wallMs: () => clock.wallMs,
    onStep: (step) => steps.push(Math.round(step)),
  });
  const runs: Run[] = [];
  const held = new Set<number>();
  const ended: number[] = [];
  const scheduler = new Scheduler(time, (monitorId, scheduledMs) => {
    runs.push({ monitorId, scheduledMs, atMs: time.now() });
    if (!held.has(monitorId)) ended.push(monitorId);
  });
  const jump = (ms: number) => {
    clock.monotonicMs += ms;
    clock.wallMs += ms;
    time.synchronise();
    scheduler.advance();
    for (const id of ended.splice(0)) scheduler.finished(id);
  };
  const pass = (ms: number) => {
    const end = clock.monotonicMs + ms;
    while (clock.monotonicMs < end) jump(Math.min(10, end - clock.monotonicMs));
  };
  return { clock, steps, time, runs, held, scheduler, jump, pass };
}

describe("schedule", () => {
  it("has every monitor running within one interval of the start, no two hundredths alike full", () => {
    const { scheduler, runs, pass } = driven();
    for (let id = 1; id <= 1_000; id += 1) scheduler.set(id, 10_000);
    pass(10_010);
    expect(new Set(runs.map((run) => run.monitorId)).size).toBe(1_000);
    const perTenth = new Array<number>(100).fill(0);
    for (const { atMs } of runs) perTenth[Math.floor(((atMs - START) % 10_000) / 100)]! += 1;
    expect(Math.max(...perTenth)).toBeLessThanOrEqual(15);
  });

  it("keeps to t0 + n × interval", () => {
    const { scheduler, runs, pass } = driven();
    scheduler.set(5, 10_000);
    pass(100_000);
    const t0 = runs[0]!.scheduledMs;
    expect(t0 % 10_000).toBe(phaseMs(5, 10_000));
    expect(runs.map((run) => run.scheduledMs)).toEqual(runs.map((_, n) => t0 + n * 10_000));
    for (const run of runs) expect(run.atMs - run.scheduledMs).toBeLessThanOrEqual(20);
  });

  it("makes no more than one run each after a stall, counts the missed ones and is on the grid again", () => {
    const { scheduler, runs, pass, jump } = driven();
    for (let id = 1; id <= 300; id += 1) scheduler.set(id, 30_000);
    pass(30_000);
    const before = runs.length;
    jump(10 * 60_000);
    const burst = runs.length - before;
    expect(burst).toBeLessThanOrEqual(300 * (5 / 30) + 3);
    expect(scheduler.skipped + burst).toBe(300 * 20);
    pass(60_000);
    const after = runs.slice(before);
    expect(after.length - burst).toBe(600);
    for (const run of after) expect((run.scheduledMs - phaseMs(run.monitorId, 30_000)) % 30_000).toBe(0);
  });

  it("never lets a monitor overlap itself: the run is skipped and counted", () => {
    const { scheduler, runs, held, pass } = driven();
    held.add(1);
    scheduler.set(1, 10_000);
    pass(35_000);
    expect(runs).toHaveLength(1);
    expect(scheduler.skipped).toBeGreaterThanOrEqual(2);
    held.delete(1);
    scheduler.finished(1);
    pass(20_000);
    expect(runs).toHaveLength(3);
  });

  it("pauses, resumes and changes the interval while it runs", () => {
    const { scheduler, runs, pass } = driven();
    scheduler.set(1, 10_000);
    scheduler.set(2, 10_000);
    pass(20_000);
    scheduler.remove(1);
    scheduler.set(2, 1_000);
    runs.length = 0;
    pass(20_000);
    expect(runs.filter((run) => run.monitorId === 1)).toHaveLength(0);
    expect(runs).toHaveLength(20);
    scheduler.set(1, 10_000);
    pass(20_000);
    expect(runs.filter((run) => run.monitorId === 1)).toHaveLength(2);
    expect(scheduler.size).toBe(2);
    expect(scheduler.skipped).toBe(0);
  });

  it("keeps a recheck its distance from the end of the check before it, and makes it once", () => {
    const { scheduler, runs, held, pass } = driven();
    scheduler.set(1, 3_600_000);
    held.add(1);
    scheduler.runNow(1);
    pass(1_500);
    scheduler.finished(1);
    held.delete(1);
    pass(40);
    for (const delayMs of [30_000, 2_000, 5_000]) scheduler.runAfter(1, delayMs);
    pass(60_000);
    expect(runs.map(({ atMs }) => Math.round((atMs - START) / 100))).toEqual([0, 35]);
    scheduler.runAfter(1, 2_000);
    expect(runs).toHaveLength(3);
  });

  it("lets no run of the grid confirm within the distance what the last check said", () => {
    const { scheduler, runs, held, pass, time } = driven();
    scheduler.set(1, 10_000);
    pass(nextRunMs(1, 10_000, time.now()) - time.now() - 1_000);
    held.add(1);
    scheduler.runNow(1);
    scheduler.finished(1, 2_000);
    held.delete(1);
    const endedMs = time.now();
    pass(30_000);
    const [, confirming, next] = runs;
    expect(confirming!.atMs - endedMs).toBeGreaterThanOrEqual(2_000);
    expect(confirming!.atMs - endedMs).toBeLessThan(2_100);
    expect((next!.scheduledMs - phaseMs(1, 10_000)) % 10_000).toBe(0);
    expect(scheduler.skipped).toBe(0);
  });

  it("takes a run that comes before a recheck for it", () => {
    const { scheduler, runs, pass, time } = driven();
    scheduler.set(1, 60_000);
    const dueMs = nextRunMs(1, 60_000, time.now());
    pass(Math.max(10, dueMs - time.now() - 20_000));
    scheduler.runNow(1);
    scheduler.finished(1);
    scheduler.runAfter(1, 30_000);
    pass(50_000);
    expect(runs).toHaveLength(2);
    expect(runs[1]!.scheduledMs).toBe(dueMs);
  });

  it("gives no time before that of a run which another clock, a little ahead, has made", () => {
    const { scheduler, runs, time } = driven();
    const former = { newestMs: Math.floor(time.now()) + 3_000, makeUp: false };
    scheduler.set(1, 86_400_000, former);
    scheduler.runAfter(1, 0);
    expect(runs.map(({ scheduledMs }) => scheduledMs)).toEqual([former.newestMs + 1]);
    const wrong = { newestMs: time.now() + 2 * 86_400_000, makeUp: false };
    scheduler.set(2, 86_400_000, wrong);
    scheduler.runAfter(2, 0);
    expect(runs[1]!.scheduledMs).toBe(Math.floor(time.now()));
  });

  it("gives an extra run a time of its own, also twice in one millisecond", () => {
    const { scheduler, runs, pass } = driven();
    scheduler.set(1, 10_000);
    for (let extra = 0; extra < 3; extra += 1) {
      scheduler.runNow(1);
      scheduler.finished(1);
    }
    pass(30_000);
    const times = runs.map((run) => run.scheduledMs);
    expect(new Set(times).size).toBe(times.length);
    expect(times.slice(0, 3)).toEqual([START, START + 1, START + 2]);
    expect(times).toHaveLength(6);
  });

  it("uses no scheduled time twice when the wall clock is stepped back, and says so once", () => {
    const { scheduler, runs, pass, clock, steps } = driven();
    scheduler.set(1, 10_000);
    pass(50_000);
    clock.wallMs -= 3_600_000;
    pass(50_000);
    const times = runs.map((run) => run.scheduledMs);
    expect(times).toEqual(times.map((_, n) => times[0]! + n * 10_000));
    expect(times).toHaveLength(10);
    expect(steps).toEqual([-3_600_000]);
  });

  it("goes by a wall clock again that was a day ahead and is corrected, with a recheck that was due", () => {
    const { scheduler, runs, pass, clock, steps } = driven();
    const day = 86_400_000;
    scheduler.set(1, 10_000);
    scheduler.set(2, 3_600_000);
    pass(20_000);
    clock.wallMs += day;
    pass(20_000);
    clock.wallMs -= day;
    scheduler.runAfter(2, 2 * day);
    runs.length = 0;
    pass(30_000);
    expect(runs.filter(({ monitorId }) => monitorId === 1)).toHaveLength(3);
    expect(runs.some(({ monitorId }) => monitorId === 2)).toBe(true);
    for (const run of runs) {
      expect(Math.abs(run.scheduledMs - clock.wallMs)).toBeLessThan(31_000);
      expect(run.atMs - run.scheduledMs).toBeLessThanOrEqual(20);
    }
    expect(steps).toEqual([day, -day]);
  });

  it("follows a wall clock that is stepped forward, counting the runs in between", () => {
    const { scheduler, runs, pass, clock, steps } = driven();
    scheduler.set(1, 10_000);
    pass(20_000);
    clock.wallMs += 3_600_000;
    pass(20_000);
    expect(steps).toEqual([3_600_000]);
    expect(scheduler.skipped).toBeGreaterThanOrEqual(359);
    const last = runs.at(-1)!;
    expect(clock.wallMs - last.scheduledMs).toBeLessThan(10_020);
  });

  it("makes a daily check up after the machine slept through it", () => {
    const day = 86_400_000;
    const { scheduler, runs, pass, jump } = driven();
    scheduler.set(1, day);
    const due = scheduler.nextWakeMs()!;
    expect(due).toBeGreaterThan(START);
    jump(day - 1_000);
    pass(70_000);
    expect(runs).toHaveLength(1);
    expect(scheduler.skipped).toBe(0);
  });

  it("makes up, within a minute of the start and spread over it, what was missed before it", () => {
    const hour = 3_600_000;
    const { scheduler, runs, pass, time } = driven();
    const missed = (agoMs: number) => ({ newestMs: time.now() - agoMs, makeUp: true });
    for (let id = 1; id <= 200; id += 1) scheduler.set(id, hour, missed(2 * hour));
    for (let id = 201; id <= 400; id += 1) scheduler.set(id, hour, missed(1));
    for (let id = 401; id <= 500; id += 1) scheduler.set(id, 60_000, missed(hour));
    pass(59_000);
    const isOnGrid = ({ monitorId, scheduledMs }: Run) =>
      (scheduledMs - phaseMs(monitorId, monitorId > 400 ? 60_000 : hour)) %
        (monitorId > 400 ? 60_000 : hour) ===
      0;
    const made = runs.filter((run) => run.monitorId <= 200 && !isOnGrid(run));
    // All but those whose own time comes within that minute anyway.
    expect(made.length).toBeGreaterThan(190);
    expect(runs.filter((run) => run.monitorId > 200 && !isOnGrid(run))).toEqual([]);
    // The missed run's own time may be that of a result which said nothing, and is stored.
    expect(runs.filter(({ scheduledMs }) => scheduledMs < START)).toEqual([]);
    const perSecond = Map.groupBy(made, ({ atMs }) => Math.floor((atMs - START) / 1_000));
    expect(Math.max(...[...perSecond.values()].map((each) => each.length))).toBeLessThan(20);
    expect(scheduler.skipped).toBe(0);
  });
});

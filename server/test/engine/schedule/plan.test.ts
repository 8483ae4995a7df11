import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideDue, faultRetryMs, nextRunMs, phaseMs } from "../../../src/engine/schedule/plan.ts";

const NOW = 1_795_000_000_000;

describe("even spread", () => {
  const fill = (ids: number[], intervalMs: number, buckets: number) => {
    const counts = new Array<number>(buckets).fill(0);
    for (const id of ids) counts[Math.floor((phaseMs(id, intervalMs) / intervalMs) * buckets)]! += 1;
    return { min: Math.min(...counts), max: Math.max(...counts), mean: ids.length / buckets };
  };
  const sequence = (length: number, first: number, step: number) =>
    Array.from({ length }, (_, index) => first + index * step);

  it("puts 10,000 monitors of one interval within a few of the mean into every hundredth of it", () => {
    for (const first of [1, 5_000, 1_000_000]) {
      const { min, max, mean } = fill(sequence(10_000, first, 1), 60_000, 100);
      expect(max - mean).toBeLessThanOrEqual(4);
      expect(mean - min).toBeLessThanOrEqual(4);
    }
  });

  it("stays even for the part of the monitors that one of several workers has", () => {
    for (const workers of [2, 3, 4, 7, 8]) {
      const { max, mean } = fill(sequence(2_000, 1, workers), 30_000, 50);
      expect(max).toBeLessThanOrEqual(mean * 1.5);
    }
  });
});

describe("the grid", () => {
  const monitorId = fc.integer({ min: 1, max: 10_000_000 });
  const intervalMs = fc.integer({ min: 10, max: 86_400 }).map((seconds) => seconds * 1_000);
  const instant = fc.integer({ min: NOW - 1e11, max: NOW + 1e11 });

  it("has its next run after now and within one interval", () => {
    fc.assert(
      fc.property(monitorId, intervalMs, instant, (id, interval, at) => {
        const next = nextRunMs(id, interval, at);
        expect(next).toBeGreaterThan(at);
        expect(next - at).toBeLessThanOrEqual(interval);
        expect(Number.isInteger(next)).toBe(true);
      }),
    );
  });

  it("is the same wherever it is entered, so that a restart changes no time", () => {
    fc.assert(
      fc.property(monitorId, intervalMs, instant, fc.nat(1e9), (id, interval, at, later) => {
        const before = nextRunMs(id, interval, at);
        const after = nextRunMs(id, interval, at + later);
        expect((after - before) % interval).toBe(0);
      }),
    );
  });

  it("has not drifted after a million runs that were each a little late", () => {
    const first = nextRunMs(7, 10_000, NOW);
    let due = first;
    for (let run = 0; run < 1_000_000; run += 1) {
      const decision = decideDue(7, 10_000, due, due + (run % 37) + 0.4);
      if (decision.scheduledMs !== due || decision.skipped !== 0) throw new Error(`run ${run} was not made`);
      due = decision.nextMs;
    }
    expect(due).toBe(first + 1_000_000 * 10_000);
  });
});

describe("a due run", () => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const cases: [
    name: string,
    intervalMs: number,
    lateMs: number,
    runs: boolean,
    skipped: number,
    nextIn: number,
  ][] = [
    ["is made when it is on time", 30_000, 0, true, 0, 30_000],
    ["is made when it is a few seconds late", 30_000, 4_999, true, 0, 30_000],
    ["is skipped when the next one comes soon anyway", 30_000, 20_000, false, 1, 30_000],
    ["skips all that a long stall missed", 30_000, 95_000, true, 3, 120_000],
    ["skips all of a long stall, the last too when that is late", 30_000, 110_000, false, 4, 120_000],
    ["keeps to half an interval where that is short", 2_000, 1_001, false, 1, 2_000],
  ];
  it.each(cases)("%s", (_name, intervalMs, lateMs, runs, skipped, nextIn) => {
    const decision = decideDue(3, intervalMs, NOW, NOW + lateMs);
    expect(decision.scheduledMs !== null).toBe(runs);
    expect(decision.skipped).toBe(skipped);
    expect(decision.nextMs).toBe(NOW + nextIn);
  });

  it("of a daily check is made up within a minute of a stall, at its own scheduled time", () => {
    const decision = decideDue(3, 24 * HOUR, NOW, NOW + 2 * HOUR);
    expect(decision).toMatchObject({ scheduledMs: NOW, nextMs: NOW + 24 * HOUR, skipped: 0 });
    expect(decision.startMs).toBeGreaterThanOrEqual(NOW + 2 * HOUR);
    expect(decision.startMs).toBeLessThan(NOW + 2 * HOUR + MINUTE);
  });

  it("of daily checks that were all missed is not made by all of them at once", () => {
    const seconds = new Array<number>(60).fill(0);
    for (let id = 1; id <= 6_000; id += 1) {
      const { startMs } = decideDue(id, 24 * HOUR, NOW, NOW + 2 * HOUR);
      seconds[Math.floor((startMs - NOW - 2 * HOUR) / 1_000)]! += 1;
    }
    expect(Math.max(...seconds)).toBeLessThanOrEqual(110);
  });

  it("is one of at most one, counts every other, and leaves the next one on the grid and ahead", () => {
    const lateness = fc.integer({ min: 0, max: 10 * HOUR });
    const interval = fc.integer({ min: 1, max: 7_200 }).map((seconds) => seconds * 1_000);
    fc.assert(
      fc.property(fc.nat(1e6), interval, lateness, (id, intervalMs, lateMs) => {
        const due = nextRunMs(id, intervalMs, NOW);
        const { scheduledMs, startMs, nextMs, skipped } = decideDue(id, intervalMs, due, due + lateMs);
        expect((nextMs - due) / intervalMs).toBe(skipped + (scheduledMs === null ? 0 : 1));
        expect(nextMs).toBeGreaterThan(due + lateMs);
        if (scheduledMs !== null) expect(scheduledMs).toBe(nextMs - intervalMs);
        if (scheduledMs !== null) expect(startMs).toBeLessThan(nextMs);
      }),
    );
  });
});

describe("after checks that were the probe's own fault", () => {
  /** When monitor `id` is tried again while nothing else happens, from the first fault on. */
  const retries = (id: number, intervalMs: number) => {
    const times: number[] = [];
    for (let faults = 1, at = 0; ; faults += 1) {
      const wait = faultRetryMs(id, intervalMs, faults);
      if (wait === null) return times;
      times.push((at += wait));
    }
  };

  it("a daily monitor is tried again within a minute, and then about as long after as the problem lasts", () => {
    const day = 86_400_000;
    for (let id = 1; id <= 500; id += 1) {
      const times = retries(id, day);
      expect(times[0]).toBeLessThan(60_000);
      expect(times.length).toBeLessThanOrEqual(12);
      for (const [n, at] of times.entries()) expect(at).toBeLessThanOrEqual(3.5 * (times[n - 1] ?? 60_000));
    }
  });

  it("ten thousand monitors behind a cut line are at most twice the usual work, and never in one second", () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);
    for (const intervalMs of [10_000, 60_000, 300_000]) {
      for (const id of ids.slice(0, 200)) {
        const inFirstInterval = retries(id, intervalMs).filter((at) => at < intervalMs);
        expect(inFirstInterval.length).toBeLessThanOrEqual(intervalMs <= 60_000 ? 1 : 3);
      }
    }
    const seconds = new Map<number, number>();
    for (const id of ids) {
      const second = Math.floor((faultRetryMs(id, 86_400_000, 1) ?? 0) / 1_000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    expect(Math.max(...seconds.values())).toBeLessThan(700);
  });
});

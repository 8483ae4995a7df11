import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TimingWheel } from "../../src/schedule/wheel.ts";

const ORIGIN = 1_795_000_000_123;
const DAY_MS = 86_400_000;

/** Wakes the wheel only when it asks, up to `untilMs`, and tells what fired when. */
function run(wheel: TimingWheel<number>, untilMs: number): { value: number; atMs: number }[] {
  const fired: { value: number; atMs: number }[] = [];
  for (let at = wheel.nextWakeMs(); at !== null && at <= untilMs; at = wheel.nextWakeMs()) {
    const atMs = at;
    wheel.advance(atMs, (value) => fired.push({ value, atMs }));
  }
  wheel.advance(untilMs, (value) => fired.push({ value, atMs: untilMs }));
  return fired;
}

describe("timing wheel", () => {
  it("fires every timer once, never early and at most a slot late, whatever the distance", () => {
    const delays = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 40 * DAY_MS })),
    );
    fc.assert(
      fc.property(delays, (delayMs) => {
        const wheel = new TimingWheel<number>(ORIGIN);
        delayMs.forEach((delay, index) => wheel.insert(ORIGIN + delay, index));
        const fired = run(wheel, ORIGIN + 41 * DAY_MS);
        expect(fired.map(({ value }) => value).sort((a, b) => a - b)).toEqual(
          delayMs.map((_, index) => index),
        );
        for (const { value, atMs } of fired) {
          const late = atMs - ORIGIN - (delayMs[value] as number);
          expect(late).toBeGreaterThanOrEqual(0);
          expect(late).toBeLessThan(10);
        }
        expect(wheel.size).toBe(0);
        expect(wheel.nextWakeMs()).toBeNull();
      }),
    );
  });

  it("gives the same as a sorted list through any mix of inserting, removing and advancing", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("insert" as const), ms: fc.integer({ min: 1, max: 3_000_000 }) }),
      fc.record({ kind: fc.constant("remove" as const), ms: fc.nat(1_000) }),
      fc.record({ kind: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 2_000_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const wheel = new TimingWheel<number>(ORIGIN);
        const model = new Map<number, { dueMs: number; timer: ReturnType<typeof wheel.insert> }>();
        let now = ORIGIN;
        steps.forEach(({ kind, ms }, index) => {
          if (kind === "insert") model.set(index, { dueMs: now + ms, timer: wheel.insert(now + ms, index) });
          else if (kind === "remove") {
            const [key, held] = [...model][ms % (model.size || 1)] ?? [];
            if (held) wheel.remove(held.timer);
            model.delete(key ?? -1);
          } else {
            now += ms;
            const fired: number[] = [];
            wheel.advance(now, (value) => fired.push(value));
            for (const value of fired) expect(model.get(value)?.dueMs).toBeLessThanOrEqual(now);
            for (const value of fired) model.delete(value);
            for (const { dueMs } of model.values()) expect(dueMs).toBeGreaterThan(now - 10);
          }
          expect(wheel.size).toBe(model.size);
        });
      }),
    );
  });

  it("wakes for the only filled slot, not for the empty ones before it", () => {
    const wheel = new TimingWheel<number>(ORIGIN);
    wheel.insert(ORIGIN + 30_000, 1);
    let wakes = 0;
    for (let at = wheel.nextWakeMs(); at !== null; at = wheel.nextWakeMs()) {
      wheel.advance(at, () => {});
      wakes += 1;
    }
    expect(wakes).toBeLessThanOrEqual(2);
  });

  it("lets a timer be put back from within its own firing", () => {
    const wheel = new TimingWheel<number>(ORIGIN);
    const timer = wheel.insert(ORIGIN + 100, 0);
    const at: number[] = [];
    for (let now = ORIGIN; now <= ORIGIN + 1_000; now += 10) {
      wheel.advance(now, () => {
        at.push(now - ORIGIN);
        wheel.reinsert(timer, now + 100);
      });
    }
    expect(at).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });
});

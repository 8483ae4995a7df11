import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DueQueue } from "../../../src/engine/schedule/scheduler.ts";

const ORIGIN = 1_795_000_000_123;
const DAY_MS = 86_400_000;

/** Wakes the queue only on request, up to `untilMs`, and returns what fired when. */
function run(queue: DueQueue<number>, untilMs: number): { value: number; atMs: number }[] {
  const fired: { value: number; atMs: number }[] = [];
  for (let at = queue.nextWakeMs(); at !== null && at <= untilMs; at = queue.nextWakeMs()) {
    const atMs = at;
    queue.advance(atMs, (value) => fired.push({ value, atMs }));
  }
  queue.advance(untilMs, (value) => fired.push({ value, atMs: untilMs }));
  return fired;
}

describe("due queue", () => {
  it("fires every timer once, never early and at most 10 ms late, whatever the distance", () => {
    const delays = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 40 * DAY_MS })),
    );
    fc.assert(
      fc.property(delays, (delayMs) => {
        const queue = new DueQueue<number>();
        delayMs.forEach((delay, index) => queue.insert(ORIGIN + delay, index));
        const fired = run(queue, ORIGIN + 41 * DAY_MS);
        expect(fired.map(({ value }) => value).sort((a, b) => a - b)).toEqual(
          delayMs.map((_, index) => index),
        );
        for (const { value, atMs } of fired) {
          const late = atMs - ORIGIN - (delayMs[value] as number);
          expect(late).toBeGreaterThanOrEqual(0);
          expect(late).toBeLessThan(10);
        }
        expect(queue.size).toBe(0);
        expect(queue.nextWakeMs()).toBeNull();
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
        const queue = new DueQueue<number>();
        const model = new Map<number, { dueMs: number; timer: ReturnType<typeof queue.insert> }>();
        let now = ORIGIN;
        steps.forEach(({ kind, ms }, index) => {
          if (kind === "insert") model.set(index, { dueMs: now + ms, timer: queue.insert(now + ms, index) });
          else if (kind === "remove") {
            const [key, held] = [...model][ms % (model.size || 1)] ?? [];
            if (held) queue.remove(held.timer);
            model.delete(key ?? -1);
          } else {
            now += ms;
            const fired: number[] = [];
            queue.advance(now, (value) => fired.push(value));
            for (const value of fired) expect(model.get(value)?.dueMs).toBeLessThanOrEqual(now);
            for (const value of fired) model.delete(value);
            for (const { dueMs } of model.values()) expect(dueMs).toBeGreaterThan(now);
          }
          expect(queue.size).toBe(model.size);
        });
      }),
    );
  });

  it("wakes once for the only timer, however far away", () => {
    const queue = new DueQueue<number>();
    queue.insert(ORIGIN + 30_000, 1);
    let wakes = 0;
    for (let at = queue.nextWakeMs(); at !== null; at = queue.nextWakeMs()) {
      queue.advance(at, () => {});
      wakes += 1;
    }
    expect(wakes).toBe(1);
  });

  it("lets a timer be put back from within its own firing", () => {
    const queue = new DueQueue<number>();
    const timer = queue.insert(ORIGIN + 100, 0);
    const at: number[] = [];
    for (let now = ORIGIN; now <= ORIGIN + 1_000; now += 10) {
      queue.advance(now, () => {
        at.push(now - ORIGIN);
        queue.reinsert(timer, now + 100);
      });
    }
    expect(at).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });

  it("does not fire a timer that an earlier one took out in the same moment", () => {
    const queue = new DueQueue<string>();
    queue.insert(1, "first");
    const second = queue.insert(2, "second");
    const fired: string[] = [];
    queue.advance(2, (value) => {
      fired.push(value);
      queue.remove(second);
    });
    expect(fired).toEqual(["first"]);
  });
});

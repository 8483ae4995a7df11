import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { measureLostTime } from "../../../src/engine/schedule/lost-time.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A thread whose clocks the test moves. */
function startThread() {
  const clock = { monotonicMs: 1_000, wallMs: 1_795_000_000_000 };
  const lost = measureLostTime({ monotonicMs: () => clock.monotonicMs, wallMs: () => clock.wallMs });
  const pass = (ms: number, wallMs = ms) => {
    clock.monotonicMs += ms;
    clock.wallMs += wallMs;
  };
  const work = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      pass(50);
      vi.advanceTimersByTime(50);
    }
  };
  /** Nothing runs for that long; then the timer that is due does. */
  const stall = (ms: number) => {
    pass(ms);
    vi.advanceTimersByTime(50);
  };
  return { clock, lost, pass, work, stall };
}

test("a thread that comes to its work loses nothing, a little lateness included", () => {
  const { lost, work, stall } = startThread();
  work(10_000);
  stall(69);
  expect(lost.totalMs()).toBe(0);
  expect(lost.brokeOffSince(0)).toBe(false);
});

test("stalls add up, the present one included", () => {
  const { lost, work, stall, pass } = startThread();
  work(500);
  stall(1_500);
  expect(lost.totalMs()).toBe(1_450);
  work(500);
  pass(350);
  expect(lost.totalMs()).toBe(1_750);
  vi.advanceTimersByTime(50);
  expect(lost.totalMs()).toBe(1_750);
});

test("two seconds at once break connections off, many short stalls do not", () => {
  const { clock, lost, stall, pass } = startThread();
  for (let count = 0; count < 10; count += 1) stall(1_000);
  expect(lost.brokeOffSince(0)).toBe(false);
  const before = clock.monotonicMs;
  pass(2_050);
  expect(lost.brokeOffSince(before)).toBe(true);
  vi.advanceTimersByTime(50);
  expect(lost.brokeOffSince(before)).toBe(true);
  expect(lost.brokeOffSince(clock.monotonicMs + 1)).toBe(false);
});

test("a machine that slept is known by its wall clock, before the timer has run too; one set back is not taken for that", () => {
  const { clock, lost, pass, work } = startThread();
  work(100);
  pass(10, -3_600_000);
  expect(lost.brokeOffSince(0)).toBe(false);
  work(100);
  const before = clock.monotonicMs;
  pass(10, 28_800_000);
  expect(lost.brokeOffSince(before)).toBe(true);
  work(100);
  expect(lost.brokeOffSince(before)).toBe(true);
  expect(lost.totalMs()).toBe(0);
});

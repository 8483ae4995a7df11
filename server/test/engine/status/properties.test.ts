import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFresh } from "../../../src/engine/status/confirmations.ts";
import { decodeState, encodeState } from "../../../src/engine/status/encode-state.ts";
import { applyResult, applyTime } from "../../../src/engine/status/rules.ts";
import {
  initialState,
  type MonitorState,
  type StatusEvent,
  type StatusResult,
} from "../../../src/engine/status/state.ts";
import { aReason } from "../../harness/reasons.ts";
import { settings, T0 } from "./timeline.ts";

const config = settings({ intervalMs: 10_000, timeoutMs: 2_000 });

interface Step {
  waitMs: number;
  place: string;
  failed: boolean;
  slow: boolean;
}

/** Any course of events at up to four locations, silences and a clock set back included. */
const steps = (backMs = 0): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      waitMs: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 12_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 12_000, max: 200_000 }) },
        { weight: backMs ? 1 : 0, arbitrary: fc.integer({ min: -backMs, max: 0 }) },
      ),
      place: fc.constantFrom("a", "b", "c", "d"),
      failed: fc.boolean(),
      slow: fc.boolean(),
    }),
    { maxLength: 120 },
  );

interface Snapshot {
  before: MonitorState;
  state: MonitorState;
  events: StatusEvent[];
  now: number;
  result: StatusResult;
}

function play(course: readonly Step[], change: Partial<typeof config> = {}): Snapshot[] {
  let state = initialState(T0);
  let now = T0;
  return course.map(({ waitMs, place, failed, slow }) => {
    now += waitMs;
    const verdict = failed ? "failed" : slow ? "degraded" : "ok";
    const result: StatusResult = {
      location: place,
      at: now,
      verdict,
      reason: failed ? aReason("refused") : null,
    };
    const before = state;
    const applied = applyResult(state, result, { ...config, ...change }, now);
    state = applied.state;
    return { before, ...applied, now, result };
  });
}

const all = (snapshots: readonly Snapshot[]) => snapshots.flatMap(({ events }) => events);

describe("for every course of events", () => {
  it("an outage opens only when more than half of the fresh locations fail, each confirmed in a row", () => {
    fc.assert(
      fc.property(steps(), (course) => {
        const runs = new Map<string, { failures: number; lastAt: number }>();
        for (const { state, events, now, result } of play(course)) {
          const known = runs.get(result.location);
          const inTime = known && result.at - known.lastAt < 22_000;
          const failures = result.verdict === "failed" ? (inTime ? known.failures : 0) + 1 : 0;
          runs.set(result.location, { failures, lastAt: now });
          if (!events.some(({ type }) => type === "outage_opened")) continue;
          const fresh = [...runs.values()].filter(({ lastAt }) => now - lastAt < 22_000);
          const failing = fresh.filter((run) => run.failures >= config.confirmations);
          expect(failing.length * 2).toBeGreaterThan(fresh.length);
          expect(state.status).toBe("down");
        }
      }),
      { numRuns: 500 },
    );
  });

  it("an outage is closed only when more than half of the fresh locations are up", () => {
    fc.assert(
      fc.property(steps(), (course) => {
        for (const { state, events, now } of play(course)) {
          if (!events.some(({ type }) => type === "outage_closed")) continue;
          const fresh = Object.values(state.locations).filter((each) => isFresh(each, config, now));
          const up = fresh.filter(
            ({ vote, confirmed }) => vote === "ok" || (vote === "suspect" && confirmed === "ok"),
          );
          if (state.recentTransitions.length > 0) expect(up.length * 2).toBeGreaterThan(fresh.length);
          expect(state.status).not.toBe("down");
        }
      }),
      { numRuns: 500 },
    );
  });

  it("outages open and close in turn, and the state knows whether one is open", () => {
    fc.assert(
      fc.property(steps(100_000), (course) => {
        let open = false;
        for (const { state, events } of play(course)) {
          for (const { type } of events) {
            if (type === "outage_opened" || type === "outage_closed") {
              expect(open).toBe(type === "outage_closed");
              open = !open;
            }
          }
          expect(state.outage !== null).toBe(open);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("the history is one unbroken chain that never runs backwards, even when the clock does", () => {
    fc.assert(
      fc.property(steps(1_000_000), (course) => {
        let status = "unknown";
        let at = 0;
        for (const event of all(play(course))) {
          if (event.type !== "transition") continue;
          expect(event.from).toBe(status);
          expect(event.to).not.toBe(status);
          expect(event.at).toBeGreaterThanOrEqual(at);
          expect(event.detectedAt).toBeGreaterThanOrEqual(event.at);
          status = event.to;
          at = event.at;
        }
      }),
      { numRuns: 500 },
    );
  });

  it("results that come again change nothing, wherever they come", () => {
    fc.assert(
      fc.property(steps(), fc.array(fc.nat()), (course, repeats) => {
        const snapshots = play(course);
        for (const [i, { state, now }] of snapshots.entries()) {
          const again = snapshots[(repeats[i % (repeats.length || 1)] ?? 0) % (i + 1)];
          if (again) expect(applyResult(state, again.result, config, now)).toEqual({ state, events: [] });
        }
      }),
    );
  });

  it("late results change nothing, in whatever order they come", () => {
    fc.assert(
      fc.property(
        steps(),
        fc.array(
          fc.record({ place: fc.constantFrom("a", "b", "c", "d"), agoMs: fc.nat(), failed: fc.boolean() }),
        ),
        (course, late) => {
          const last = play(course).at(-1);
          if (!last) return;
          for (const { place, agoMs, failed } of late) {
            const newest = last.state.locations[place]?.lastAt;
            if (newest === undefined) continue;
            const result: StatusResult = {
              location: place,
              at: newest - agoMs,
              verdict: failed ? "failed" : "ok",
              reason: null,
            };
            expect(applyResult(last.state, result, config, last.now).state).toBe(last.state);
          }
        },
      ),
    );
  });

  it("nothing fresh is unknown, announced once, and never down", () => {
    fc.assert(
      fc.property(steps(), (course) => {
        const last = play(course).at(-1);
        if (!last) return;
        const now = last.now + 22_000;
        const { state, events } = applyTime(last.state, config, now);
        expect(state.status).toBe("unknown");
        expect(events.some(({ type }) => type === "outage_opened")).toBe(false);
        expect(applyTime(state, config, now + 60_000).events).toEqual([]);
      }),
    );
  });

  it("flapping notifies once and holds at most one outage open until it ends", () => {
    fc.assert(
      fc.property(steps(), (course) => {
        for (const { before, events } of play(course, { confirmations: 1, recoveries: 1 })) {
          const types = events.map((event) => (event.type === "notification" ? event.event : event.type));
          if (before.flapping) expect(types).not.toContain("monitor.flapping");
          if (before.flapping && before.outage) {
            expect(types).not.toContain("outage_opened");
            expect(types).not.toContain("monitor.down");
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it("whatever is not confirmed is rechecked, in one series an interval that ends with the confirmation", () => {
    fc.assert(
      fc.property(
        steps(),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 10 }),
        (course, confirmations, recoveries) => {
          const counts = new Map<string, number>();
          const snapshots = play(course, { confirmations, recoveries });
          for (const { before, state, events, result, now } of snapshots) {
            const own = events.some(
              (event) => event.type === "recheck" && event.location === result.location,
            );
            if (own) counts.set(result.location, (counts.get(result.location) ?? 0) + 1);
            const here = state.locations[result.location];
            const isOpen = here?.vote === "suspect" || here?.vote === "recovering";
            if (own) expect(isOpen).toBe(true);
            const rechecks = events.filter(({ type }) => type === "recheck").length;
            expect(rechecks).toBeLessThanOrEqual(2);
            if (state === before || !isOpen || own) continue;
            expect(Math.abs(now - here.recheckAt)).toBeLessThan(config.intervalMs);
          }
          const lengthMs = (snapshots.at(-1)?.now ?? T0) - T0;
          const series = lengthMs / config.intervalMs + 1;
          for (const count of counts.values()) {
            expect(count).toBeLessThanOrEqual(series * (Math.max(confirmations, recoveries) - 1));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("a monitor that is down, or unknown in an outage, has been since its start, but for flapping", () => {
    fc.assert(
      fc.property(steps(), (course) => {
        for (const { state } of play(course)) {
          if (
            !["down", "unknown"].includes(state.status) ||
            state.recentTransitions.length > 3 ||
            state.flapping
          )
            continue;
          if (state.outage) expect(state.since).toBe(state.outage.startedAt);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("nothing stays dated by a clock that was a day ahead, and results go on to count", () => {
    fc.assert(
      fc.property(steps(), steps(), steps(), (before, wrong, after) => {
        const day = 86_400_000;
        const [first, second] = [before[0], after[0]];
        if (!first || !second || wrong.length === 0) return;
        const jump = { ...(wrong[0] as Step), waitMs: day };
        const back = { ...second, waitMs: -day };
        const course = [...before, jump, ...wrong, back, ...after];
        for (const { state, before: earlier, now } of play(course).slice(before.length + wrong.length + 1)) {
          if (state === earlier) continue;
          const newest = Object.values(state.locations).map(({ lastAt }) => lastAt);
          expect(Math.max(state.since, state.historyAt, ...newest)).toBeLessThanOrEqual(now);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("the rules never change the state that they were given", () => {
    fc.assert(
      fc.property(steps(), (course) => {
        for (const { before, result, now } of play(course)) {
          const copy = structuredClone(before);
          applyResult(before, result, config, now);
          applyTime(before, config, now + 30_000);
          expect(before).toEqual(copy);
        }
      }),
    );
  });

  it("a stored state is read back as it was", () => {
    fc.assert(
      fc.property(steps(), (course) => {
        for (const { state } of play(course)) expect(decodeState(encodeState(state))).toEqual(state);
      }),
    );
  });
});

describe("a stored state", () => {
  it("of a version from the future is refused instead of misread", () => {
    expect(() => decodeState("[99]")).toThrow(/version 99/);
  });

  it("of one location takes less than 200 characters", () => {
    const last = play([{ waitMs: 5, place: "a", failed: false, slow: false }]).at(-1);
    expect(encodeState(last?.state ?? initialState(0)).length).toBeLessThan(200);
  });
});

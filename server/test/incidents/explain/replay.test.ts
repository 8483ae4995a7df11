import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyResult, applyTime, staleAt } from "../../../src/engine/status/rules.ts";
import { initialState, type StatusConfig, type Transition } from "../../../src/engine/status/state.ts";
import { type ReceivedResult, replay, stateBefore } from "../../../src/incidents/explain/replay.ts";
import { SECOND, settings, T0 } from "../../engine/status/timeline.ts";
import { aReason } from "../../harness/reasons.ts";

const config = settings({ intervalMs: 10 * SECOND, timeoutMs: 2 * SECOND });

/** `x` failed, `.` ok, one a second at this location, each received after a tenth of it. */
const course = (
  verdicts: string,
  { location = "local", stepMs = SECOND, from = T0 } = {},
): ReceivedResult[] =>
  [...verdicts].map((verdict, index) => {
    const at = from + index * stepMs;
    const failed = verdict === "x";
    return {
      ...{ location, at, receivedAt: at + 100, verdict: failed ? "failed" : "ok" },
      reason: failed ? aReason("refused") : null,
    };
  });

const again = (
  results: readonly ReceivedResult[],
  change: Partial<StatusConfig> = {},
  recheckDelayMs?: number,
) =>
  replay({
    begin: initialState(T0),
    results,
    marks: [],
    config: { ...config, ...change },
    isSwept: true,
    until: Number.MAX_SAFE_INTEGER,
    ...(recheckDelayMs !== undefined && { recheckDelayMs }),
  });

const words = ({ transitions }: { transitions: Transition[] }) => transitions.map(({ to }) => to).join(" ");

describe("the rules applied once more", () => {
  it.each([
    ["..xx..", {}, "up down up", 1],
    ["..xx..", { confirmations: 3 }, "up", 0],
    ["..x..", { confirmations: 1 }, "up down up", 1],
    ["..xx..", { recoveries: 3 }, "up down", 1],
  ])("%s with %j: %s", (verdicts, change, expected, outages) => {
    const replayed = again(course(verdicts), change);
    expect([words(replayed), replayed.outages.length]).toEqual([expected, outages]);
  });

  it.each([
    [1, "up down", 1],
    [2, "up degraded down", 1],
    [3, "up degraded", 0],
  ])("of three locations, two of them failing, with a quorum of %i: %s", (quorum, expected, outages) => {
    const results = [
      ...course("..xxx", { location: "a" }),
      ...course("...xxx", { location: "b", from: T0 + 10 }),
      ...course("......", { location: "c", from: T0 + 20 }),
    ];
    const replayed = again(results, { quorum });
    expect([words(replayed), replayed.outages.length]).toEqual([expected, outages]);
  });

  it("a location that fails alone keeps an outage of quorum 1 open, else it would open at once again", () => {
    const results = [
      ...course("..xxxxxxxx....", { location: "a" }),
      ...course("..............", { location: "b", from: T0 + 10 }),
      ...course("..............", { location: "c", from: T0 + 20 }),
    ];
    expect(words(again(results, { quorum: 1 }))).toBe("up down up");
  });

  it("silence makes it unknown when its votes ran out, as the sweep does", () => {
    const [last] = again([...course(".."), ...course(".", { from: T0 + 120 * SECOND })]).transitions.slice(1);
    expect(last).toMatchObject({ to: "unknown", at: T0 + SECOND + 22 * SECOND });
  });

  it("assumes a recheck that other settings request, where the checks around it agree", () => {
    const results = [
      ...course("..", { stepMs: 10 * SECOND }),
      ...course("xx", { from: T0 + 20 * SECOND, stepMs: 2 * SECOND }),
      ...course("x", { from: T0 + 30 * SECOND }),
    ];
    const without = again(results, { confirmations: 3 });
    const assumed = again(results, { confirmations: 3 }, 2 * SECOND);
    expect(without.outages[0]?.detectedAt).toBe(T0 + 30_100);
    expect(assumed.outages[0]?.detectedAt).toBe(T0 + 24_200);
    expect([without.assumed, assumed.assumed]).toEqual([0, 1]);
  });

  it("assumes nothing where the next check says otherwise", () => {
    const results = [
      ...course("..", { stepMs: 10 * SECOND }),
      ...course("xx", { from: T0 + 20 * SECOND, stepMs: 2 * SECOND }),
      ...course(".", { from: T0 + 30 * SECOND }),
    ];
    expect(again(results, { confirmations: 3 }, 2 * SECOND)).toMatchObject({ assumed: 0, outages: [] });
  });
});

/** Any course at up to three locations, without silences. */
const anyCourse = fc.array(
  fc.record({
    waitMs: fc.integer({ min: 200, max: 6_000 }),
    location: fc.constantFrom("a", "b", "c"),
    failed: fc.boolean(),
  }),
  { minLength: 20, maxLength: 150 },
);

/** What the engine makes of it as it comes in, and what is stored of that. */
function live(steps: readonly { waitMs: number; location: string; failed: boolean }[]) {
  let state = initialState(T0);
  let now = T0;
  const results: ReceivedResult[] = [];
  const transitions: Transition[] = [];
  for (const { waitMs, location, failed } of steps) {
    now += waitMs;
    const silentAt = staleAt(state, config);
    if (silentAt !== null && silentAt < now) {
      const passed = applyTime(state, config, silentAt);
      state = passed.state;
      transitions.push(...passed.events.filter((event) => event.type === "transition"));
    }
    const [result] = course(failed ? "x" : ".", { location, from: now - 100 });
    if (!result) continue;
    results.push(result);
    const applied = applyResult(state, result, config, now);
    state = applied.state;
    transitions.push(...applied.events.filter((event) => event.type === "transition"));
  }
  return { results, transitions };
}

const received = ({ from, to, at, detectedAt, location }: Transition) => ({
  from,
  to,
  at,
  detectedAt,
  location,
});

describe("for every course of events, a replay with the monitor's own settings", () => {
  it("gives the transitions that there were, with the same causes and times", () => {
    fc.assert(
      fc.property(anyCourse, (steps) => {
        const { results, transitions } = live(steps);
        expect(again(results.toReversed()).transitions.map(received)).toEqual(transitions.map(received));
      }),
    );
  });

  it("gives them from a quiet moment on, knowing only the status then and the results before", () => {
    fc.assert(
      fc.property(anyCourse, anyCourse, (before, after) => {
        const calm = Array.from({ length: 60 }, (_, index) => ({
          waitMs: 2_000,
          location: "abc"[index % 3] as string,
          failed: false,
        }));
        const { results, transitions } = live([...before, ...calm, ...after]);
        const begunAt = results[before.length + calm.length - 1]?.receivedAt ?? 0;
        const held = transitions.findLast(({ at }) => at <= begunAt);
        const known = {
          status: held?.to ?? "unknown",
          since: held?.at ?? 0,
          initial: initialState(0),
        } as const;
        const early = results.filter(({ receivedAt }) => receivedAt <= begunAt);
        const replayed = replay({
          begin: stateBefore(known, early, config),
          results: results.filter(({ receivedAt }) => receivedAt > begunAt),
          ...{ marks: [], config, isSwept: true, until: Number.MAX_SAFE_INTEGER },
        });
        const later = transitions.filter(({ detectedAt }) => detectedAt > begunAt);
        expect(replayed.transitions.map(received)).toEqual(later.map(received));
      }),
    );
  });
});

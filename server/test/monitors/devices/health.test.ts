import { describe, expect, it } from "vitest";
import { DEFAULT_THRESHOLDS } from "../../../src/checks/agent.ts";
import {
  CPU_WINDOW_MS,
  evaluateHealth,
  HOLD_MS,
  HYSTERESIS,
  NEW_HEALTH,
  problemsOf,
  reasonOf,
  type Sample,
  thresholdsOf,
} from "../../../src/monitors/devices/rules.ts";
import { inEnglish } from "../../../src/platform/i18n/english.ts";
import { type MessageDescriptor, msg } from "../../../src/platform/i18n/message.ts";

const EVERY_MS = 10_000;
const rules = { thresholds: DEFAULT_THRESHOLDS, maxGapMs: 3 * EVERY_MS };

/** The level after each report of a curve, one every ten seconds: `[percent, how many reports]`, one after another. */
function play(
  curve: readonly [percent: number, reports: number][],
  of: (percent: number) => Omit<Sample, "at">,
) {
  let state = NEW_HEALTH;
  let at = 1_000_000;
  const changes: [report: number, level: string][] = [];
  let count = 0;
  let level = "healthy";
  for (const [percent, reports] of curve) {
    for (let i = 0; i < reports; i += 1) {
      count += 1;
      at += EVERY_MS;
      state = evaluateHealth(state, { at, ...of(percent) }, rules);
      const now = problemsOf(state)[0]?.level ?? "healthy";
      if (now !== level) changes.push([count, now]);
      level = now;
    }
  }
  return changes;
}

const cpu = (percent: number) => ({ cpu: percent, disks: {} });
const memory = (percent: number) => ({ memory: percent, disks: {} });
const disk = (percent: number) => ({ disks: { "/": 20, "/var": percent } });
const HELD = HOLD_MS / EVERY_MS + 1;

describe("health, played against load curves", () => {
  it.each([
    ["a quiet processor", cpu, [[20, 100]], []],
    [
      "a spike of one report",
      cpu,
      [
        [20, 40],
        [100, 1],
        [20, 40],
      ],
      [],
    ],
    [
      "a busy minute",
      cpu,
      [
        [20, 40],
        [100, 6],
        [20, 40],
      ],
      [],
    ],
    ["a processor that is busy from the start: no mean of five minutes yet", cpu, [[100, 24]], []],
    ["and once there is one", cpu, [[100, 30]], [[25, "critical"]]],
    [
      "a compilation of a quarter of an hour",
      cpu,
      [
        [20, 40],
        [90, 90],
        [20, 60],
      ],
      [
        [68, "warning"],
        [135, "healthy"],
      ],
    ],
    [
      "load that wavers around the threshold",
      cpu,
      [
        [86, 60],
        [82, 60],
        [86, 60],
        [82, 60],
      ],
      [[25, "warning"]],
    ],
    [
      "a memory leak",
      memory,
      [
        [80, 10],
        [86, 20],
        [96, 20],
      ],
      [
        [10 + HELD, "warning"],
        [30 + HELD, "critical"],
      ],
    ],
    [
      "a spike of memory",
      memory,
      [
        [50, 10],
        [99, 1],
        [50, 10],
      ],
      [],
    ],
    [
      "memory just below its threshold after a problem",
      memory,
      [
        [86, 20],
        [81, 60],
      ],
      [[HELD, "warning"]],
    ],
    [
      "memory that is well below it",
      memory,
      [
        [86, 20],
        [79, 20],
      ],
      [
        [HELD, "warning"],
        [20 + HELD, "healthy"],
      ],
    ],
    [
      "a disk that fills",
      disk,
      [
        [84, 10],
        [85, 10],
        [95, 10],
      ],
      [
        [10 + HELD, "warning"],
        [20 + HELD, "critical"],
      ],
    ],
    [
      "a disk that is cleaned up",
      disk,
      [
        [96, 10],
        [60, 10],
      ],
      [
        [HELD, "critical"],
        [10 + HELD, "healthy"],
      ],
    ],
  ] as const)("%s", (_, of, curve, expected) => {
    expect(play(curve as never, of as never)).toEqual(expected);
  });

  it.each([60, 100, 150, 200, 300, 3_600])(
    "evaluates a processor that is reported every %i seconds",
    (seconds) => {
      const everyMs = seconds * 1_000;
      let state = NEW_HEALTH;
      for (let at = everyMs; at <= 6 * CPU_WINDOW_MS + 2 * everyMs; at += everyMs)
        state = evaluateHealth(state, { at, ...cpu(99) }, { ...rules, maxGapMs: 3 * everyMs });
      expect(problemsOf(state)).toMatchObject([{ measure: "cpu", level: "critical", value: 99 }]);
    },
  );

  it("takes one report for no mean of five minutes where the processor was not measured before", () => {
    let state = evaluateHealth(NEW_HEALTH, { at: EVERY_MS, ...cpu(20) }, rules);
    for (let at = 2 * EVERY_MS; at <= 2 * CPU_WINDOW_MS; at += EVERY_MS)
      state = evaluateHealth(state, { at, ...memory(20) }, rules);
    state = evaluateHealth(state, { at: 2 * CPU_WINDOW_MS + EVERY_MS, ...cpu(99) }, rules);
    expect(problemsOf(state)).toEqual([]);
  });

  it("begins anew after a silence in which its health is unknown", () => {
    let state = evaluateHealth(NEW_HEALTH, { at: 1_000_000, ...memory(99) }, rules);
    state = evaluateHealth(state, { at: 1_000_000 + 10 * HOLD_MS, ...memory(99) }, rules);
    expect(problemsOf(state)).toEqual([]);
    state = evaluateHealth(state, { at: 1_000_000 + 10 * HOLD_MS + HOLD_MS / 3, ...memory(99) }, rules);
    expect(problemsOf(state)).toEqual([]);
  });

  it.each([
    ["a disk that once does not answer", disk(97), disk(20), { disks: { "/": 20 } }],
    ["memory that is once not read", memory(97), memory(20), { disks: {} }],
    ["a processor, of which the first look after a silence has no share", cpu(97), cpu(20), { disks: {} }],
  ])("lets no missed measurement end a problem: %s", (_, bad, good, missed) => {
    let at = 1_000_000;
    let state = NEW_HEALTH;
    const report = (sample: Omit<Sample, "at">, count: number, everyMs = EVERY_MS) => {
      for (let left = count; left > 0; left -= 1) {
        at += everyMs;
        state = evaluateHealth(state, { at, ...sample }, rules);
      }
      return problemsOf(state)[0]?.level ?? "healthy";
    };
    expect(report(bad, 40)).toBe("critical");
    expect(report(missed, 1, 3_600_000)).toBe("critical");
    expect(report(missed, 5)).toBe("critical");
    expect(report(bad, 1)).toBe("critical");
    expect(report(missed, 6)).toBe("critical");
    expect(report(good, 40)).toBe("healthy");
    // What is no longer there at all, such as a disk that was unmounted, does not stay a problem.
    expect(report(bad, 40)).toBe("critical");
    expect(report(missed, HELD)).toBe("healthy");
  });

  it("names all that is wrong, the most severe first, and which disk it is", () => {
    let state = NEW_HEALTH;
    for (let at = 1_000_000; at <= 1_000_000 + 2 * HOLD_MS; at += EVERY_MS) {
      state = evaluateHealth(state, { at, memory: 90, disks: { "/": 96, "/var": 97 } }, rules);
    }
    expect(problemsOf(state)).toEqual([
      { measure: "disk", path: "/var", level: "critical", value: 97 },
      { measure: "disk", path: "/", level: "critical", value: 96 },
      { measure: "memory", path: null, level: "warning", value: 90 },
    ]);
    const thresholds = thresholdsOf({ disk: { critical: 96 } });
    expect(reasonOf(problemsOf(state), thresholds)).toEqual({
      ...msg("health.disk", { percent: 97, limit: 96, level: "critical", path: "/var" }),
      also: [
        msg("health.disk", { percent: 96, limit: 96, level: "critical", path: "/" }),
        msg("health.memory", { percent: 90, limit: 85, level: "warning" }),
      ],
    });
    expect(reasonOf([], thresholds)).toBeNull();
  });

  it("has disks that are as full in the order of their names", () => {
    let state = NEW_HEALTH;
    for (let at = EVERY_MS; at <= 10 * EVERY_MS; at += EVERY_MS)
      state = evaluateHealth(state, { at, disks: { "/c": 97, "/a": 97, "/b": 97 } }, rules);
    expect(problemsOf(state).map(({ path }) => path)).toEqual(["/a", "/b", "/c"]);
  });

  it("names five problems, and counts the others", () => {
    const full = Array.from({ length: 9 }, (_, at) => ({
      ...{ measure: "disk", path: `/${at}`, level: "critical", value: 99 - at },
    })) as ReturnType<typeof problemsOf>;
    const said = (count: number) =>
      inEnglish(reasonOf(full.slice(0, count), DEFAULT_THRESHOLDS) as MessageDescriptor);
    expect(said(9)).toMatch(
      /^The disk \/0 is 99 % .* The disk \/4 is 95 % full; 95 % is critical\. There are 4 more problems\.$/,
    );
    expect(said(6)).toMatch(/ There is 1 more problem\.$/);
    expect(said(5)).toMatch(/The disk \/4 is 95 % full; 95 % is critical\.$/);
  });

  it("is by thresholds of the device's own, and the usual ones for the rest", () => {
    expect(thresholdsOf({ cpu: { warning: 50 } })).toEqual({
      ...DEFAULT_THRESHOLDS,
      cpu: { warning: 50, critical: 95 },
    });
  });

  it("waits as long as decisions.md says", () => {
    expect([CPU_WINDOW_MS, HYSTERESIS, DEFAULT_THRESHOLDS.cpu]).toEqual([
      300_000,
      5,
      { warning: 85, critical: 95 },
    ]);
  });
});

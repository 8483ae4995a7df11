import { describe, expect, test } from "vitest";
import type { Stored, StoredRow, TransitionRow } from "../soak-judge.ts";
import { judge, PROBE_FAULT, type SoakRun } from "../soak-judge.ts";

const BEGAN = 1_000_000_000_000;
const SECOND = 1_000;
const OK = 0;
const FAILED = 1;
const MONITOR = 7;

/** Seconds of the soak as a time. */
const at = (second: number) => BEGAN + second * SECOND;

/** One target that is asked every ten seconds and is down from 100 to 130 s. */
function run(more: Partial<SoakRun> = {}): SoakRun {
  return {
    ids: [MONITOR],
    script: [
      [
        { fromMs: 0, mode: "up" },
        { fromMs: 100 * SECOND, mode: "down" },
        { fromMs: 130 * SECOND, mode: "up" },
      ],
    ],
    served: seconds().map((second) => [0, at(second), isDown(second) ? "down" : "up"]),
    beganAt: BEGAN,
    endedAt: at(300),
    intervalMs: 10 * SECOND,
    timeoutMs: 3 * SECOND,
    recheckDelayMs: 2 * SECOND,
    kills: [],
    ...more,
  };
}

const isDown = (second: number) => second >= 100 && second < 130;
const seconds = () => Array.from({ length: 29 }, (_, i) => 5 + 10 * i);
const truth = () =>
  seconds().map((second): StoredRow => ({ at: at(second), outcome: isDown(second) ? FAILED : OK }));
const change = (toStatus: string, second: number): TransitionRow => ({
  monitorId: MONITOR,
  toStatus,
  at: at(second),
  detectedAt: at(second + 1),
  reason: null,
});
const story = () => [change("up", 5), change("down", 115), change("up", 145)];

function verdict(of: {
  run?: Partial<SoakRun>;
  results?: StoredRow[];
  story?: TransitionRow[];
  rolledUp?: number;
}) {
  const results = of.results ?? truth();
  const counted = results.filter(({ outcome }) => outcome !== PROBE_FAULT).length;
  const stored: Stored = {
    results: new Map([[MONITOR, results]]),
    rolledUp: new Map([[MONITOR, of.rolledUp ?? counted]]),
    transitions: of.story ?? story(),
  };
  const { requests, results: count, outages, examples, detectionMs, ...faults } = judge(run(of.run), stored);
  const found = Object.entries(faults).filter(([, value]) => value !== 0);
  return { faults: Object.fromEntries(found), detectionMs, examples };
}

const without = (second: number) => truth().filter((row) => row.at !== at(second));

describe("the soak's judge", () => {
  test("finds nothing wrong with what is true, and says how long the outage was not known", () => {
    expect(verdict({})).toEqual({ faults: {}, detectionMs: [16 * SECOND], examples: [] });
  });

  test.each<[string, Parameters<typeof verdict>[0], object]>([
    ["a result that is not there", { results: without(55) }, { lost: 1 }],
    [
      "one lost 20 ms before a kill",
      kill(55.02, { results: without(55) }),
      { lostAtKills: 1, lostAtKillsMs: 20 },
    ],
    ["one lost two seconds before a kill", kill(57, { results: without(55) }), { lost: 1 }],
    [
      "one of a server that was killed while it started",
      killTwice({ results: without(55) }),
      { lostAtKills: 1, lostAtKillsMs: 20 },
    ],
    [
      "a result nobody asked for",
      { results: sorted([...truth(), { at: at(59), outcome: OK }]) },
      { unasked: 1 },
    ],
    ["a check counted twice", { rolledUp: 30 }, { doubled: 1 }],
    ["a check that was not counted", { rolledUp: 28 }, { doubled: 1 }],
    ["passed while the target was down", { results: changed(115, OK) }, { wrongStatus: 1 }],
    ["failed while it was up", { results: changed(55, FAILED) }, { wrongStatus: 1 }],
    ["a check that the probe did not trust", { results: changed(55, PROBE_FAULT) }, { probeFaults: 1 }],
    ["an outage nobody told of", { story: [change("up", 5)] }, { missedOutages: 1 }],
    ["a recovery nobody told of", { story: story().slice(0, 2) }, { missedRecoveries: 1 }],
    [
      "an alarm in good times",
      { story: [...story(), change("down", 205), change("up", 215)] },
      { falseAlarms: 1 },
    ],
    ["a status told twice", { story: [change("up", 5), ...story()] }, { repeatedTransitions: 1 }],
  ])("names %s", (_, given, faults) => {
    expect(verdict(given).faults).toEqual(faults);
  });

  test("says when and where of losses and false alarms", () => {
    const { examples } = verdict({ results: without(55), story: [...story(), change("down", 205)] });
    expect(examples).toEqual([
      "site 0 answered at 55.000 (up) and no result; results 45.000, 65.000; kills none",
      expect.stringContaining("site 0 down from 205.000"),
    ]);
  });
});

const sorted = (rows: StoredRow[]) => rows.toSorted((a, b) => a.at - b.at);

function changed(second: number, outcome: number): StoredRow[] {
  return truth().map((row) => (row.at === at(second) ? { ...row, outcome } : row));
}

/** The server was killed at this second and was ready half a second later. */
function kill(second: number, given: Parameters<typeof verdict>[0]): Parameters<typeof verdict>[0] {
  const from = at(second);
  return { ...given, run: { kills: [{ from, nextAt: from + 10, to: from + 500 }] } };
}

/** Killed at 54.52 s, and again at 55.02 s, before it was ready. */
function killTwice(given: Parameters<typeof verdict>[0]): Parameters<typeof verdict>[0] {
  const kills = [54.52, 55.02].map((second) => ({
    from: at(second),
    nextAt: at(second) + 10,
    to: at(second) + 490,
  }));
  return { ...given, run: { kills } };
}

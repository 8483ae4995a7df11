import { expect, test } from "vitest";
import { evaluateRun } from "../soak-evaluation.ts";

type Run = Parameters<typeof evaluateRun>[0];
type Stored = Parameters<typeof evaluateRun>[1];

const BEGAN = 1_000_000_000_000;
const [OK, FAILED, PROBE_FAULT, MONITOR] = [0, 1, 3, 7];
/** Seconds of the soak as a time. */
const at = (second: number) => BEGAN + second * 1_000;
const isDown = (second: number) => second >= 100 && second < 130;
const SECONDS = Array.from({ length: 29 }, (_, i) => 5 + 10 * i);
const change = (toStatus: string, second: number) => ({
  ...{ monitorId: MONITOR, toStatus, reason: null },
  ...{ at: at(second), detectedAt: at(second + 1) },
});
const TRUTH = SECONDS.map((second) => ({ at: at(second), outcome: isDown(second) ? FAILED : OK }));
const CHANGES = [change("up", 5), change("down", 115), change("up", 145)];
const without = (second: number) => TRUTH.filter((row) => row.at !== at(second));
const as = (second: number, outcome: number) =>
  TRUTH.map((row) => (row.at === at(second) ? { ...row, outcome } : row));
const kill = (second: number) => [{ from: at(second), nextAt: at(second) + 10, to: at(second) + 500 }];

interface Given {
  results?: typeof TRUTH;
  changes?: Stored["transitions"];
  rolledUp?: number;
  kills?: Run["kills"];
}

/** One target that is checked every ten seconds and is down from 100 to 130 s; what is found to be wrong. */
function faults({ results = TRUTH, changes = CHANGES, rolledUp, kills = [] }: Given) {
  const run: Run = {
    ids: [MONITOR],
    script: [
      [
        { fromMs: 0, mode: "up" },
        { fromMs: 100_000, mode: "down" },
        { fromMs: 130_000, mode: "up" },
      ],
    ],
    served: SECONDS.map((second) => [0, at(second), isDown(second) ? "down" : "up"]),
    ...{
      beganAt: BEGAN,
      endedAt: at(300),
      intervalMs: 10_000,
      timeoutMs: 3_000,
      recheckDelayMs: 2_000,
      kills,
    },
  };
  const counted = results.filter(({ outcome }) => outcome !== PROBE_FAULT).length;
  const {
    requests,
    results: _,
    outages,
    examples,
    detectionMs,
    ...counts
  } = evaluateRun(run, {
    results: new Map([[MONITOR, results]]),
    rolledUp: new Map([[MONITOR, rolledUp ?? counted]]),
    transitions: changes,
  });
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

test.each<[string, Given, object]>([
  ["nothing", {}, {}],
  ["a result that is not there", { results: without(55) }, { lost: 1 }],
  [
    "one lost just before a kill",
    { results: without(55), kills: kill(55.02) },
    { lostAtKills: 1, lostAtKillsMs: 20 },
  ],
  ["one lost long before a kill", { results: without(55), kills: kill(57) }, { lost: 1 }],
  [
    "a result without a request",
    { results: [...TRUTH.slice(0, 6), { at: at(59), outcome: OK }, ...TRUTH.slice(6)] },
    { unserved: 1 },
  ],
  ["a check counted twice", { rolledUp: 30 }, { doubled: 1 }],
  ["passed while the target was down", { results: as(115, OK) }, { wrongStatus: 1 }],
  ["a check that the probe did not trust", { results: as(55, PROBE_FAULT) }, { probeFaults: 1 }],
  ["a missed outage", { changes: [change("up", 5)] }, { missedOutages: 1 }],
  ["a missed recovery", { changes: CHANGES.slice(0, 2) }, { missedRecoveries: 1 }],
  ["a false alarm", { changes: [...CHANGES, change("down", 205), change("up", 215)] }, { falseAlarms: 1 }],
  ["a status reported twice", { changes: [change("up", 5), ...CHANGES] }, { repeatedTransitions: 1 }],
])("the soak finds %s", (_, given, found) => {
  expect(faults(given)).toEqual(found);
});

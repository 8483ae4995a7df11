import { expect, it } from "vitest";
import { createResolver } from "../../../src/checks/resolve.ts";
import {
  followUp,
  type HeldMonitor,
  holdMonitor,
  isOverdue,
} from "../../../src/engine/probe/held-monitor.ts";
import type { Assignment } from "../../../src/engine/probe/link.ts";
import { aKind, anAssignment, anOutcome } from "./factories.ts";

const VERDICTS = { ".": "ok", s: "degraded", x: "failed", p: "probe_fault" } as const;

const hold = (more: Partial<Assignment>, lostMs = 0): HeldMonitor =>
  holdMonitor(anAssignment(more), undefined, {
    network: { resolver: createResolver({ servers: [] }), policy: "all" },
    kindOf: () => aKind(async () => anOutcome()),
    lost: { totalMs: () => lostMs, brokeOffSince: () => false },
  });

/** After which of these checks the next one has to wait. */
function quietAfter(pattern: string, needed: { confirmations?: number; recoveries?: number }): string {
  const held = hold({ recheckDelayMs: 2_000, ...needed });
  const quiet = [...pattern].map(
    (each) => followUp(held, VERDICTS[each as keyof typeof VERDICTS], false).quietMs === 2_000,
  );
  return quiet.map((isQuiet) => (isQuiet ? "q" : "-")).join("");
}

it.each([
  [{}, "..xxx...", "--q--q--"],
  [{ confirmations: 3, recoveries: 1 }, ".xxxxx..", "-qq---q-"],
  [{ confirmations: 1, recoveries: 4 }, "xxs.....", "q-qqq---"],
  [{ confirmations: 3, recoveries: 3 }, "..x.xxx.", "--qqqq-q"],
  [{ confirmations: 4, recoveries: 1 }, "xpxxxx", "q-qqq-"],
])(
  "the delay of a recheck follows every check that is not confirmed yet (%j: %s)",
  (needed, pattern, quiet) => {
    expect(quietAfter(pattern, needed)).toBe(quiet);
  },
);

it("a check knows what its thread has lost", () => {
  expect(hold({}, 1_234).environment.lostMs?.()).toBe(1_234);
});

it.each([
  [0, true],
  [3_000, true],
  [8_000, false],
])(
  "a check begun 10 s ago that had 1 s is overdue but for what the thread lost since: %i ms",
  (lostMs, is) => {
    const run = { scheduledMs: 0, isExtra: false, isSlow: false, lostBeforeMs: 60_000 };
    const lost = { totalMs: () => 60_000 + lostMs, brokeOffSince: () => false };
    expect(isOverdue({ ...run, startedMs: performance.now() - 10_000 }, 1_000, lost)).toBe(is);
  },
);

/** Which of these checks report an outage that begins: `!` those out of turn. */
function tellingOf(pattern: string, needed: { confirmations?: number; recoveries?: number }): string {
  const held = hold({ recheckDelayMs: 2_000, ...needed });
  const telling = [...pattern.matchAll(/(.)(!?)/g)].map(
    ([, each, extra]) => followUp(held, VERDICTS[each as keyof typeof VERDICTS], extra === "!").isTelling,
  );
  return telling.map((isTelling) => (isTelling ? "t" : "-")).join("");
}

it.each([
  [{ confirmations: 2 }, "..xxxxxx..x", "--tt------t"],
  [{ confirmations: 1 }, ".xxxx.x", "-t----t"],
  [{ confirmations: 4 }, ".xxxxxx", "-t--t--"],
  [{ confirmations: 2 }, "xpxxx", "t-tt-"],
  [{ confirmations: 2 }, "xxx!x.!", "ttt--"],
])(
  "with %o, of the checks %s those report that begin an outage or confirm it: %s",
  (needed, checks, expected) => {
    expect(tellingOf(checks, needed)).toBe(expected);
  },
);

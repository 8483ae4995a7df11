import { expect, it } from "vitest";
import { createResolver } from "../../src/check/resolve.ts";
import { followUp, holdMonitor } from "../../src/probe/held-monitor.ts";
import { aKind, anAssignment, anOutcome } from "./factories.ts";

const VERDICTS = { ".": "ok", s: "degraded", x: "failed", p: "probe_fault" } as const;

/** After which of these checks the next one has to wait. */
function quietAfter(pattern: string, needed: { confirmations?: number; recoveries?: number }): string {
  const held = holdMonitor(anAssignment({ recheckDelayMs: 2_000, ...needed }), undefined, {
    network: { resolver: createResolver({ servers: [] }), policy: "all" },
    kindOf: () => aKind(async () => anOutcome()),
    lost: { totalMs: () => 0, brokeOffSince: () => false },
  });
  const quiet = [...pattern].map(
    (each) => followUp(held, VERDICTS[each as keyof typeof VERDICTS]).quietMs === 2_000,
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

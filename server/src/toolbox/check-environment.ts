import type { CheckEnvironment } from "../check/check.ts";
import { type StopSignal, stopCheck } from "../check/deadline.ts";
import type { ToolEnvironment } from "./tool.ts";

/** What a check that a tool makes is given: it ends after `timeoutMs`, and when nobody waits any more. */
export function checkEnvironment({ network, signal }: ToolEnvironment, timeoutMs: number): CheckEnvironment {
  const stop: StopSignal = { isStopped: signal.aborted, listener: null };
  signal.addEventListener("abort", () => stopCheck(stop), { once: true });
  return { network, timeoutMs, signal: stop };
}

import type { CheckEnvironment } from "../check/check.ts";
import { type StopSignal, stopCheck } from "../check/deadline.ts";
import type { ToolEnvironment } from "./tool.ts";

/** The same wish to stop, as checks take it. */
export function stopSignalOf(signal: AbortSignal): StopSignal {
  const stop: StopSignal = { isStopped: signal.aborted, listener: null };
  signal.addEventListener("abort", () => stopCheck(stop), { once: true });
  return stop;
}

/** What a check that a tool makes is given: it ends after `timeoutMs`, and when nobody waits any more. */
export const checkEnvironment = (
  { network, signal }: Pick<ToolEnvironment, "network" | "signal">,
  timeoutMs: number,
): CheckEnvironment => ({ network, timeoutMs, signal: stopSignalOf(signal) });

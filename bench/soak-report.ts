import type { Verdict } from "./soak-compare.ts";

export interface SoakFigures {
  store: "sqlite" | "postgres";
  seconds: number;
  monitors: number;
  kills: number;
  verdict: Verdict;
  /** From the start of the process to its ready line, after each kill. */
  restartsMs: number[];
  /** CPU time, all threads, until the ready line: what a restart costs on a machine that is busy otherwise. */
  restartsCpuMs: number[];
  /** Of the server, all its lives. */
  cpuS: number;
  /** At most, in its last life. */
  memoryMb: number;
  /** Nothing lost, doubled, wrong, missed or alarmed for nothing. */
  isClean: boolean;
}

/** Of ascending values; NaN of none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Prints what the soak found, as JSON or as a table. */
export function printReport(figures: SoakFigures, asJson: boolean): void {
  const { verdict, restartsMs, restartsCpuMs, cpuS, memoryMb, isClean } = figures;
  const { store, seconds, monitors, kills } = figures;
  const { detectionMs, examples, ...counts } = verdict;
  const restarts = restartsMs.toSorted((a, b) => a - b);
  const shown = {
    store,
    seconds,
    monitors,
    kills,
    ...counts,
    detectionP50Ms: Math.round(percentile(detectionMs, 0.5)),
    detectionP99Ms: Math.round(percentile(detectionMs, 0.99)),
    restartP50Ms: Math.round(percentile(restarts, 0.5)),
    restartMaxMs: Math.round(restarts.at(-1) ?? Number.NaN),
    restartCpuP50Ms: Math.round(
      percentile(
        restartsCpuMs.toSorted((a, b) => a - b),
        0.5,
      ),
    ),
    cpuPercent: Math.round((1_000 * cpuS) / seconds) / 10,
    memoryMb: Math.round(memoryMb),
    isClean,
    examples,
  };
  if (asJson) console.log(JSON.stringify(shown, null, 2));
  else for (const [name, value] of Object.entries(shown)) console.log(`  ${name.padEnd(22)} ${value}`);
}

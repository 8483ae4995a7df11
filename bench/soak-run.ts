import type { Phase } from "./soak-script.ts";
import type { ServedRequest } from "./soak-targets.ts";

/**
 * What the soak's judgement knows beside the database (soak-stored.ts): the script and the targets' log. Nothing
 * of the program's code takes part. Times are milliseconds since 1970 unless said otherwise.
 */
export interface SoakRun {
  /** Monitor id of each site. */
  ids: number[];
  script: Phase[][];
  served: ServedRequest[];
  beganAt: number;
  endedAt: number;
  intervalMs: number;
  timeoutMs: number;
  /** From a first failure to its recheck. */
  recheckDelayMs: number;
  kills: Kill[];
}

/** When the server was gone: from the kill until it was ready again. */
export interface Kill {
  from: number;
  /** When the next process was started: what came in until then had been sent by the killed one. */
  nextAt: number;
  to: number;
}

/** A check may begin this late on a busy machine and still be told from the next one. */
export const LATE_MS = 5_000;
/** The outcome of a check that the probe itself did not trust. */
export const PROBE_FAULT = 3;

/** A time as seconds of the soak, to the millisecond. */
export const secondOf = ({ beganAt }: SoakRun, at: number): string => ((at - beganAt) / 1_000).toFixed(3);

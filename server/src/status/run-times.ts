/** When something is expected to run: every so often, or as its cron expression says. Times are milliseconds since 1970. */
export interface RunTimes {
  /** The run to wait for by somebody who was told at `at`. */
  after(at: number): number;
  /** Of the runs that `run` is one of, the first that is not before `at`. */
  notBefore(run: number, at: number): number;
  /** Of the same, from `run` on, the last that is not after `at`. */
  notAfter(run: number, at: number): number;
}

/** Each an interval after the one before. */
export const everyInterval = (intervalMs: number): RunTimes => ({
  after: (at) => at + intervalMs,
  notBefore: (run, at) => run + Math.max(0, Math.ceil((at - run) / intervalMs)) * intervalMs,
  notAfter: (run, at) => run + Math.max(0, Math.floor((at - run) / intervalMs)) * intervalMs,
});

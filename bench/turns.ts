/** How long turns of this thread's event loop are, in milliseconds of its CPU: other processes of a busy machine do not count. */
export interface Turns {
  begin(): void;
  /** The longest since then. */
  longestMs(): number;
  stop(): void;
}

/** Watches from now on. */
export function watchTurns(): Turns {
  let longestMs = 0;
  let lastMs = threadMs();
  const watch = () => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - lastMs);
    lastMs = now;
    next = setImmediate(watch);
  };
  let next = setImmediate(watch);
  return {
    begin() {
      longestMs = 0;
      lastMs = threadMs();
    },
    longestMs: () => longestMs,
    stop: () => clearImmediate(next),
  };
}

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

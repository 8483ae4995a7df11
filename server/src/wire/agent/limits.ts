/** How many of a list one report may have: the server refuses more, so the agent cuts. */
export const MAX_ITEMS = {
  processes: 200,
  connections: 2_000,
  applications: 10_000,
  containers: 1_000,
} as const;

/** A machine with 256 processors has a metric for each. */
export const MAX_METRICS = 1_000;

/** Of mounts that do not answer. */
export const MAX_MOUNTS = 100;
/** Of a path, characters. */
export const MAX_PATH = 1_024;

import { MEASURED_FROM_ZERO, METRIC_TYPES } from "../../device/metrics/units.ts";

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

const TEXT = "[^\\u0000-\\u001f\\u007f]";
const START = `(?:${METRIC_TYPES.join("|")})`;

/** What stands after the first dot. */
const LONGEST = 200;

/** `cpu.usage`, `memory.used`, `disk./var.usage`, `network.eth0.rx` …; what stands in the middle is the device's own name. */
export const METRIC_NAME = `^${START}\\.${TEXT}{1,${LONGEST}}$`;

const endingIn = (part: string) => `(?:${TEXT}{0,${LONGEST - part.length - 1}}\\.)?${part}`;

/** Those of them that are never below zero. No name of another length: a schema takes what fits any of its patterns. */
export const FROM_ZERO = `^${START}\\.(?:${MEASURED_FROM_ZERO.map(endingIn).join("|")})$`;

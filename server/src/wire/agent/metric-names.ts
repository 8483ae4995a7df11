import { MEASURED_FROM_ZERO, METRIC_TYPES } from "../../device/metrics/units.ts";

const TEXT = "[^\\u0000-\\u001f\\u007f]";
const START = `(?:${METRIC_TYPES.join("|")})`;

/** `cpu.usage`, `memory.used`, `disk./var.usage`, `network.eth0.rx` …; what stands in the middle is the device's own name. */
export const METRIC_NAME = `^${START}\\.${TEXT}{1,200}$`;

/** Those of them that are never below zero. */
export const FROM_ZERO = `^${START}\\.(?:${TEXT}*\\.)?(?:${MEASURED_FROM_ZERO.join("|")})$`;

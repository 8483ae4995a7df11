import { passiveTypes } from "../check/registry.ts";
import { MONITOR_DEFAULTS } from "./monitor-defaults.ts";

/**
 * The timeout as people see it. A kind that is told instead of asking has none: what is stored there is its grace, which
 * its configuration shows.
 */
export const shownTimeout = ({ type, timeoutSeconds }: { type: string; timeoutSeconds: number }): number =>
  passiveTypes.includes(type) ? MONITOR_DEFAULTS.timeoutSeconds : timeoutSeconds;

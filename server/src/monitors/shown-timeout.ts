import { unprobedTypes } from "../checks/registry.ts";
import { MONITOR_DEFAULTS } from "../platform/monitor-defaults.ts";

/** The timeout as people see it. A signalled type has none: the stored value is its grace, which its configuration shows. */
export const shownTimeout = ({ type, timeoutSeconds }: { type: string; timeoutSeconds: number }): number =>
  unprobedTypes.includes(type) ? MONITOR_DEFAULTS.timeoutSeconds : timeoutSeconds;

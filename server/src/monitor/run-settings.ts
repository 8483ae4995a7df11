import { AGENT_TYPE, HEARTBEAT_TYPE } from "../check/told-types.ts";
import type { RunSettings } from "../status/due.ts";

/** When a monitor with these settings is told; null: it is not. */
export function runsOf({ type, config }: { type: string; config: object }): RunSettings | null {
  if (type === HEARTBEAT_TYPE) return config;
  return type === AGENT_TYPE ? {} : null;
}

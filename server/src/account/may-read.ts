import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { Running } from "../verb/verb.ts";
import { isPermitted } from "./access.ts";

/** Whether the caller may read a monitor of that kind: a key for services alone must not learn of domains by naming them. */
export const mayRead =
  ({ caller }: Pick<Running, "caller">) =>
  ({ kind }: { kind: MonitorKind }): boolean => {
    const { resource, feature } = MONITOR_KIND_FACTS[kind];
    return isPermitted(caller, { action: "read", resource, features: [feature], role: undefined });
  };

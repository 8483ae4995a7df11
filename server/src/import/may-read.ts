import { isPermitted } from "../account/access.ts";
import type { Caller } from "../account/caller.ts";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import type { CheckedKind } from "../monitor/monitor-defaults.ts";
import { needsOf } from "../verb/authorize.ts";

/** Whether the caller may know of monitors of that kind, and so of their names. */
export function mayReadKind(caller: Caller, kind: CheckedKind): boolean {
  const { resource, feature } = MONITOR_KIND_FACTS[kind];
  return isPermitted(caller, needsOf({ resource, feature, action: "read" }, caller.needs?.features));
}

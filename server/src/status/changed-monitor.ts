import type { Recheck } from "../probe/directory.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";
import type { StatusEvent } from "./state.ts";

/** A monitor whose state the rules have just advanced, and what they said on the way, in order. */
export interface ChangedMonitor {
  monitor: WatchedMonitor;
  events: StatusEvent[];
}

/** Where the rules want another check, because what this one said is not confirmed. */
export const rechecksOf = ({ monitor, events }: ChangedMonitor): Recheck[] =>
  events.flatMap((event) =>
    event.type === "recheck" ? { monitorId: monitor.monitorId, location: event.location } : [],
  );

import type { WatchedMonitor } from "../store/queries/states.ts";
import type { StatusEvent } from "./state.ts";

/** A monitor whose state the rules have just advanced, and what they said on the way, in order. */
export interface ChangedMonitor {
  monitor: WatchedMonitor;
  events: StatusEvent[];
}

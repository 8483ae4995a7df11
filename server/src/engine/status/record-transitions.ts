import { ensureLocations } from "../../platform/database/installation.ts";
import type { Db } from "../../platform/database/schema.ts";
import type { WatchedMonitor } from "../queries/states.ts";
import { insertTransitions } from "../queries/transitions.ts";
import type { ChangedMonitor } from "./advance-states.ts";
import type { Transition } from "./state.ts";

/** A change of status, and whose it is. */
export interface MonitorTransition {
  monitor: WatchedMonitor;
  transition: Transition;
}

/** Appends to the status history, and returns what it appended. */
export async function recordTransitions(
  trx: Db,
  changed: readonly ChangedMonitor[],
  now: number,
): Promise<MonitorTransition[]> {
  const transitions = changed.flatMap(({ monitor, events }) =>
    events
      .filter((event): event is Transition => event.type === "transition")
      .map((transition) => ({ monitor, transition })),
  );
  const codes = transitions.flatMap(({ transition }) => transition.location ?? []);
  const locations = codes.length > 0 ? await ensureLocations(trx, codes, now) : null;
  await insertTransitions(
    trx,
    transitions.map(({ monitor, transition }) => ({
      organizationId: monitor.organizationId,
      monitorId: monitor.monitorId,
      fromStatus: transition.from,
      toStatus: transition.to,
      at: transition.at,
      detectedAt: transition.detectedAt,
      reason: transition.reason,
      locationId: transition.location === null ? null : (locations?.get(transition.location) ?? null),
      maintenance: monitor.config.maintenance,
    })),
  );
  return transitions;
}

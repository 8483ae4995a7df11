import type { Db } from "../../platform/database/schema.ts";
import { dependingAmong, lockGrouping, readParents, type WatchedMonitor } from "../queries/states.ts";
import type { ChangedMonitor } from "./advance-states.ts";
import { behindOf } from "./held-by-parents.ts";
import { applyParents } from "./rules.ts";
import type { Behind, MonitorState } from "./state.ts";

/**
 * Advances monitors, checking what they depend on where people would be notified: of monitors that pass, or that
 * are down already, nothing more is read. The look is taken with the organization's grouping locked: of a parent and its
 * child that go down at once, the second sees the first.
 */
export async function advanceBehind(
  trx: Db,
  monitors: readonly WatchedMonitor[],
  advance: (monitors: readonly WatchedMonitor[]) => ChangedMonitor[],
): Promise<ChangedMonitor[]> {
  const changes = advance(monitors);
  const newlyFailed = changes.filter(({ events }) => events.some(isFailure)).map(({ monitor }) => monitor);
  const children = await dependingAmong(
    trx,
    newlyFailed.map(({ monitorId }) => monitorId),
  );
  if (children.length === 0) return changes;
  // Of all that open an outage: this lock is taken once, in the order of the organizations.
  const states = new Map(changes.map(({ monitor }) => [monitor.monitorId, monitor.state]));
  const behind = await lookAhead(trx, newlyFailed, { children, states });
  if (behind.size === 0) return changes;
  return advance(monitors.map((monitor) => withBehind(monitor, behind)));
}

const isFailure = (event: ChangedMonitor["events"][number]): boolean =>
  event.type === "outage_opened" || (event.type === "notification" && event.event === "monitor.degraded");

/** Applies what has become of their parents to monitors whose states are locked; those for which nothing changes are left out. */
export async function advanceByParents(
  trx: Db,
  monitors: readonly WatchedMonitor[],
  now: number,
): Promise<ChangedMonitor[]> {
  const held = monitors.filter(({ state }) => state.suppressed);
  const children = held.map(({ monitorId }) => monitorId);
  const behind = await lookAhead(trx, held, { children, states: new Map() });
  return held.flatMap((one) => {
    const monitor = withBehind(one, behind);
    const { state, events } = applyParents(monitor.state, monitor.config, now);
    const { suppressed } = state;
    const isSame =
      suppressed?.by === one.state.suppressed?.by && suppressed?.until === one.state.suppressed?.until;
    return isSame && events.length === 0 ? [] : [{ monitor: { ...monitor, state }, events }];
  });
}

/**
 * What holds these children back, with the grouping of all these monitors' organizations locked. `states`: of
 * parents that are not stored yet.
 */
async function lookAhead(
  trx: Db,
  monitors: readonly WatchedMonitor[],
  { children, states }: { children: readonly number[]; states: ReadonlyMap<number, MonitorState> },
): Promise<ReadonlyMap<number, Behind>> {
  await lockGrouping(
    trx,
    monitors.map(({ organizationId }) => organizationId),
  );
  const parents = await readParents(trx, children);
  const severities = new Map(monitors.map(({ monitorId, severity }) => [monitorId, severity]));
  return new Map(
    children.flatMap((id) => {
      const own = (parents.get(id) ?? []).map((one) => ({ ...one, state: states.get(one.id) ?? one.state }));
      const behind = behindOf(own, severities.get(id) ?? "low");
      return behind ? [[id, behind] as const] : [];
    }),
  );
}

function withBehind(monitor: WatchedMonitor, behind: ReadonlyMap<number, Behind>): WatchedMonitor {
  const own = behind.get(monitor.monitorId);
  return own ? { ...monitor, config: { ...monitor.config, behind: own } } : monitor;
}

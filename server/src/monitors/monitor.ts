import { unprobedTypes } from "../checks/registry.ts";
import { findAnywhere } from "../platform/access/check-access.ts";
import { notFound } from "../platform/errors.ts";
import { MONITOR_DEFAULTS, type MonitorKind } from "../platform/monitor-defaults.ts";
import { parseId } from "../platform/operations/field.ts";
import type { Before, Running } from "../platform/operations/operation.ts";
import type { ListedMonitor } from "./queries/listed-monitors.ts";
import { findMonitor, findMonitorOwner, type Monitor } from "./queries/monitors.ts";

/** What every figure without a range of its own covers: the last 24 hours. */
export const STATS_WINDOW_MS = 86_400_000;

/** A monitor with what is true of it now. */
export interface ShownMonitor extends ListedMonitor {
  /** Time-weighted over the last 24 hours, 0…100; null while nothing is known. */
  uptimePercentage: number | null;
}

/** Which kind of monitor a verb is about. */
export interface OfKind {
  kind: MonitorKind;
}

/** For a verb's `find`: the monitor of that kind that an id means, wherever the caller may act. Throws 404. */
export const findOfKind =
  (kind: MonitorKind) =>
  (ctx: Before, { id }: { id: string }) => {
    const { db } = ctx.store;
    const ref = parseId(id);
    const find = (organizationId: number) => findMonitor(db, { organizationId, kind, ref });
    return findAnywhere(ctx, find, () => findMonitorOwner(db, { kind, ref }));
  };

/** What was found, locked for a change as it is now. Throws 404 if it has been deleted since. */
export async function lockMonitor({ db }: Pick<Running, "db">, found: Monitor): Promise<Monitor> {
  const { id, organizationId, kind } = found;
  const monitor = await findMonitor(db, { organizationId, kind, ref: { id }, lock: true });
  if (!monitor) throw notFound();
  return monitor;
}

/** The timeout as people see it. A signalled type has none: the stored value is its grace, which its configuration shows. */
export const shownTimeout = ({ type, timeoutSeconds }: { type: string; timeoutSeconds: number }): number =>
  unprobedTypes.includes(type) ? MONITOR_DEFAULTS.timeoutSeconds : timeoutSeconds;

import type { ListedMonitor } from "../store/queries/listed-monitor.ts";
import type { MonitorFilter, MonitorSort } from "../store/queries/monitor-filter.ts";
import { countMonitors, readListedMonitors, readMonitorPage } from "../store/queries/monitor-list.ts";
import { uptimeByMonitor } from "../store/queries/transitions.ts";
import type { Running } from "../verb/verb.ts";
import { FIGURES_WINDOW_MS, type OfKind, type ShownMonitor } from "./monitor.ts";

/** What a list may be narrowed by. */
export interface MonitorFilters {
  /** Part of the name, the target or a tag, in any case. */
  search?: string | undefined;
  /** A tag, exactly. */
  tag?: string | undefined;
  /** What is checked, normalised. */
  target?: string | undefined;
  /** `up` finds degraded ones too. */
  status?: "up" | "down" | "unknown" | undefined;
  /** The full state: `up` is not degraded, `unknown` is not paused. */
  state?: "up" | "degraded" | "down" | "unknown" | "paused" | undefined;
  /** Whether a maintenance window is open for it. */
  maintenance?: boolean | undefined;
}

export interface ListMonitorsInput extends OfKind, MonitorFilters {
  /** Null: newest first. */
  sort?: MonitorListSort | null;
  offset: number;
  limit: number;
}

export interface MonitorListSort {
  by: MonitorSort | "uptime";
  descending: boolean;
}

/**
 * One page of the organization's monitors of a kind, newest first or sorted, in five queries however many they are.
 */
export async function listMonitors(
  ctx: Running,
  input: ListMonitorsInput,
): Promise<{ items: ShownMonitor[]; total: number }> {
  const { db } = ctx;
  const { kind, search, tag, target, status, state, maintenance, offset, limit, sort = null } = input;
  const { organizationId } = ctx.caller;
  const filter = { organizationId, kind, search, tag, target, status, state, maintenance };
  if (sort?.by === "uptime") return sortedByUptime(ctx, filter, { limit, offset, ...sort });
  const order = sort && { by: sort.by, descending: sort.descending };
  const monitors = await readMonitorPage(db, filter, { limit, offset, order });
  const uptimes = await readUptimes(
    ctx,
    monitors.map((monitor) => monitor.id),
  );
  // A page that is not full is the last one, and says by itself how many there are.
  const isLast = monitors.length < limit && (monitors.length > 0 || offset === 0);
  const total = isLast ? offset + monitors.length : await countMonitors(db, filter);
  return { items: monitors.map(withUptime(uptimes)), total };
}

/** Computed for every monitor that fits, for one page of them. */
async function sortedByUptime(
  ctx: Running,
  filter: MonitorFilter,
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ items: ShownMonitor[]; total: number }> {
  const { limit, offset, descending } = page;
  const to = ctx.clock.now();
  const which = { ...filter, limit, offset, descending, from: to - FIGURES_WINDOW_MS, to };
  const found = await ctx.readAside("pageByUptime", which);
  const uptimes = new Map(found.monitors.map(({ id, uptime }) => [id, uptime]));
  const monitors = await readListedMonitors(ctx.db, [...uptimes.keys()]);
  return { items: monitors.map(withUptime(uptimes)), total: found.total };
}

async function readUptimes(
  ctx: Running,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number | null>> {
  const now = ctx.clock.now();
  return ids.length === 0 ? new Map() : uptimeByMonitor(ctx.db, ids, now - FIGURES_WINDOW_MS, now);
}

const withUptime =
  (uptimes: ReadonlyMap<number, number | null>) =>
  (monitor: ListedMonitor): ShownMonitor => ({
    ...monitor,
    uptimePercentage: uptimes.get(monitor.id) ?? null,
  });

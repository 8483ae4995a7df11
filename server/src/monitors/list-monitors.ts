import {
  type Latencies,
  readLatencies,
  statusHistory,
  uptimeByMonitor,
} from "../engine/queries/transitions.ts";
import { bucketStart } from "../engine/results/precision.ts";
import { type StatusChange, uptimePercentage, worstStatus } from "../engine/status/uptime.ts";
import { type Plan, planOf } from "../platform/access/plans.ts";
import { countOwnedMonitors } from "../platform/access/queries/organizations.ts";
import { type Location, listLocations } from "../platform/database/installation.ts";
import type { Ref } from "../platform/database/sql.ts";
import { CHECKED_KINDS, type Status } from "../platform/monitor-defaults.ts";
import type { Running } from "../platform/operations/operation.ts";
import { isIconDue } from "./find-icon.ts";
import { type OfKind, type ShownMonitor, STATS_WINDOW_MS } from "./monitor.ts";
import type { ListedMonitor, MonitorFilter, MonitorSort } from "./queries/listed-monitors.ts";
import {
  countMonitors,
  listPicturedMonitors,
  PAGE_BY_UPTIME,
  type PicturedMonitor,
  readListedMonitors,
  readMonitorPage,
} from "./queries/monitor-list.ts";

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

interface ListMonitorsInput extends OfKind, MonitorFilters {
  /** Null: newest first. */
  sort?: MonitorListSort | null;
  offset: number;
  limit: number;
}

interface MonitorListSort {
  by: MonitorSort | "uptime";
  descending: boolean;
}

/** One page of the organization's monitors of a kind, newest first or sorted, in five queries however many they are. */
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
  const which = { ...filter, limit, offset, descending, from: to - STATS_WINDOW_MS, to };
  const found = await ctx.readInWorker(PAGE_BY_UPTIME, which);
  const uptimes = new Map(found.monitors.map(({ id, uptime }) => [id, uptime]));
  const monitors = await readListedMonitors(ctx.db, [...uptimes.keys()]);
  return { items: monitors.map(withUptime(uptimes)), total: found.total };
}

async function readUptimes(
  ctx: Running,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number | null>> {
  const now = ctx.clock.now();
  return ids.length === 0 ? new Map() : uptimeByMonitor(ctx.db, ids, now - STATS_WINDOW_MS, now);
}

const withUptime =
  (uptimes: ReadonlyMap<number, number | null>) =>
  (monitor: ListedMonitor): ShownMonitor => ({
    ...monitor,
    uptimePercentage: uptimes.get(monitor.id) ?? null,
  });

export interface MonitorLimits {
  plan: Plan;
  /** Domains and services that count towards the plan's number. */
  monitorsUsed: number;
  /** Oldest first. */
  locations: Location[];
}

/** What a monitor's settings are measured against: the plan of the caller's organization, and the locations. */
export async function monitorLimits({ db, caller }: Running): Promise<MonitorLimits> {
  return {
    plan: planOf(caller.plan),
    monitorsUsed: await countOwnedMonitors(db, caller.organizationId, CHECKED_KINDS),
    locations: await listLocations(db),
  };
}

const HOUR_SECONDS = 3_600;
const HOUR_MS = HOUR_SECONDS * 1000;
const HOURS = 24;

/** One hour, UTC, of a monitor; the present one ends now. */
interface MonitorHour {
  /** The hour's start, milliseconds. */
  at: number;
  /** The worst confirmed one; `unknown` where nothing was known. */
  status: Status;
  /** Time-weighted, 0…100; null where nothing was known. */
  uptime: number | null;
  /** Mean of the passed checks, microseconds; null without any. */
  averageUs: number | null;
}

/** What the row of a list draws of a monitor: 24 hours, oldest first. */
export interface MonitorSparkline extends PicturedMonitor {
  /** Its icon is to be looked for: none was yet, or long ago. */
  iconDue: boolean;
  hours: MonitorHour[];
}

/**
 * The last 24 hours of some of the organization's monitors of a kind, in the order of their ids, in three queries however
 * many they are; those that are unknown are left out.
 */
export async function listSparklines(
  ctx: Running,
  { kind, refs }: OfKind & { refs: readonly Ref[] },
): Promise<MonitorSparkline[]> {
  const { db } = ctx;
  const monitors = await listPicturedMonitors(db, {
    organizationId: ctx.caller.organizationId,
    kind,
    refs,
  });
  if (monitors.length === 0) return [];
  const now = ctx.clock.now();
  const from = bucketStart(now, HOUR_SECONDS) - (HOURS - 1) * HOUR_MS;
  const monitorIds = monitors.map(({ id }) => id);
  const histories = await statusHistory(db, monitorIds, from, now);
  const latencies = await readLatencies(db, { monitorIds, from, to: now + 1, periodSeconds: HOUR_SECONDS });
  return monitors.map((monitor, row) => {
    const history = histories.get(monitor.id) ?? [];
    const iconDue = isIconDue(monitor.icon, now);
    return { ...monitor, iconDue, hours: hoursOf(history, latencies, { row, now }) };
  });
}

function hoursOf(
  history: readonly StatusChange[],
  { bucketsAt, timed, sumUs }: Latencies,
  { row, now }: { row: number; now: number },
): MonitorHour[] {
  return bucketsAt.map((at, column) => {
    const until = Math.min(at + HOUR_MS, now);
    const cell = row * bucketsAt.length + column;
    const checks = timed[cell] ?? 0;
    return {
      at,
      status: worstStatus(history, at, until),
      uptime: uptimePercentage(history, at, until),
      averageUs: checks > 0 ? (sumUs[cell] ?? 0) / checks : null,
    };
  });
}

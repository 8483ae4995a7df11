import { type Incident, stillDown } from "../api/incidents.ts";
import type { Monitor, MonitorPage, MonitorStats } from "../api/monitor-list.ts";
import { countsOf, type Filter, filters, suppressorOf } from "../monitors/monitor-view.ts";

export type Tone = "down" | "degraded" | "unknown" | "up" | "paused";

/** Without the domains that live events have moved to another state since the list was read. */
export function stillIn<Item extends Monitor>(
  page: MonitorPage<Item>,
  state: "down" | "degraded",
): MonitorPage<Item> {
  const monitors = page.monitors.filter((monitor) => monitor.state === state);
  return { monitors, total: page.total - (page.monitors.length - monitors.length) };
}

/** As the page's lists have it: they know of a recovery a moment before the API's counts are read again. */
export function countsBeside(stats: MonitorStats, down: MonitorPage, degraded: MonitorPage) {
  const counts = countsOf(stats);
  const up = Math.max(0, counts.all - counts.unknown - counts.paused - down.total - degraded.total);
  return { ...counts, up, down: down.total, degraded: degraded.total };
}

export const addCounts = (all: readonly Record<Filter, number>[]): Record<Filter, number> => {
  const sum = (filter: Filter) => all.reduce((total, counts) => total + counts[filter], 0);
  return Object.fromEntries(filters.map((filter) => [filter, sum(filter)])) as Record<Filter, number>;
};

/** Lists of troubles as one, the newest first as in each of them. */
export function mergePages<Item extends Monitor>(pages: readonly MonitorPage<Item>[]): MonitorPage<Item> {
  const since = ({ statusSince }: Item) => statusSince ?? "";
  return {
    monitors: pages
      .flatMap(({ monitors }) => monitors)
      .toSorted((one, other) => (since(one) < since(other) ? 1 : since(one) > since(other) ? -1 : 0)),
    total: pages.reduce((total, page) => total + page.total, 0),
  };
}

/** The worst state that any monitor is in; `paused` when all of them are. */
export function toneOf(counts: Record<Filter, number>): Tone {
  return (["down", "degraded", "unknown", "up"] as const).find((tone) => counts[tone] > 0) ?? "paused";
}

/** Since when a list of troubles has been what it is; milliseconds. */
export interface Since {
  /** `only`: there is one; `longest` of all; `newest`: there are more than are shown, so the longest is not known. */
  which: "only" | "longest" | "newest";
  at: number;
}

/** `page` has the newest first. Null where nothing is known. */
export function sinceOf({ monitors, total }: MonitorPage): Since | null {
  const all = monitors.length >= total;
  const since = (all ? monitors.at(-1) : monitors[0])?.statusSince;
  if (!since) return null;
  return { which: !all ? "newest" : total === 1 ? "only" : "longest", at: Date.parse(since) };
}

/** The acknowledged incident that a monitor is down in; undefined: it is unacknowledged. */
const acknowledgementOf = ({ id }: Monitor, acknowledged: readonly Incident[]): Incident | undefined =>
  acknowledged.find((incident) => stillDown(incident).some(({ monitorId }) => monitorId === id));

/** Problems in the order shown: unacknowledged ones, then acknowledged ones or those without notifications. */
export function attendedLast<Item extends Monitor>(
  monitors: readonly Item[],
  acknowledged: readonly Incident[],
): { monitor: Item; isAttended: boolean; acknowledgement: Incident | undefined }[] {
  return monitors
    .map((monitor) => {
      const acknowledgement = acknowledgementOf(monitor, acknowledged);
      const isMuted = monitor.maintenanceUntil !== null || suppressorOf(monitor) !== null;
      return { monitor, acknowledgement, isAttended: isMuted || acknowledgement !== undefined };
    })
    .toSorted((one, other) => Number(one.isAttended) - Number(other.isAttended));
}

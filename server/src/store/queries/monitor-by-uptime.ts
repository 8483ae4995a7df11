import type { Db } from "../db.ts";
import type { MonitorFilter } from "./monitor-filter.ts";
import { listMonitorIdsByName } from "./monitor-list.ts";
import { uptimeByMonitor } from "./transitions.ts";

export interface UptimePage {
  /** In order, with their uptimes, 0…100; null where nothing was known. */
  monitors: { id: number; uptime: number | null }[];
  /** How many fit on all pages together. */
  total: number;
}

/**
 * One page of the monitors that fit, by their uptime between two times in milliseconds. Uptime is not stored: that of
 * every monitor that matches is computed. Equal ones are in the order of their names; unknown ones come last either
 * way.
 */
export async function pageByUptime(
  db: Db,
  which: MonitorFilter & { from: number; to: number; limit: number; offset: number; descending: boolean },
): Promise<UptimePage> {
  const { from, to, limit, offset, descending, ...filter } = which;
  const ids = await listMonitorIdsByName(db, filter);
  const uptimes = ids.length === 0 ? new Map() : await uptimeByMonitor(db, ids, from, to);
  const all = ids.map((id) => ({ id, uptime: (uptimes.get(id) ?? null) as number | null }));
  const way = descending ? -1 : 1;
  const known = all
    .filter((each): each is { id: number; uptime: number } => each.uptime !== null)
    .sort((a, b) => way * (a.uptime - b.uptime));
  const monitors = [...known, ...all.filter(({ uptime }) => uptime === null)].slice(offset, offset + limit);
  return { monitors, total: ids.length };
}

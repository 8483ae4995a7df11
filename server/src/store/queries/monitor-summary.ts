import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Db } from "../db.ts";
import { sumChecks } from "./check-sums.ts";
import {
  countMonitorsByStatus,
  readStandingMonitors,
  type StandingMonitors,
  type StatusCounts,
} from "./monitor-figures.ts";
import { uptimeByMonitor } from "./transitions.ts";

export interface MonitorSummary extends StatusCounts {
  /** Mean of the passed checks from `from` on, microseconds; null without any. */
  averageUs: number | null;
  /** Mean of the monitors' uptimes between `from` and `to`, 0…100; null while none is known. */
  averageUptime: number | null;
}

/** How an organization's monitors of a kind are doing as a whole, between two times in milliseconds. */
export async function readMonitorSummary(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; from: number; to: number },
): Promise<MonitorSummary> {
  const { organizationId, kind, from, to } = which;
  const counts = await countMonitorsByStatus(db, organizationId, kind);
  const standing = await readStandingMonitors(db, which);
  const sums = await sumChecks(db, { monitorIds: standing.monitorIds, from, now: to });
  return {
    ...counts,
    averageUs: sums.timed === 0 ? null : sums.sumUs / sums.timed,
    averageUptime: await averageUptime(db, standing, { from, to }),
  };
}

/** Of those that have not changed in the whole time it is known without their history. */
async function averageUptime(
  db: Db,
  { up, down, changedIds }: StandingMonitors,
  { from, to }: { from: number; to: number },
): Promise<number | null> {
  const uptimes = changedIds.length === 0 ? new Map() : await uptimeByMonitor(db, changedIds, from, to);
  let known = up + down;
  let sum = 100 * up;
  for (const uptime of uptimes.values()) {
    if (uptime === null) continue;
    known += 1;
    sum += uptime;
  }
  return known === 0 ? null : sum / known;
}

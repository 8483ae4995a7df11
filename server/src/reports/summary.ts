import type { CheckStats } from "../engine/queries/check-sums.ts";
import { type Recovery, recoveryOf } from "./outages.ts";
import type { MonitorReport, PeriodStats, ReportedMonitor } from "./queries/reports.ts";

/** What a period of time came to, as people read it. Milliseconds and microseconds, nothing is rounded. */
export interface Summary extends PeriodStats, Recovery {
  /** Time-weighted, 0…100; null where nothing was known. */
  uptime: number | null;
  /** How long the status was known, outside maintenance: the sum of time up and down. */
  knownMs: number;
  /** Of the passed checks, microseconds; null without any. */
  averageUs: number | null;
}

/** How many of the worst are named. */
const MAX_WORST = 5;

/** The same totals with what follows from them. */
export const summaryOf = (stats: PeriodStats): Summary => ({
  ...stats,
  ...recoveryOf(stats),
  uptime: uptimeOf(stats),
  knownMs: stats.upMs + stats.downMs,
  averageUs: averageOf(stats),
});

/** Share of the known time that was up, 0…100; null where nothing was known. */
export const uptimeOf = ({ upMs, downMs }: { upMs: number; downMs: number }): number | null =>
  upMs + downMs > 0 ? (100 * upMs) / (upMs + downMs) : null;

/** Mean time of the passed checks, microseconds; null without any. */
export const averageOf = ({ timed, sumUs }: Pick<CheckStats, "timed" | "sumUs">): number | null =>
  timed > 0 ? sumUs / timed : null;

/** The totals of a whole report. */
export interface ReportSummary {
  total: Summary;
  /** The same of the time of that length before. */
  previous: Summary;
  /** Those that were down, the least uptime first. */
  leastUptime: ReportedMonitor[];
  /** Those with the highest 95th percentile of response times, the slowest first. */
  slowest: ReportedMonitor[];
}

/** What a report comes to. Time counts for all monitors alike: one that was known for an hour counts for an hour. */
export function summarize(
  report: Pick<MonitorReport, "monitors" | "checks" | "previousChecks">,
): ReportSummary {
  const { monitors, checks, previousChecks } = report;
  return {
    total: summaryOf(
      together(
        monitors.map(({ figures: stats }) => stats),
        checks,
      ),
    ),
    previous: summaryOf(
      together(
        monitors.map(({ previous }) => previous),
        previousChecks,
      ),
    ),
    leastUptime: worst(monitors, ({ figures: stats }) =>
      stats.downMs > 0 ? 100 - (uptimeOf(stats) ?? 100) : 0,
    ),
    slowest: worst(monitors, ({ figures: stats }) => stats.p95Us ?? 0),
  };
}

function together(all: readonly PeriodStats[], checks: CheckStats): PeriodStats {
  const sum = { upMs: 0, downMs: 0, outages: 0, longestOutageMs: 0 };
  for (const { upMs, downMs, outages, longestOutageMs } of all) {
    sum.upMs += upMs;
    sum.downMs += downMs;
    sum.outages += outages;
    sum.longestOutageMs = Math.max(sum.longestOutageMs, longestOutageMs);
  }
  return { ...sum, ...checks };
}

/** Those of which `badness` is more than none, the worst first. */
function worst(
  monitors: readonly ReportedMonitor[],
  badness: (monitor: ReportedMonitor) => number,
): ReportedMonitor[] {
  return monitors
    .filter((monitor) => badness(monitor) > 0)
    .sort((a, b) => badness(b) - badness(a) || a.id - b.id)
    .slice(0, MAX_WORST);
}

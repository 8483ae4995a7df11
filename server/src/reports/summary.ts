import { uptimeOf } from "../engine/status/uptime.ts";
import { type Recovery, recoveryOf } from "./outages.ts";
import type { CheckStats } from "./queries/report-sums.ts";
import type { MonitorReport, PeriodStats, ReportedMonitor } from "./queries/reports.ts";

/** Milliseconds and microseconds, nothing is rounded. */
export interface Summary extends PeriodStats, Recovery {
  /** Time-weighted, 0…100; null: unknown. */
  uptime: number | null;
  /** Time up and down, outside maintenance. */
  knownMs: number;
  /** Of passed checks, microseconds; null without any. */
  averageUs: number | null;
}

const MAX_WORST = 5;

export const summaryOf = (stats: PeriodStats): Summary => ({
  ...stats,
  ...recoveryOf(stats),
  uptime: uptimeOf(stats),
  knownMs: stats.upMs + stats.downMs,
  averageUs: averageOf(stats),
});

/** Of passed checks, microseconds; null without any. */
export const averageOf = ({ timed, sumUs }: Pick<CheckStats, "timed" | "sumUs">): number | null =>
  timed > 0 ? sumUs / timed : null;

export interface ReportSummary {
  total: Summary;
  /** Of the period before. */
  previous: Summary;
  /** Those that were down, the least uptime first. */
  leastUptime: ReportedMonitor[];
  /** By 95th percentile, slowest first. */
  slowest: ReportedMonitor[];
}

/** Each monitor counts for the time in which it was known. */
export function summarize(
  report: Pick<MonitorReport, "monitors" | "checks" | "previousChecks">,
): ReportSummary {
  const { monitors, checks, previousChecks } = report;
  return {
    total: summaryOf(
      together(
        monitors.map(({ stats }) => stats),
        checks,
      ),
    ),
    previous: summaryOf(
      together(
        monitors.map(({ previous }) => previous),
        previousChecks,
      ),
    ),
    leastUptime: worst(monitors, ({ stats }) => (stats.downMs > 0 ? 100 - (uptimeOf(stats) ?? 100) : 0)),
    slowest: worst(monitors, ({ stats }) => stats.p95Us ?? 0),
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

/** Those with `badness` above zero, worst first. */
function worst(
  monitors: readonly ReportedMonitor[],
  badness: (monitor: ReportedMonitor) => number,
): ReportedMonitor[] {
  return monitors
    .filter((monitor) => badness(monitor) > 0)
    .sort((a, b) => badness(b) - badness(a) || a.id - b.id)
    .slice(0, MAX_WORST);
}

import type { ErrorBudget, Objective } from "../../engine/status/objective.ts";
import { uptimeOf } from "../../engine/status/uptime.ts";
import type { Context } from "../../platform/context.ts";
import { MONITOR_KINDS, type MonitorKind } from "../../platform/monitor-defaults.ts";
import {
  MONITOR_REPORT,
  type ReportedIncident,
  type ReportedMonitor,
  readMostSevereBegun,
} from "../queries/reports.ts";
import { windowOf } from "../report-points.ts";
import { type Summary, summarize } from "../summary.ts";

/** Of all kinds together. */
const MAX_WORST = 5;
const MAX_INCIDENTS = 10;

export interface KindTotals {
  kind: MonitorKind;
  monitors: number;
  total: Summary;
  previous: Summary;
}

export interface BudgetOf {
  name: string;
  objective: Objective;
  budget: ErrorBudget;
}

/** The content of a mail. Milliseconds and microseconds. */
export interface CollectedReport {
  kinds: KindTotals[];
  /** Those that were down, the least uptime first. */
  leastUptime: ReportedMonitor[];
  /** The slowest first. */
  slowest: ReportedMonitor[];
  /** Begun in the period, most severe and longest first, limited. */
  incidents: ReportedIncident[];
  incidentCount: number;
  /** The least left first. */
  budgets: BudgetOf[];
}

/** Between two times (milliseconds). Null: no monitors and no events. */
export async function collectReport(
  { store, clock }: Pick<Context, "store" | "clock">,
  { organizationId, from, to }: { organizationId: number; from: number; to: number },
): Promise<CollectedReport | null> {
  const window = windowOf({ from, to }, clock.now());
  const kinds: KindTotals[] = [];
  const least: ReportedMonitor[] = [];
  const slow: ReportedMonitor[] = [];
  const budgets: BudgetOf[] = [];
  for (const kind of MONITOR_KINDS) {
    const report = await store.readInWorker(MONITOR_REPORT, { organizationId, kind, ...window });
    const { total, previous, leastUptime, slowest } = summarize(report);
    if (report.monitors.length > 0) kinds.push({ kind, monitors: report.monitors.length, total, previous });
    least.push(...leastUptime);
    slow.push(...slowest);
    for (const { name, objective, budget } of report.monitors) {
      if (objective && budget) budgets.push({ name, objective, budget });
    }
  }
  const begun = await readMostSevereBegun(store.db, { organizationId, from, to: window.to }, MAX_INCIDENTS);
  if (kinds.length + begun.count === 0) return null;
  const left = ({ budget }: BudgetOf) => budget.leftPercent ?? 100;
  const uptime = ({ stats }: ReportedMonitor) => uptimeOf(stats) ?? 100;
  return {
    kinds,
    leastUptime: least.toSorted((a, b) => uptime(a) - uptime(b)).slice(0, MAX_WORST),
    slowest: slow.toSorted((a, b) => (b.stats.p95Us ?? 0) - (a.stats.p95Us ?? 0)).slice(0, MAX_WORST),
    incidents: begun.incidents,
    incidentCount: begun.count,
    budgets: budgets.toSorted((a, b) => left(a) - left(b)),
  };
}

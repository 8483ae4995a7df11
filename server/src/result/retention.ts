import { SESSION_IDLE_MS } from "../account/authenticate-session.ts";
import type { Context } from "../context.ts";
import { deleteExpiredInvitations } from "../store/queries/invitations.ts";
import { releaseLease, takeLease } from "../store/queries/meta.ts";
import {
  deleteLogBefore,
  deleteMonitorRollups,
  deleteMonitorRow,
  deletePacksBefore,
  deleteResultsBefore,
  deleteRollupsBefore,
  deleteTransitions,
  listRetainedMonitors,
  type RetainedMonitor,
} from "../store/queries/retention.ts";
import { deleteIdleSessions } from "../store/queries/sessions.ts";
import { keepPace, type Pace } from "./pace.ts";
import type { PeriodSeconds } from "./range.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Days that roll-ups are kept; those of whole days are kept for ever. */
const ROLLUP_DAYS = [
  [300, 35],
  [3600, 400],
] as const satisfies [PeriodSeconds, number][];
const LOG_DAYS = 400;
/** Results that were on their way when a monitor was deleted have arrived, or been turned away, by then. */
const DELETED_GRACE_MS = 10 * 60_000;
/** Results may carry a time somewhat before their monitor's creation or after its deletion: clocks differ. */
const MARGIN_MS = DAY_MS;
const MONITORS_A_PAGE = 200;
/** Of several replicas one removes at a time; one that dies at it blocks the others for this long. */
const LEASE = "retention_lease";
const LEASE_MS = HOUR_MS;

/** Rows removed, by what they were. */
export interface RetentionReport {
  results: number;
  /** Packed hours of results. */
  packs: number;
  rollups: number;
  transitions: number;
  monitors: number;
  auditEntries: number;
  notifications: number;
  slices: number;
  /** The longest that one slice took, milliseconds. */
  longestMs: number;
  /** False when the signal ended it early, or another replica is at it; the next run goes on. */
  finished: boolean;
}

export interface RetentionOptions {
  /** Days that a plan keeps raw results. */
  rawDaysOf(plan: string): number;
  /** Ends the run after the slice it is at. */
  signal?: AbortSignal;
}

/**
 * Removes what has been kept long enough: raw results by the plan's days, roll-ups of 5 minutes after
 * 35 days and of an hour after 400, audit entries and notifications after 400 days,
 * sessions after 30 idle ones, and of deleted monitors everything but their incidents. It works in slices
 * of about 8 ms with pauses between, so that a batch of results never waits long behind it.
 */
export async function runRetention(
  ctx: Pick<Context, "store" | "clock">,
  options: RetentionOptions,
): Promise<RetentionReport> {
  const { db } = ctx.store;
  const now = ctx.clock.now();
  const pace = keepPace(options.signal);
  const report = { ...NOTHING };
  const until = now + LEASE_MS;
  const mine = await takeLease(db, LEASE, now, until);
  if (mine) {
    await trim(ctx, pace, report, { ...options, now }).finally(() => releaseLease(db, LEASE, until));
  }
  return { ...report, slices: pace.slices, longestMs: pace.longestMs, finished: mine && !pace.aborted };
}

interface TrimOptions extends RetentionOptions {
  now: number;
}

async function trim(
  ctx: Pick<Context, "store">,
  pace: Pace,
  report: Counts,
  options: TrimOptions,
): Promise<void> {
  const { db } = ctx.store;
  const { now } = options;
  await pace.once(() => deleteIdleSessions(db, now - SESSION_IDLE_MS));
  await pace.once(() => deleteExpiredInvitations(db, now));
  await trimLogs(ctx, pace, report, now);
  for (const [periodSeconds, days] of ROLLUP_DAYS) {
    const before = now - days * DAY_MS;
    // A transaction, which is run again: results that come very late may lock the same rows in another order.
    report.rollups += await pace.drain((limit) =>
      ctx.store.transaction((trx) => deleteRollupsBefore(trx, { periodSeconds, before, limit })),
    );
  }
  await trimMonitors(ctx, pace, report, options);
}

const NOTHING = {
  results: 0,
  packs: 0,
  rollups: 0,
  transitions: 0,
  monitors: 0,
  auditEntries: 0,
  notifications: 0,
};
type Counts = typeof NOTHING;

async function trimLogs(ctx: Pick<Context, "store">, pace: Pace, report: Counts, now: number): Promise<void> {
  const { db } = ctx.store;
  const trimLog = (log: Parameters<typeof deleteLogBefore>[1], before: number) =>
    pace.drain((limit) => deleteLogBefore(db, log, { before, limit }));
  report.auditEntries = await trimLog("audit_log", now - LOG_DAYS * DAY_MS);
  report.notifications = await trimLog("notifications", now - LOG_DAYS * DAY_MS);
}

async function trimMonitors(
  ctx: Pick<Context, "store">,
  pace: Pace,
  report: Counts,
  { now, rawDaysOf }: TrimOptions,
): Promise<void> {
  const { db } = ctx.store;
  let afterId = 0;
  while (!pace.aborted) {
    const monitors = await pace.once(() => listRetainedMonitors(db, afterId, MONITORS_A_PAGE));
    for (const monitor of monitors) {
      afterId = monitor.id;
      const gone = monitor.deletedAt !== null && monitor.deletedAt < now - DELETED_GRACE_MS;
      const before = gone ? Number.MAX_SAFE_INTEGER : now - rawDaysOf(monitor.plan) * DAY_MS;
      report.results += await pace.drain((limit) =>
        deleteResultsBefore(db, { monitorId: monitor.id, before, limit }),
      );
      report.packs += await pace.drain((limit) =>
        deletePacksBefore(db, { monitorId: monitor.id, before, limit }),
      );
      if (gone) await removeMonitor(ctx, pace, report, monitor);
      if (pace.aborted) return;
    }
    if (monitors.length < MONITORS_A_PAGE) return;
  }
}

/** What is left of a deleted monitor after its results; the row goes last, so that a run cut short is resumed. */
async function removeMonitor(
  ctx: Pick<Context, "store">,
  pace: Pace,
  report: Counts,
  monitor: RetainedMonitor,
): Promise<void> {
  const { db } = ctx.store;
  const { id: monitorId, deletedAt } = monitor;
  const to = (deletedAt ?? 0) + MARGIN_MS;
  for (const periodSeconds of [300, 3600, 86_400] as const) {
    const days = ROLLUP_DAYS.find(([period]) => period === periodSeconds)?.[1];
    const kept = days === undefined ? 0 : to - (days + 2) * DAY_MS;
    let from = Math.max(monitor.createdAt - MARGIN_MS, kept);
    while (from < to && !pace.aborted) {
      const slice = { monitorId, periodSeconds, from, to };
      const { rows, next } = await pace.once((limit) => deleteMonitorRollups(db, { ...slice, limit }));
      report.rollups += rows;
      from = next;
    }
  }
  report.transitions += await pace.drain((limit) => deleteTransitions(db, { monitorId, limit }));
  if (pace.aborted) return;
  await pace.once(() => deleteMonitorRow(db, monitorId));
  report.monitors += 1;
}

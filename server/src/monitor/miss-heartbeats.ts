import { NO_PHASES } from "../check/check.ts";
import { passiveTypes } from "../check/registry.ts";
import type { Context } from "../context.ts";
import type { ProbeResult } from "../probe/link.ts";
import { LOCAL } from "../probe/location-probe.ts";
import { missedAt } from "../status/awaited.ts";
import { listOverdue, type WatchedMonitor } from "../store/queries/states.ts";
import { fact } from "../texts/fact.ts";

/**
 * The failed results of monitors that should have been told by now. Several processes find the same ones.
 * `watchingSince`: since when this one could have been told.
 */
export async function missHeartbeats(ctx: Context, watchingSince: number): Promise<ProbeResult[]> {
  const now = ctx.clock.now();
  const overdue = await listOverdue(ctx.store.db, passiveTypes, now);
  return overdue.flatMap((monitor) => {
    const at = missedByMonitor(monitor, watchingSince, now);
    return at === null ? [] : [missed(monitor, at)];
  });
}

function missedByMonitor(
  { config, state }: WatchedMonitor,
  watchingSince: number,
  now: number,
): number | null {
  const { intervalMs, timeoutMs: graceMs } = config;
  const vote = state.locations[LOCAL.code];
  // Told before it was paused, and not since it was resumed.
  const lastAt = vote?.lastAt ?? state.watchedSince;
  if (lastAt === null) return null;
  return missedAt({ lastAt, hasFailed: (vote?.failures ?? 0) > 0, intervalMs, graceMs }, watchingSince, now);
}

function missed({ monitorId, revision, config }: WatchedMonitor, at: number): ProbeResult {
  const reason = fact("timeout.heartbeat", { interval: config.intervalMs, grace: config.timeoutMs });
  return {
    monitorId,
    revision,
    location: LOCAL.code,
    scheduledAt: at,
    verdict: "failed",
    reason,
    statusCode: null,
    address: null,
    protocol: null,
    phases: NO_PHASES,
  };
}

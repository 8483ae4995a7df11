import { OUTCOMES } from "../checks/outcome.ts";
import { listResults } from "../engine/queries/results.ts";
import { reportDamage } from "../engine/results/pack-results.ts";
import type { StoredResult } from "../engine/results/stored-result.ts";
import { isMiss } from "../engine/status/late-signals.ts";
import { isPermitted } from "../platform/access/check-access.ts";
import type { MessageDescriptor } from "../platform/i18n/message.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import type { Running } from "../platform/operations/operation.ts";
import type { HeartbeatSignal } from "../platform/signalled-types.ts";
import { type HeartbeatEntry, listSignals } from "./queries/heartbeats.ts";

const DAY_MS = 86_400_000;
/** The longest that a plan keeps results. */
const FROM_MS = 90 * DAY_MS;

/** Signals of one moment on a page: more within a millisecond no monitor sends. */
const MAX_AT_ONCE = 1_000;

/** A signal of a job, or a missed one. Milliseconds; `runtimeMs` null: not measured. */
export interface HeartbeatItem {
  at: number;
  signal: HeartbeatSignal | "missed";
  exitCode: number | null;
  run: string;
  runtimeMs: number | null;
  reason: MessageDescriptor | null;
  /** What came along; null: nothing, or it is not for this reader. */
  message: string | null;
  isCut: boolean;
}

/**
 * The signals of a monitor's job, newest first: results, starts and log lines. `before`: milliseconds. Attached text may hold
 * secrets, so it is shown only to those who may change the service, and with it its address.
 */
export async function readHeartbeatLog(
  ctx: Running,
  monitorId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<HeartbeatItem[]> {
  const now = ctx.clock.now();
  // Another server's clock may be ahead.
  const range = { monitorId, from: now - FROM_MS, to: before ?? now + DAY_MS, limit };
  const results = await listResults(ctx.db, { ...range, onDamaged: reportDamage(ctx) });
  const signals = await listSignals(ctx.db, range);
  const items = merged(results, signals);
  const last = items[Math.min(limit, items.length) - 1];
  if (!last) return [];
  // Pages end between two times, because the next one continues by time: all signals of the last item's time are on this page.
  const sameMoment = { monitorId, from: last.at, to: last.at + 1, limit: MAX_AT_ONCE };
  const rest = signals.length < limit ? [] : await listSignals(ctx.db, sameMoment);
  const shown = [...signals.filter(({ signalledAt }) => signalledAt > last.at || rest.length === 0), ...rest];
  return merged(results, opened(ctx, shown)).filter(({ at }) => at >= last.at);
}

function opened({ caller, secrets }: Running, entries: readonly HeartbeatEntry[]): HeartbeatEntry[] {
  const { resource } = MONITOR_KIND_TRAITS.service;
  const change = { action: "write", resource, features: [] } as const;
  const mayRead = isPermitted(caller, change);
  return entries.map((entry) => ({
    ...entry,
    message: mayRead && entry.message !== null ? secrets.open(entry.message) : null,
  }));
}

/** An end is a result, and what came along with it beside that. */
function merged(results: readonly StoredResult[], entries: readonly HeartbeatEntry[]): HeartbeatItem[] {
  const isEnd = ({ signal }: HeartbeatEntry) => signal === "ok" || signal === "fail";
  const ends = new Map(entries.filter(isEnd).map((entry) => [entry.signalledAt, entry]));
  const listed = results.map((result) => ofResult(result, ends.get(result.scheduledAt)));
  const others = entries.filter((entry) => !isEnd(entry)).map(ofEntry);
  return [...listed, ...others].sort((a, b) => b.at - a.at);
}

const ofEntry = ({ signalledAt: at, ...entry }: HeartbeatEntry): HeartbeatItem => ({
  at,
  ...entry,
  runtimeMs: null,
  reason: null,
});

function ofResult(result: StoredResult, entry: HeartbeatEntry | undefined): HeartbeatItem {
  const { outcome, reason, totalUs } = result;
  const isLate = isMiss(reason) || reason?.code === "timeout.run";
  const exit = reason?.code === "job.exit" ? Number(reason.params?.["exit"]) : null;
  return {
    at: result.scheduledAt,
    signal: outcome === OUTCOMES.ok.stored ? "ok" : isLate ? "missed" : "fail",
    exitCode: entry?.exitCode ?? exit,
    run: entry?.run ?? "",
    runtimeMs: totalUs === null ? null : totalUs / 1000,
    reason,
    message: entry?.message ?? null,
    isCut: entry?.isCut ?? false,
  };
}

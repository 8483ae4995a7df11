import { OUTCOME_NAMES, OUTCOMES } from "../../check/outcome.ts";
import { unprobedTypes } from "../../check/registry.ts";
import { reportDamage } from "../../result/packing.ts";
import type { StoredResult } from "../../result/stored-result.ts";
import { freshForMs } from "../../status/quorum.ts";
import { initialState, type StatusConfig } from "../../status/state.ts";
import { listLocations } from "../../store/queries/meta.ts";
import type { Monitor } from "../../store/queries/monitors.ts";
import { listResults } from "../../store/queries/results.ts";
import { listTransitions, type RecordedChange } from "../../store/queries/transitions.ts";
import type { Running } from "../../verb/verb.ts";
import { type Mark, type Period, type ReceivedResult, stateBefore } from "./replay.ts";

/** A check as it was stored, with the code of its location. */
export type LocatedResult = StoredResult & { location: string };

/** What the store has about an outage: what was recorded, and what to replay. */
export interface StoredPeriod {
  span: OutageSpan;
  recorded: RecordedChange[];
  results: LocatedResult[];
  period: Period;
  /** When the first result came that was one too many; null: all were read. */
  cutAt: number | null;
}

/** Which outage, and how many results may be read for it. Milliseconds. */
export interface OutageSpan {
  startedAt: number;
  endedAt: number | null;
  maxResults: number;
}

const DAY_MS = 86_400_000;
const MAX_TRANSITIONS = 500;

/** The settings that the rules go by. Nobody knows those of the past: they are the present ones. */
export const configOf = (monitor: Monitor): StatusConfig => ({
  intervalMs: monitor.intervalSeconds * 1000,
  timeoutMs: monitor.timeoutSeconds * 1000,
  confirmations: monitor.confirmations,
  recoveries: monitor.recoveries,
  maintenance: false,
});

/** Reads the results from a quiet moment before the outage until its end has been seen. */
export async function readPeriod(ctx: Running, monitor: Monitor, span: OutageSpan): Promise<StoredPeriod> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const config = configOf(monitor);
  const quietMs = Math.min(DAY_MS, quietTime(config));
  const until = Math.min(now, (span.endedAt ?? now) + quietMs);
  const earliest = span.startedAt - DAY_MS;
  const changes = await listTransitions(db, { monitorId: monitor.id, to: until + 1, limit: MAX_TRANSITIONS });
  const begunAt = quietMoment(changes, { startedAt: span.startedAt, quietMs, earliest });
  const read = await listResults(db, {
    ...{ monitorId: monitor.id, from: begunAt - quietMs, to: until + 1, order: "asc" },
    ...{ limit: span.maxResults + 1, onDamaged: reportDamage(ctx) },
  });
  const codes = new Map((await listLocations(db)).map(({ id, code }) => [id, code]));
  const results = read
    .slice(0, span.maxResults)
    .map((result) => ({ ...result, location: codes.get(result.locationId) ?? "unknown" }));
  const cutAt = read[span.maxResults]?.scheduledAt ?? null;
  const received = results.map((result) => toReceivedResult(result, config));
  const before = changes.findLast(({ at }) => at <= begunAt);
  const known = {
    status: before?.toStatus ?? "unknown",
    since: before?.at ?? 0,
    initial: initialState(0),
  } as const;
  const inMaintenance = before?.maintenance ?? false;
  const period: Period = {
    begin: {
      ...stateBefore(
        known,
        received.filter(({ at }) => at < begunAt),
        config,
      ),
      maintenance: inMaintenance,
    },
    results: received.filter(({ at }) => at >= begunAt),
    marks: changes.filter(({ at }) => at >= begunAt).flatMap(markOf),
    config: { ...config, maintenance: inMaintenance },
    isSwept: !unprobedTypes.includes(monitor.type),
    until: Math.min(until, cutAt ?? until),
  };
  const recorded = changes.filter(({ at }) => at >= span.startedAt && at <= (span.endedAt ?? until));
  return { span, recorded, results, period, cutAt };
}

/** Long enough for flapping to be over, and for each location to have said how it is. */
const quietTime = (config: StatusConfig): number =>
  Math.max(
    10 * config.intervalMs,
    2 * freshForMs(config),
    (config.confirmations + config.recoveries) * config.intervalMs,
  );

/** When nothing had changed for a while before the outage: there a replay knows all that matters. */
function quietMoment(
  changes: readonly RecordedChange[],
  { startedAt, quietMs, earliest }: { startedAt: number; quietMs: number; earliest: number },
): number {
  let at = startedAt - quietMs;
  for (const change of changes.toReversed()) {
    if (change.at >= startedAt) continue;
    if (change.at <= at - quietMs || at <= earliest) break;
    at = Math.min(at, change.at - quietMs);
  }
  return Math.max(at, earliest);
}

const MARKS: Record<string, Mark["type"]> = {
  "watch.paused": "stopped",
  "watch.changed": "stopped",
  "watch.deleted": "stopped",
  "watch.maintenance_began": "maintenance_began",
  "watch.maintenance_ended": "maintenance_ended",
  "watch.behind": "held_back",
  "watch.released": "released",
};

/** It was held back from the moment at which it was down: a parent that is waited for is as good as one that is down. */
function markOf({ reason, detectedAt }: RecordedChange, index: number, all: RecordedChange[]): Mark[] {
  const type = MARKS[reason?.code ?? ""];
  if (!type) return [];
  const began = all.slice(0, index).findLast(({ fromStatus, toStatus }) => fromStatus !== toStatus);
  return [{ type, at: type === "held_back" && began ? began.at - 1 : detectedAt }];
}

/** When its answer was there: a check that ran out of time has used it all. */
function toReceivedResult(result: LocatedResult, { timeoutMs }: StatusConfig): ReceivedResult {
  const { scheduledAt: at, location, reason, totalUs } = result;
  const isTimeout = reason?.code.startsWith("timeout.") ?? false;
  const tookMs = totalUs === null ? (isTimeout ? timeoutMs : 0) : totalUs / 1000;
  const verdict = OUTCOME_NAMES.find((name) => OUTCOMES[name].stored === result.outcome) ?? "probe_fault";
  return { location, at, verdict, reason, receivedAt: Math.round(at + tookMs) };
}

import { listResults, resultId, timeOfResult } from "../engine/queries/results.ts";
import { listStatusChanges, type StatusChangeRow } from "../engine/queries/transitions.ts";
import { reportDamage } from "../engine/results/pack-results.ts";
import { type RangeName, resolveRange } from "../engine/results/precision.ts";
import type { StoredResult } from "../engine/results/stored-result.ts";
import { listLocations } from "../platform/database/installation.ts";
import type { MessageDescriptor } from "../platform/i18n/message.ts";
import type { Status } from "../platform/monitor-defaults.ts";
import type { Running } from "../platform/operations/operation.ts";
import { mapInTurns } from "../platform/turns.ts";

/** One check as it was stored, with the code of the location it ran at. */
export interface HistoryItem extends StoredResult {
  location: string;
  /** Unique within the monitor. */
  id: number;
}

/** `range` left out: as far back as results are stored; `before`: an id. */
export interface HistoryInput {
  range?: RangeName;
  limit: number;
  before?: number;
}

/**
 * The checks of a monitor within a range, newest first, of all locations together; `before` the one of that id, where
 * it is given.
 */
export async function monitorHistory(
  ctx: Running,
  { id }: { id: number },
  { range, limit, before = Number.MAX_SAFE_INTEGER }: HistoryInput,
): Promise<HistoryItem[]> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const from = range === undefined ? 0 : resolveRange(range, now).fromMs;
  const codes = new Map((await listLocations(db)).map((location) => [location.id, location.code]));
  const results = await listResults(db, {
    monitorId: id,
    from,
    to: Math.min(now, timeOfResult(before)) + 1,
    // Of the moment that it lies in, each location may have one that is newer.
    limit: limit + codes.size,
    onDamaged: reportDamage(ctx),
  });
  const older = results.filter((result) => resultId(result) < before).slice(0, limit);
  return mapInTurns(older, (result) => ({
    ...result,
    id: resultId(result),
    location: codes.get(result.locationId) ?? "unknown",
  }));
}

const DAY_MS = 86_400_000;

/** A time in which a monitor had one status. Milliseconds. */
export interface StatusPeriod {
  state: Status | "paused";
  startedAt: number;
  /** Null while it goes on. */
  endedAt: number | null;
  maintenance: boolean;
  reason: MessageDescriptor | null;
}

/**
 * A monitor's status over some days, newest period first; the oldest may have begun before them. Where nothing is said
 * of a time, the monitor had no status yet.
 */
export async function statusHistory(
  { db, clock }: Running,
  { id }: { id: number },
  { days, limit }: { days: number; limit: number },
): Promise<StatusPeriod[]> {
  const now = clock.now();
  const changes = await listStatusChanges(db, {
    monitorId: id,
    from: now - days * DAY_MS,
    to: now + 1,
    limit,
  });
  return changes.map((change, at) => ({
    state: stateOf(change),
    startedAt: change.at,
    endedAt: changes[at - 1]?.at ?? null,
    maintenance: change.maintenance,
    reason: change.reason,
  }));
}

const stateOf = ({ status, reason }: StatusChangeRow): StatusPeriod["state"] =>
  status === "unknown" && reason?.code === "watch.paused" ? "paused" : status;

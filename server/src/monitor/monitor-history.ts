import { type RangeName, resolveRange } from "../result/range.ts";
import { reportDamage } from "../result/report-damage.ts";
import type { StoredResult } from "../result/stored-result.ts";
import { listLocations } from "../store/queries/meta.ts";
import { listResults, resultId, timeOfResult } from "../store/queries/results.ts";
import { mapInTurns } from "../turns.ts";
import type { Running } from "../verb/verb.ts";

/** One check as it was stored, with the code of the location it ran at. */
export interface HistoryItem extends StoredResult {
  location: string;
  /** Unique within the monitor. */
  id: number;
}

/** `range` left out: as far back as results are kept; `before`: an id. */
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

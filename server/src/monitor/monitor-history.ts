import { type RangeName, resolveRange } from "../result/range.ts";
import { reportDamage } from "../result/report-damage.ts";
import type { StoredResult } from "../result/stored-result.ts";
import { listLocations } from "../store/queries/locations.ts";
import { listResults, resultId, timeOfResult } from "../store/queries/results.ts";
import { mapInTurns } from "../turns.ts";
import type { Running } from "../verb/verb.ts";

/** One check as it was stored, with the code of the location it ran at. */
export interface HistoryItem extends StoredResult {
  location: string;
  /** Unique within the monitor. */
  id: number;
}

/**
 * The checks of a monitor within a range, newest first, of all locations together; `before` the one of that id, where
 * it is given.
 */
export async function monitorHistory(
  ctx: Running,
  { id }: { id: number },
  { range, limit, before = Number.MAX_SAFE_INTEGER }: { range: RangeName; limit: number; before?: number },
): Promise<HistoryItem[]> {
  const { db } = ctx;
  const { fromMs, toMs } = resolveRange(range, ctx.clock.now());
  const codes = new Map((await listLocations(db)).map((location) => [location.id, location.code]));
  const results = await listResults(db, {
    monitorId: id,
    from: fromMs,
    to: Math.min(toMs, timeOfResult(before)) + 1,
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

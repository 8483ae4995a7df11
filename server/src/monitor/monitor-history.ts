import { type RangeName, resolveRange } from "../result/range.ts";
import { reportDamage } from "../result/report-damage.ts";
import type { StoredResult } from "../result/stored-result.ts";
import { listLocations } from "../store/queries/locations.ts";
import { listResults, resultId } from "../store/queries/results.ts";
import { mapInTurns } from "../turns.ts";
import type { Running } from "../verb/verb.ts";

/** One check as it was stored, with the code of the location it ran at. */
export interface HistoryItem extends StoredResult {
  location: string;
  /** Unique within the monitor. */
  id: number;
}

/** The checks of a monitor within a range, newest first, of all locations together. */
export async function monitorHistory(
  ctx: Running,
  { id }: { id: number },
  input: { range: RangeName; limit: number },
): Promise<HistoryItem[]> {
  const { db } = ctx;
  const { fromMs, toMs } = resolveRange(input.range, ctx.clock.now());
  const which = { monitorId: id, from: fromMs, to: toMs + 1, limit: input.limit };
  const results = await listResults(db, { ...which, onDamaged: reportDamage(ctx) });
  const codes = new Map((await listLocations(db)).map((location) => [location.id, location.code]));
  return mapInTurns(results, (result) => ({
    ...result,
    id: resultId(result),
    location: codes.get(result.locationId) ?? "unknown",
  }));
}

import { type RangeName, resolveRange } from "../result/range.ts";
import { reportDamage } from "../result/report-damage.ts";
import type { StoredResult } from "../result/stored-result.ts";
import { listLocations } from "../store/queries/locations.ts";
import { listResultsByLocation } from "../store/queries/results.ts";
import type { Running } from "../verb/verb.ts";

/**
 * The checks of a monitor within a range by location code, each newest first. A location that has not
 * checked it within the range is absent.
 */
export async function monitorLocations(
  ctx: Running,
  { id }: { id: number },
  input: { range: RangeName; limit: number },
): Promise<Map<string, StoredResult[]>> {
  const { db } = ctx;
  const { fromMs, toMs } = resolveRange(input.range, ctx.clock.now());
  const which = { monitorId: id, from: fromMs, to: toMs + 1, limitPerLocation: input.limit };
  const results = await listResultsByLocation(db, { ...which, onDamaged: reportDamage(ctx) });
  const byLocation = new Map<string, StoredResult[]>();
  const byId = Map.groupBy(results, ({ locationId }) => locationId);
  for (const { id: locationId, code } of await listLocations(db)) {
    const own = byId.get(locationId);
    if (own) byLocation.set(code, own);
  }
  return byLocation;
}

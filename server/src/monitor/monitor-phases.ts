import type { Phases } from "../check/check.ts";
import { percentiles } from "../result/histogram.ts";
import { type RangeName, resolveRange } from "../result/range.ts";
import { reportDamage } from "../result/report-damage.ts";
import { type PhaseSums, sumPhases } from "../store/queries/check-sums.ts";
import { readRollups } from "../store/queries/rollups.ts";
import type { Running } from "../verb/verb.ts";

/**
 * What a stretch of time was like: means over the passed checks, null where there was none, and all but the total also
 * where the results are older than the plan keeps them.
 */
export interface PhasesPoint extends Phases {
  /** Its start, milliseconds. */
  at: number;
  /** Checks that reached a verdict, and those of them that failed. */
  checks: number;
  failures: number;
  /** What that share of the passed checks stayed below, microseconds; null also where it was not asked for. */
  p95Us: number | null;
  p99Us: number | null;
}

const PERCENTAGES = [95, 99];

/**
 * What a monitor's response time was made of over a range, oldest first, in points as long as a trend's;
 * none where nothing was checked.
 */
export async function monitorPhases(
  ctx: Running,
  { id }: { id: number },
  input: { range: RangeName; percentiles: boolean },
): Promise<PhasesPoint[]> {
  const { db } = ctx;
  const { fromMs, toMs, periodSeconds } = resolveRange(input.range, ctx.clock.now());
  const which = { from: fromMs, to: toMs + 1, periodSeconds };
  const buckets = await readRollups(db, {
    ...which,
    monitorIds: [id],
    groupBy: "bucket",
    histograms: input.percentiles,
  });
  const phases = await sumPhases(db, { ...which, monitorId: id, onDamaged: reportDamage(ctx) });
  return buckets.map(({ bucketAt, checks, failures, timed, sumUs, histogram }) => {
    const at = bucketAt as number;
    const totalUs = timed > 0 ? sumUs / timed : null;
    const [p95Us = null, p99Us = null] = percentiles(histogram, PERCENTAGES);
    return { at, checks, failures, ...meansOf(phases.get(at)), totalUs, p95Us, p99Us };
  });
}

function meansOf(sums: PhaseSums | undefined) {
  const mean = (sumUs: number | null | undefined) => (sums && sumUs != null ? sumUs / sums.timed : null);
  return {
    dnsUs: mean(sums?.dnsUs),
    connectUs: mean(sums?.connectUs),
    tlsUs: mean(sums?.tlsUs),
    firstByteUs: mean(sums?.firstByteUs),
    transferUs: mean(sums?.transferUs),
  };
}

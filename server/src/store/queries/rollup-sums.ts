import { OUTCOMES } from "../../check/outcome.ts";
import { encodeHistogram } from "../../result/histogram.ts";
import { bucketStart, type PeriodSeconds } from "../../result/range.ts";
import type { StoredResult } from "../../result/stored-result.ts";

/** What checks add up to. */
export interface RollupStats {
  /** Checks that reached a verdict, those of them that failed, and those that passed and were timed. */
  checks: number;
  failures: number;
  timed: number;
  /** Latency of the timed checks, microseconds: sum, smallest, largest. */
  sumUs: number;
  minUs: number | null;
  maxUs: number | null;
}

export const NO_STATS: RollupStats = { checks: 0, failures: 0, timed: 0, sumUs: 0, minUs: null, maxUs: null };

/** Adds the second one's figures to the first. */
export function addStats(to: RollupStats, more: RollupStats): void {
  to.checks += more.checks;
  to.failures += more.failures;
  to.timed += more.timed;
  to.sumUs += more.sumUs;
  if (more.minUs !== null) to.minUs = Math.min(to.minUs ?? more.minUs, more.minUs);
  if (more.maxUs !== null) to.maxUs = Math.max(to.maxUs ?? more.maxUs, more.maxUs);
}

/** What some results add to one row of the roll-ups. Times in milliseconds. */
export interface RollupSum extends RollupStats {
  periodSeconds: PeriodSeconds;
  bucketAt: number;
  monitorId: number;
  locationId: number;
  /** Parts of result/histogram.ts, which merge by being joined. */
  histogram: Uint8Array;
}

/** Sums by monitor; one has a handful at most. */
type Sums<S extends RollupSum> = Map<number, S[]>;
type Timed = RollupSum & { latenciesUs: number[] };

const { failed, probe_fault } = OUTCOMES;
const SHORTEST = 300;
const LONGER: readonly PeriodSeconds[] = [3600, 86_400];
const NO_BYTES = new Uint8Array();

/**
 * The sums of results over 5 minutes, an hour and a day. The longer ones are added up from the shorter
 * ones: most batches lie in one bucket of each, and then nothing is computed twice.
 */
export function sumUp(results: readonly StoredResult[]): RollupSum[] {
  let sums = sumShortest(results);
  const all = [...sums];
  for (const period of LONGER) {
    sums = widen(sums, period);
    for (const sum of sums) all.push(sum);
  }
  return all;
}

function sumShortest(results: readonly StoredResult[]): RollupSum[] {
  const sums: Sums<Timed> = new Map();
  for (const result of results) {
    const bucketAt = bucketStart(result.scheduledAt, SHORTEST);
    const known = find(sums, bucketAt, result);
    addResult(known ?? add(sums, { ...emptySum(bucketAt, result), latenciesUs: [] }), result);
  }
  const found = inOrder(sums);
  for (const sum of found) sum.histogram = encodeHistogram(sum.latenciesUs);
  return found;
}

function widen(shorter: readonly RollupSum[], periodSeconds: PeriodSeconds): RollupSum[] {
  const sums: Sums<RollupSum> = new Map();
  for (const sum of shorter) {
    const bucketAt = bucketStart(sum.bucketAt, periodSeconds);
    const known = find(sums, bucketAt, sum);
    if (known) addSum(known, sum);
    else add(sums, { ...sum, periodSeconds, bucketAt });
  }
  return inOrder(sums);
}

function find<S extends RollupSum>(
  sums: Sums<S>,
  bucketAt: number,
  { monitorId, locationId }: { monitorId: number; locationId: number },
): S | undefined {
  return sums.get(monitorId)?.find((sum) => sum.bucketAt === bucketAt && sum.locationId === locationId);
}

function add<S extends RollupSum>(sums: Sums<S>, sum: S): S {
  const own = sums.get(sum.monitorId);
  if (own) own.push(sum);
  else sums.set(sum.monitorId, [sum]);
  return sum;
}

/** The same order in every transaction, so that two cannot wait for each other in a circle. */
const inOrder = <S extends RollupSum>(sums: Sums<S>): S[] =>
  [...sums.values()]
    .flat()
    .sort((a, b) => a.bucketAt - b.bucketAt || a.monitorId - b.monitorId || a.locationId - b.locationId);

const emptySum = (bucketAt: number, { monitorId, locationId }: StoredResult): RollupSum => ({
  periodSeconds: SHORTEST,
  bucketAt,
  monitorId,
  locationId,
  ...NO_STATS,
  histogram: NO_BYTES,
});

/** A probe's own fault leaves a row behind (the location was at work) but counts as no check. */
function addResult(sum: Timed, { outcome, totalUs }: StoredResult): void {
  if (outcome === probe_fault.stored) return;
  sum.checks += 1;
  if (outcome === failed.stored) sum.failures += 1;
  else if (totalUs !== null) {
    sum.timed += 1;
    sum.sumUs += totalUs;
    sum.minUs = Math.min(sum.minUs ?? totalUs, totalUs);
    sum.maxUs = Math.max(sum.maxUs ?? totalUs, totalUs);
    sum.latenciesUs.push(totalUs);
  }
}

function addSum(sum: RollupSum, more: RollupSum): void {
  addStats(sum, more);
  sum.histogram = Buffer.concat([sum.histogram, more.histogram]);
}

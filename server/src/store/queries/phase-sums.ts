import type { Phases } from "../../check/check.ts";
import { OUTCOMES } from "../../check/outcome.ts";
import type { DamagedPackError } from "../../result/pack.ts";
import { bucketStart, type PeriodSeconds } from "../../result/range.ts";
import type { StoredResult } from "../../result/stored-result.ts";
import { takeTurns } from "../../turns.ts";
import type { Db } from "../db.ts";
import { eachPart } from "./results.ts";

/** What the passed and timed checks of a bucket add up to, microseconds; null for a phase that none of them had. */
export interface PhaseSums extends Phases {
  /** How many they are: above 0. */
  timed: number;
  totalUs: number;
}

interface PhasesQuery {
  monitorId: number;
  /** Milliseconds, the start of a bucket; `to` is exclusive. */
  from: number;
  to: number;
  periodSeconds: PeriodSeconds;
  /** Hears of packed hours that cannot be read and are left out. */
  onDamaged: (error: DamagedPackError) => void;
}

const { failed, probe_fault } = OUTCOMES;
/** More than a month of checks every second has. */
const MAX_RESULTS = 10_000_000;

/**
 * The phases of a monitor's checks by bucket (its start, milliseconds), all locations together, from the
 * results themselves: buckets that are older than results are kept are absent.
 */
export async function sumPhases(db: Db, query: PhasesQuery): Promise<Map<number, PhaseSums>> {
  const { periodSeconds, ...range } = query;
  const sums = new Map<number, PhaseSums>();
  const giveWay = takeTurns();
  for await (const part of eachPart(db, { ...range, order: "asc", limit: MAX_RESULTS })) {
    for (const result of part) addResult(sums, result, periodSeconds);
    await giveWay();
  }
  return sums;
}

function addResult(sums: Map<number, PhaseSums>, result: StoredResult, periodSeconds: PeriodSeconds): void {
  const { outcome, totalUs } = result;
  // As the roll-ups count: a check that failed, or that the probe did not trust, has no response time.
  if (totalUs === null || outcome === failed.stored || outcome === probe_fault.stored) return;
  const at = bucketStart(result.scheduledAt, periodSeconds);
  const sum = sums.get(at);
  if (!sum) {
    const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs } = result;
    sums.set(at, { timed: 1, dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs });
    return;
  }
  sum.timed += 1;
  sum.totalUs += totalUs;
  if (result.dnsUs !== null) sum.dnsUs = (sum.dnsUs ?? 0) + result.dnsUs;
  if (result.connectUs !== null) sum.connectUs = (sum.connectUs ?? 0) + result.connectUs;
  if (result.tlsUs !== null) sum.tlsUs = (sum.tlsUs ?? 0) + result.tlsUs;
  if (result.firstByteUs !== null) sum.firstByteUs = (sum.firstByteUs ?? 0) + result.firstByteUs;
  if (result.transferUs !== null) sum.transferUs = (sum.transferUs ?? 0) + result.transferUs;
}

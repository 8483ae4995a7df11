import { sql } from "kysely";
import type { Phases } from "../../checks/check.ts";
import { OUTCOMES } from "../../checks/outcome.ts";
import type { Db } from "../../platform/database/schema.ts";
import type { PeriodSeconds } from "../../platform/database/table.ts";
import { takeTurns } from "../../platform/turns.ts";
import type { DamagedPackError } from "../results/pack-format.ts";
import { bucketStart, startsBetween } from "../results/precision.ts";
import type { StoredResult } from "../results/stored-result.ts";
import { eachPart } from "./results.ts";
import { type RollupRows, rowsAmong } from "./rollups.ts";

/** The passed checks of some monitors that were timed, and their durations together in microseconds. */
interface CheckSums {
  timed: number;
  sumUs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What monitors add up to from the hour that `from` lies in until `now` (milliseconds), at most some
 * days later. Read from whole days, and at the beginning from the hours that the first day has before
 * that hour or from it on, whichever are fewer: at most fourteen rows a monitor for a day's sums, not 25.
 */
export async function sumChecks(
  db: Db,
  which: { monitorIds: readonly number[]; from: number; now: number },
): Promise<CheckSums> {
  const { monitorIds, now } = which;
  if (monitorIds.length === 0) return { timed: 0, sumUs: 0 };
  const from = bucketStart(which.from, 3600);
  const firstDay = bucketStart(from, 86_400);
  const sum = (periodSeconds: 3600 | 86_400, begin: number, end: number) =>
    sumRows(db, { periodSeconds, buckets: startsBetween(begin, end, periodSeconds * 1000), monitorIds });
  const [before, after] = [
    [firstDay, from],
    [from, firstDay + DAY_MS],
  ] as const;
  if (from - firstDay <= DAY_MS / 2) {
    const days = await sum(86_400, firstDay, now + 1);
    const early = await sum(3600, ...before);
    return { timed: days.timed - early.timed, sumUs: days.sumUs - early.sumUs };
  }
  const days = await sum(86_400, firstDay + DAY_MS, now + 1);
  const late = await sum(3600, ...after);
  return { timed: days.timed + late.timed, sumUs: days.sumUs + late.sumUs };
}

async function sumRows(db: Db, wanted: RollupRows): Promise<CheckSums> {
  if (wanted.buckets.length === 0) return { timed: 0, sumUs: 0 };
  const { rows } = await sql<{ timed: number | null; sumUs: number | null }>`
    select sum(timed) as timed, sum(sum_us) as "sumUs" from ${rowsAmong(db, wanted)}`.execute(db);
  return { timed: Number(rows[0]?.timed ?? 0), sumUs: Number(rows[0]?.sumUs ?? 0) };
}

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
  /** Called with packed hours that cannot be read and are left out. */
  onDamaged: (error: DamagedPackError) => void;
}

const { failed, probe_fault } = OUTCOMES;
/** More than a month of checks every second has. */
const MAX_RESULTS = 10_000_000;

/**
 * The phases of a monitor's checks by bucket (its start, milliseconds), all locations together, from the
 * results themselves: buckets older than the retention of results are absent.
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

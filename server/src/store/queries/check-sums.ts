import { sql } from "kysely";
import { bucketStart } from "../../result/range.ts";
import type { Db } from "../db.ts";
import { type RollupRows, rowsAmong } from "./rollup-rows.ts";

/** The passed checks of some monitors that were timed, and their durations together in microseconds. */
export interface CheckSums {
  timed: number;
  sumUs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What monitors add up to from the hour that `from` lies in until `now` (milliseconds), at most some
 * days later. Read from whole days, and at the beginning from the hours that the first day has before
 * that hour or from it on, whichever are fewer: at most fourteen rows a monitor for a day's figures, not 25.
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

function startsBetween(begin: number, end: number, stepMs: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((end - begin) / stepMs)) }, (_, i) => begin + i * stepMs);
}

async function sumRows(db: Db, wanted: RollupRows): Promise<CheckSums> {
  if (wanted.buckets.length === 0) return { timed: 0, sumUs: 0 };
  const { rows } = await sql<{ timed: number | null; sumUs: number | null }>`
    select sum(timed) as timed, sum(sum_us) as "sumUs" from ${rowsAmong(db, wanted)}`.execute(db);
  return { timed: Number(rows[0]?.timed ?? 0), sumUs: Number(rows[0]?.sumUs ?? 0) };
}

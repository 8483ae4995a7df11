import { bucketStart } from "../result/range.ts";
import { timeByStatus } from "../status/uptime.ts";
import { type RollupPoint, readRollups } from "../store/queries/rollups.ts";
import { statusHistory } from "../store/queries/transitions.ts";
import type { Running } from "../verb/verb.ts";

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;

/** One day, UTC, of a monitor; today ends now. */
export interface MonitorDay {
  /** The day's start, milliseconds. */
  at: number;
  /** Time-weighted, 0…100; null where nothing was known. */
  uptime: number | null;
  /** Confirmed downtime outside maintenance. */
  downMs: number;
  /** Checks that reached a verdict, and those of them that failed. */
  checks: number;
  failures: number;
  /** Mean of the passed checks, microseconds; null without any. */
  averageUs: number | null;
}

/** A monitor day by day, oldest first, today last: exactly `days` of them. */
export async function monitorDays(
  ctx: Running,
  { id }: { id: number },
  input: { days: number },
): Promise<MonitorDay[]> {
  const { db } = ctx;
  const now = ctx.clock.now();
  const from = bucketStart(now, DAY_SECONDS) - (input.days - 1) * DAY_MS;
  const history = (await statusHistory(db, [id], from, now)).get(id) ?? [];
  const buckets = await readRollups(db, {
    monitorIds: [id],
    from,
    to: now + 1,
    periodSeconds: DAY_SECONDS,
    groupBy: "bucket",
  });
  const sums = new Map(buckets.map((bucket) => [bucket.bucketAt, bucket]));
  return Array.from({ length: input.days }, (_, day) => {
    const at = from + day * DAY_MS;
    const { upMs, downMs } = timeByStatus(history, at, Math.min(at + DAY_MS, now));
    const known = upMs + downMs;
    return { at, uptime: known > 0 ? (100 * upMs) / known : null, downMs, ...checksOf(sums.get(at)) };
  });
}

const checksOf = (sum: RollupPoint | undefined) => ({
  checks: sum?.checks ?? 0,
  failures: sum?.failures ?? 0,
  averageUs: sum && sum.timed > 0 ? sum.sumUs / sum.timed : null,
});

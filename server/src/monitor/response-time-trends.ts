import { type RangeName, resolveRange } from "../result/range.ts";
import { listMonitorNames } from "../store/queries/activity.ts";
import { countMonitors } from "../store/queries/monitor-list.ts";
import type { Monitor } from "../store/queries/monitors.ts";
import { type Latencies, readLatencies } from "../store/queries/transitions.ts";
import type { Running } from "../verb/verb.ts";
import type { OfKind } from "./monitor.ts";

/** Response times of one monitor over a range: passed checks only, microseconds, null without any. */
export interface ResponseTimeTrend {
  id: number;
  uuid: string;
  name: string;
  averageUs: number | null;
  minUs: number | null;
  maxUs: number | null;
  /** The mean of each bucket; NaN where no check passed. */
  averagesUs: Float64Array;
}

export interface ResponseTimeTrends {
  /** The buckets' starts, oldest first, milliseconds: the same for every monitor. */
  bucketsAt: readonly number[];
  trends: ResponseTimeTrend[];
}

interface TrendsInput extends OfKind {
  /** Only this monitor; null: all. */
  only: Monitor | null;
  range: RangeName;
  offset: number;
  limit: number;
}

/**
 * The response times of the organization's monitors of a kind, newest first, from the roll-ups: their cost
 * does not grow with the number of checks.
 */
export async function responseTimeTrends(
  ctx: Running,
  input: TrendsInput,
): Promise<ResponseTimeTrends & { total: number }> {
  const { db } = ctx;
  const { monitors, total } = await findPage(ctx, input);
  const { fromMs, toMs, periodSeconds } = resolveRange(input.range, ctx.clock.now(), monitors.length);
  const latencies = await readLatencies(db, {
    monitorIds: monitors.map(({ id }) => id),
    from: fromMs,
    to: toMs + 1,
    periodSeconds,
  });
  const { bucketsAt } = latencies;
  return { bucketsAt, trends: monitors.map((monitor, row) => trendOf(monitor, row, latencies)), total };
}

/** The monitors of the page that is asked for, and how many there are altogether. */
async function findPage(ctx: Running, { kind, only, offset, limit }: TrendsInput) {
  const { db } = ctx;
  const which = { organizationId: ctx.caller.organizationId, kind };
  if (only === null) {
    const monitors = await listMonitorNames(db, { ...which, limit, offset });
    return { monitors, total: await countMonitors(db, which) };
  }
  const { id, uuid, name } = only;
  return { monitors: offset === 0 ? [{ id, uuid, name }] : [], total: 1 };
}

function trendOf(
  monitor: { id: number; uuid: string; name: string },
  row: number,
  { bucketsAt, timed, sumUs, minUs, maxUs }: Latencies,
): ResponseTimeTrend {
  const first = row * bucketsAt.length;
  // It becomes the means in place: nobody else reads the sums.
  const averagesUs = sumUs.subarray(first, first + bucketsAt.length);
  let checks = 0;
  let togetherUs = 0;
  for (let i = 0; i < averagesUs.length; i += 1) {
    const count = timed[first + i] as number;
    const us = averagesUs[i] as number;
    checks += count;
    togetherUs += us;
    averagesUs[i] = us / count;
  }
  if (checks === 0) return { ...monitor, averageUs: null, minUs: null, maxUs: null, averagesUs };
  const [least = null, most = null] = [minUs[row], maxUs[row]];
  return { ...monitor, averageUs: togetherUs / checks, minUs: least, maxUs: most, averagesUs };
}

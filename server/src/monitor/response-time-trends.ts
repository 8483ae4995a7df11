import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { type RangeName, resolveRange } from "../result/range.ts";
import { listMonitorNames } from "../store/queries/monitor-figures.ts";
import { countMonitors } from "../store/queries/monitor-list.ts";
import { readRollups } from "../store/queries/rollups.ts";

/** Response times of one domain over a range: passed checks only, microseconds, null without any. */
export interface ResponseTimeTrend {
  id: number;
  uuid: string;
  name: string;
  averageUs: number | null;
  minUs: number | null;
  maxUs: number | null;
  /** One a bucket in which a check passed, oldest first; `at` is the bucket's start, milliseconds. */
  points: { at: number; averageUs: number }[];
}

/**
 * The response times of an organization's domains, newest domain first, from the roll-ups: their cost
 * does not grow with the number of checks.
 */
export async function responseTimeTrends(
  ctx: CallerContext,
  input: { organization?: string | undefined; range: RangeName; page: number; limit: number },
): Promise<{ items: ResponseTimeTrend[]; total: number }> {
  const { db } = ctx.store;
  const organizationId = await organizationScope(ctx, input.organization);
  const which = { organizationId, kind: "domain" } as const;
  const offset = (input.page - 1) * input.limit;
  const domains = await listMonitorNames(db, { ...which, limit: input.limit, offset });
  const { fromMs, toMs, periodSeconds } = resolveRange(input.range, ctx.clock.now());
  const buckets = await readRollups(db, {
    monitorIds: domains.map((domain) => domain.id),
    from: fromMs,
    to: toMs + 1,
    periodSeconds,
    groupBy: "monitor_bucket",
  });
  const trends = new Map(
    domains.map((domain) => [domain.id, { trend: emptyTrend(domain), sumUs: 0, timed: 0 }]),
  );
  for (const bucket of buckets) {
    const known = trends.get(bucket.monitorId ?? 0);
    if (!known || bucket.timed === 0) continue;
    known.sumUs += bucket.sumUs;
    known.timed += bucket.timed;
    addBucket(known.trend, bucket);
  }
  const items = [...trends.values()].map(({ trend, sumUs, timed }) => ({
    ...trend,
    averageUs: timed === 0 ? null : sumUs / timed,
  }));
  return { items, total: await countMonitors(db, which) };
}

const emptyTrend = (domain: { id: number; uuid: string; name: string }): ResponseTimeTrend => ({
  ...domain,
  averageUs: null,
  minUs: null,
  maxUs: null,
  points: [],
});

interface Bucket {
  bucketAt?: number;
  timed: number;
  sumUs: number;
  minUs: number | null;
  maxUs: number | null;
}

function addBucket(trend: ResponseTimeTrend, bucket: Bucket): void {
  if (bucket.minUs !== null) trend.minUs = Math.min(trend.minUs ?? bucket.minUs, bucket.minUs);
  if (bucket.maxUs !== null) trend.maxUs = Math.max(trend.maxUs ?? bucket.maxUs, bucket.maxUs);
  trend.points.push({ at: bucket.bucketAt ?? 0, averageUs: bucket.sumUs / bucket.timed });
}

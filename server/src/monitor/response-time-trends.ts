import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { type RangeName, resolveRange } from "../result/range.ts";
import { type LatencyPoint, readLatencies } from "../store/queries/latencies.ts";
import { listMonitorNames } from "../store/queries/monitor-figures.ts";
import { countMonitors } from "../store/queries/monitor-list.ts";
import { findMonitor, type MonitorRef } from "../store/queries/monitors.ts";

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

interface TrendsInput {
  organization?: string | undefined;
  /** Only this domain; all without it. */
  ref?: MonitorRef | undefined;
  range: RangeName;
  page: number;
  limit: number;
}

/**
 * The response times of an organization's domains, newest domain first, from the roll-ups: their cost
 * does not grow with the number of checks. Throws 404 for an organization that is not the caller's, and
 * for a domain that is not the organization's.
 */
export async function responseTimeTrends(
  ctx: CallerContext,
  input: TrendsInput,
): Promise<{ items: ResponseTimeTrend[]; total: number }> {
  const { db } = ctx.store;
  const { domains, total } = await findDomains(ctx, input);
  const { fromMs, toMs, periodSeconds } = resolveRange(input.range, ctx.clock.now(), domains.length);
  const series = await readLatencies(db, {
    monitorIds: domains.map((domain) => domain.id),
    from: fromMs,
    to: toMs + 1,
    periodSeconds,
  });
  return { items: domains.map((domain) => trendOf(domain, series.get(domain.id) ?? [])), total };
}

/** The domains of the page that is asked for, and how many there are altogether. */
async function findDomains(ctx: CallerContext, { organization, ref, page, limit }: TrendsInput) {
  const { db } = ctx.store;
  const organizationId = await organizationScope(ctx, organization);
  const which = { organizationId, kind: "domain" } as const;
  const offset = (page - 1) * limit;
  if (ref === undefined) {
    const domains = await listMonitorNames(db, { ...which, limit, offset });
    return { domains, total: await countMonitors(db, which) };
  }
  const domain = await findMonitor(db, { ...which, ref });
  if (!domain) throw notFound();
  const { id, uuid, name } = domain;
  return { domains: offset === 0 ? [{ id, uuid, name }] : [], total: 1 };
}

function trendOf(
  domain: { id: number; uuid: string; name: string },
  buckets: readonly LatencyPoint[],
): ResponseTimeTrend {
  const trend: ResponseTimeTrend = { ...domain, averageUs: null, minUs: null, maxUs: null, points: [] };
  let timed = 0;
  let sumUs = 0;
  for (const bucket of buckets) {
    timed += bucket.timed;
    sumUs += bucket.sumUs;
    trend.minUs = Math.min(trend.minUs ?? bucket.minUs, bucket.minUs);
    trend.maxUs = Math.max(trend.maxUs ?? bucket.maxUs, bucket.maxUs);
    trend.points.push({ at: bucket.at, averageUs: bucket.sumUs / bucket.timed });
  }
  if (timed > 0) trend.averageUs = sumUs / timed;
  return trend;
}

import { organizationScope } from "../account/resolve-organization.ts";
import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { type RangeName, resolveRange } from "../result/range.ts";
import { type LatencySeries, readLatencies } from "../store/queries/latencies.ts";
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
  /** One a bucket in which a check passed, oldest first, in two columns: the bucket's start (milliseconds), the mean. */
  points: { at: readonly number[]; averagesUs: readonly number[] };
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
  return { items: domains.map((domain) => trendOf(domain, series.get(domain.id))), total };
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
  series: LatencySeries | undefined,
): ResponseTimeTrend {
  if (!series) return { ...domain, ...NOTHING };
  const { at, timed, sumUs, minUs, maxUs } = series;
  const checks = timed.reduce((sum, count) => sum + count, 0);
  const averagesUs = sumUs.map((sum, i) => sum / (timed[i] as number));
  const averageUs = sumUs.reduce((sum, us) => sum + us, 0) / checks;
  return { ...domain, averageUs, minUs, maxUs, points: { at, averagesUs } };
}

const NOTHING = { averageUs: null, minUs: null, maxUs: null, points: { at: [], averagesUs: [] } };

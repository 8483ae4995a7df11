import type { CallerContext } from "../context.ts";
import { type RangeName, resolveRange } from "../result/range.ts";
import { type Latencies, readLatencies } from "../store/queries/latencies.ts";
import { listMonitorNames } from "../store/queries/monitor-figures.ts";
import { countMonitors } from "../store/queries/monitor-list.ts";
import type { MonitorRef } from "../store/queries/monitors.ts";
import { requireDomain } from "./require-domain.ts";

/** Response times of one domain over a range: passed checks only, microseconds, null without any. */
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
  /** The buckets' starts, oldest first, milliseconds: the same for every domain. */
  bucketsAt: readonly number[];
  trends: ResponseTimeTrend[];
}

interface TrendsInput {
  /** Only this domain; all without it. */
  ref?: MonitorRef | undefined;
  range: RangeName;
  page: number;
  limit: number;
}

/**
 * The response times of the organization's domains, newest domain first, from the roll-ups: their cost
 * does not grow with the number of checks. Throws 404 for a domain of no organization of the caller's.
 */
export async function responseTimeTrends(
  ctx: CallerContext,
  input: TrendsInput,
): Promise<ResponseTimeTrends & { total: number }> {
  const { db } = ctx.store;
  const { domains, total } = await findDomains(ctx, input);
  const { fromMs, toMs, periodSeconds } = resolveRange(input.range, ctx.clock.now(), domains.length);
  const latencies = await readLatencies(db, {
    monitorIds: domains.map((domain) => domain.id),
    from: fromMs,
    to: toMs + 1,
    periodSeconds,
  });
  const { bucketsAt } = latencies;
  return { bucketsAt, trends: domains.map((domain, row) => trendOf(domain, row, latencies)), total };
}

/** The domains of the page that is asked for, and how many there are altogether. */
async function findDomains(ctx: CallerContext, { ref, page, limit }: TrendsInput) {
  const { db } = ctx.store;
  const which = { organizationId: ctx.caller.organizationId, kind: "domain" } as const;
  const offset = (page - 1) * limit;
  if (ref === undefined) {
    const domains = await listMonitorNames(db, { ...which, limit, offset });
    return { domains, total: await countMonitors(db, which) };
  }
  const { id, uuid, name } = await requireDomain(ctx, ref);
  return { domains: offset === 0 ? [{ id, uuid, name }] : [], total: 1 };
}

function trendOf(
  domain: { id: number; uuid: string; name: string },
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
  if (checks === 0) return { ...domain, averageUs: null, minUs: null, maxUs: null, averagesUs };
  const [least = null, most = null] = [minUs[row], maxUs[row]];
  return { ...domain, averageUs: togetherUs / checks, minUs: least, maxUs: most, averagesUs };
}

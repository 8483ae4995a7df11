import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { resolveRange } from "../result/range.ts";
import { uptimePercentage } from "../status/uptime.ts";
import type { ListedMonitor } from "../store/queries/listed-monitor.ts";
import { findListedMonitor } from "../store/queries/monitor-list.ts";
import { readRollups } from "../store/queries/rollups.ts";
import { statusHistory } from "../store/queries/transitions.ts";
import type { DomainRef } from "./domain.ts";
import { requireDomain } from "./require-domain.ts";

const DAY_MS = 86_400_000;

export interface DomainSummary {
  domain: ListedMonitor;
  /** Time-weighted, 0…100; null while nothing is known. */
  uptime24h: number | null;
  uptime7d: number | null;
  uptime30d: number | null;
  /** Of the passed checks of the last 30 days, microseconds; null without any. */
  averageUs: number | null;
  /** Checks that reached a verdict in the last 30 days, and those of them that failed. */
  totalChecks: number;
  failedChecks: number;
}

/** A domain's summary. Throws 404. */
export async function domainSummary(ctx: CallerContext, input: DomainRef): Promise<DomainSummary> {
  const { db } = ctx.store;
  const now = ctx.clock.now();
  const { id, organizationId } = await requireDomain(ctx, input.ref);
  const domain = await findListedMonitor(db, { organizationId, kind: "domain", ref: { id } });
  if (!domain) throw notFound();
  const { fromMs, toMs, periodSeconds } = resolveRange("30d", now);
  const history = (await statusHistory(db, [domain.id], now - 30 * DAY_MS, now)).get(domain.id) ?? [];
  const uptime = (days: number) => uptimePercentage(history, now - days * DAY_MS, now);
  const [sums] = await readRollups(db, {
    monitorIds: [domain.id],
    from: fromMs,
    to: toMs + 1,
    periodSeconds,
    groupBy: "monitor",
  });
  return {
    domain,
    uptime24h: uptime(1),
    uptime7d: uptime(7),
    uptime30d: uptime(30),
    averageUs: sums && sums.timed > 0 ? sums.sumUs / sums.timed : null,
    totalChecks: sums?.checks ?? 0,
    failedChecks: sums?.failures ?? 0,
  };
}

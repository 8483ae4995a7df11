import { useQuery } from "@tanstack/react-query";
import { type Domain, type MonitorPage, type MonitorStats, statsQuery } from "../../api/monitor-list.ts";
import { troubleQuery } from "../../api/overview.ts";
import { type Reading, together } from "../../components/readings.ts";
import { monitorKinds } from "../../kinds/kinds.ts";
import type { Filter } from "../monitor/monitor-view.ts";
import { countsBeside, stillIn } from "./condition.ts";

/** What the page says first, all of it or nothing, so that it comes at once. */
export interface Overview {
  counts: Record<Filter, number>;
  down: MonitorPage<Domain>;
  degraded: MonitorPage<Domain>;
  /** Means of the last 24 hours: milliseconds, and 0…100; null while nothing is known. */
  responseTime: number | null;
  uptime: number | null;
}

/** Reads it. */
export function useOverview(): Reading<Overview> {
  const reading = together({
    stats: useQuery(statsQuery(monitorKinds.domain)),
    down: useQuery(troubleQuery("down")),
    degraded: useQuery(troubleQuery("degraded")),
  });
  return { ...reading, data: reading.data && overviewOf(reading.data) };
}

interface Read {
  stats: MonitorStats;
  down: MonitorPage<Domain>;
  degraded: MonitorPage<Domain>;
}

function overviewOf({ stats, ...were }: Read): Overview {
  const down = stillIn(were.down, "down");
  const degraded = stillIn(were.degraded, "degraded");
  const counts = countsBeside(stats, down, degraded);
  return { counts, down, degraded, responseTime: stats.avgResponseTime, uptime: stats.avgUptime };
}

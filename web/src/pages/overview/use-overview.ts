import { useQueries } from "@tanstack/react-query";
import { type Domain, type MonitorPage, statsQuery } from "../../api/monitor-list.ts";
import { troubleQuery } from "../../api/overview.ts";
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

/** Reads it. `error`: only while there is nothing to show; `retry` asks again for what is missing. */
export function useOverview() {
  const queries = useQueries({
    queries: [statsQuery(monitorKinds.domain), troubleQuery("down"), troubleQuery("degraded")],
  });
  const [{ data: stats }, { data: wasDown }, { data: wasDegraded }] = queries;
  let overview: Overview | undefined;
  if (stats && wasDown && wasDegraded) {
    const down = stillIn(wasDown, "down");
    const degraded = stillIn(wasDegraded, "degraded");
    const counts = countsBeside(stats, down, degraded);
    overview = { counts, down, degraded, responseTime: stats.avgResponseTime, uptime: stats.avgUptime };
  }
  return {
    overview,
    error: queries.find(({ data, error }) => error && !data)?.error ?? null,
    isFetching: queries.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { data, refetch } of queries) if (!data) void refetch();
    },
  };
}

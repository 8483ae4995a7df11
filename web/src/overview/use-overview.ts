import { useQuery } from "@tanstack/react-query";
import { acknowledgedIncidentsQuery } from "../api/incident-list.ts";
import type { Incident } from "../api/incidents.ts";
import { type Monitor, type MonitorPage, type MonitorStats, statsQuery } from "../api/monitor-list.ts";
import { devicesQuery, problemsQuery, servicesQuery } from "../api/overview.ts";
import { type Reading, together } from "../components/chart-data.ts";
import { type MonitorKind, monitorKinds } from "../kinds.ts";
import type { Filter } from "../monitors/monitor-view.ts";
import { addCounts, countsBeside, stillIn } from "./condition.ts";

export interface KindCondition {
  kind: MonitorKind;
  counts: Record<Filter, number>;
  down: MonitorPage;
  degraded: MonitorPage;
}

/** What the page says first, all of it or nothing, so that it comes at once. */
export interface Overview {
  counts: Record<Filter, number>;
  /** The kinds that there are monitors of. */
  kinds: KindCondition[];
  acknowledged: readonly Incident[];
  /** Means of the domains over the last 24 hours: milliseconds, and 0…100; null while nothing is known. */
  responseTime: number | null;
  uptime: number | null;
}

export function useOverview(): Reading<Overview> {
  const reading = together({
    stats: useQuery(statsQuery(monitorKinds.domain)),
    down: useQuery(problemsQuery("down")),
    degraded: useQuery(problemsQuery("degraded")),
    services: useQuery(servicesQuery),
    devices: useQuery(devicesQuery),
    acknowledged: useQuery(acknowledgedIncidentsQuery),
  });
  return { ...reading, data: reading.data && overviewOf(reading.data) };
}

interface Read {
  stats: MonitorStats;
  down: MonitorPage<Monitor>;
  degraded: MonitorPage<Monitor>;
}

interface AllRead extends Read {
  services: Read;
  devices: Read;
  acknowledged: Incident[];
}

function overviewOf({ services, devices, acknowledged, ...domains }: AllRead): Overview {
  const { stats } = domains;
  const kinds = [
    conditionOf(monitorKinds.domain, domains),
    conditionOf(monitorKinds.service, services),
    conditionOf(monitorKinds.device, devices),
  ].filter(({ counts }) => counts.all > 0);
  const counts = addCounts(kinds.map((one) => one.counts));
  return { counts, kinds, acknowledged, responseTime: stats.avgResponseTime, uptime: stats.avgUptime };
}

function conditionOf(kind: MonitorKind, { stats, ...were }: Read): KindCondition {
  const down = stillIn(were.down, "down");
  const degraded = stillIn(were.degraded, "degraded");
  return { kind, counts: countsBeside(stats, down, degraded), down, degraded };
}

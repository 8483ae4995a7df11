import { queryOptions } from "@tanstack/react-query";
import type { projectDomainDetail } from "../../../server/src/monitors/schemas/domains.ts";
import type {
  projectDomainCheck,
  projectLocations,
  projectStatusPeriod,
} from "../../../server/src/monitors/schemas/history.ts";
import type { projectMonitorDetail } from "../../../server/src/monitors/schemas/monitor-detail.ts";
import type {
  projectDay,
  projectDomainSummary,
  projectPhasesPoint,
} from "../../../server/src/monitors/schemas/monitor-stats.ts";
import type { projectObjective } from "../../../server/src/monitors/schemas/monitors.ts";
import type { projectServiceDetail } from "../../../server/src/monitors/schemas/services.ts";
import type { MonitorKind } from "../kinds.ts";
import { call } from "./client.ts";
import { monitorKeys } from "./monitor-keys.ts";
import { type Monitor, withLastCheck } from "./monitor-list.ts";

/** Shapes of the API: milliseconds, percentages 0…100, ISO timestamps. */
export type DomainDetail = ReturnType<typeof projectDomainDetail>;
export type ServiceDetail = ReturnType<typeof projectServiceDetail>;
export type MonitorDetail = Monitor & ReturnType<typeof projectMonitorDetail>;
export type MonitorSummary = Pick<ReturnType<typeof projectDomainSummary>, "stats">;
export type ObjectiveState = ReturnType<typeof projectObjective>;
export type Day = ReturnType<typeof projectDay>;
export type CheckResult = Omit<ReturnType<typeof projectDomainCheck>, "domainId">;
/** A part of the time that a check took. */
export type Phase = Exclude<keyof DomainDetail["phases"], "total">;
export type StatusPeriod = ReturnType<typeof projectStatusPeriod>;
export type PhasesPoint = ReturnType<typeof projectPhasesPoint>;
/** Location code to its newest checks, newest first. */
export type LocationChecks = Awaited<ReturnType<typeof projectLocations>>;

/** How far back the response times are shown. */
export const ranges = ["1h", "24h", "7d", "30d"] as const;
export type Range = (typeof ranges)[number];

/** As many as the page begins with, and as many as it adds. */
export const resultsAtOnce = 60;
export const checksPerLocation = 30;
export const daysShown = 90;
/** An hour of checks every ten seconds from two locations, and no more than the API has to give at once. */
const checksAnHour = 1000;

const statsAgeMs = 60_000;

/** One monitor in full. Live events patch what they carry; what else a check found comes with the reading they cause. */
export const monitorQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: monitorKeys.detail(kind.id, id),
    refetchInterval: statsAgeMs,
    queryFn: async ({ signal }) =>
      withLastCheck((await call<MonitorDetail>("GET", `${kind.api}/${id}`, { signal })).data),
  });

export const summaryQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: monitorKeys.summary(kind.id, id),
    refetchInterval: statsAgeMs,
    queryFn: async ({ signal }) =>
      (await call<MonitorSummary>("GET", `${kind.api}/${id}/summary`, { signal })).data,
  });

export const objectiveQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: monitorKeys.objective(kind.id, id),
    refetchInterval: statsAgeMs,
    queryFn: async ({ signal }) =>
      (await call<ObjectiveState>("GET", `${kind.api}/${id}/monitoring/objective`, { signal })).data,
  });

/** Day by day, oldest first. */
export const daysQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: monitorKeys.days(kind.id, id),
    refetchInterval: 5 * statsAgeMs,
    queryFn: async ({ signal }) =>
      (await call<Day[]>("GET", `${kind.api}/${id}/monitoring/days`, { query: { days: daysShown }, signal }))
        .data,
  });

/** What its status was over the days that are shown, newest first. */
export const statusHistoryQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: monitorKeys.statusHistory(kind.id, id),
    refetchInterval: 5 * statsAgeMs,
    queryFn: async ({ signal }) => {
      const query = { days: daysShown };
      return (
        await call<StatusPeriod[]>("GET", `${kind.api}/${id}/monitoring/status-history`, { query, signal })
      ).data;
    },
  });

/** The newest checks of the last 30 days, newest first; `before`: those that are older than the one of that id. */
export async function readResults(
  kind: MonitorKind,
  id: number,
  { before, signal }: { before?: number; signal?: AbortSignal } = {},
): Promise<CheckResult[]> {
  const query = { range: "30d", limit: resultsAtOnce, before };
  return (await call<CheckResult[]>("GET", `${kind.api}/${id}/${kind.historyPath}`, { query, signal })).data;
}

export const resultsQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: monitorKeys.results(kind.id, id),
    queryFn: ({ signal }) => readResults(kind, id, { signal }),
  });

export const locationsQuery = (kind: MonitorKind, id: number) =>
  queryOptions({
    queryKey: monitorKeys.locations(kind.id, id),
    queryFn: async ({ signal }) => {
      const query = { range: "24h", limit: checksPerLocation };
      return (await call<LocationChecks>("GET", `${kind.api}/${id}/monitoring/locations`, { query, signal }))
        .data;
    },
  });

/** Every check for the last hour; averages over intervals for longer ranges. */
export type ResponseTimes = { checks: CheckResult[] } | { points: PhasesPoint[] };

const responseTimesAgeMs: Record<Range, number> = {
  "1h": 30_000,
  "24h": 60_000,
  "7d": 300_000,
  "30d": 300_000,
};

/** What the chart of a range shows. `percentiles`: whether they are wanted; the hour's come from its checks. */
export const responseTimesQuery = (kind: MonitorKind, id: number, range: Range, percentiles: boolean) =>
  queryOptions({
    queryKey: monitorKeys.responseTimes(kind.id, id, range, percentiles && range !== "1h"),
    refetchInterval: responseTimesAgeMs[range],
    queryFn: async ({ signal }): Promise<ResponseTimes> => {
      if (range === "1h") {
        const query = { range, limit: checksAnHour };
        return {
          checks: (
            await call<CheckResult[]>("GET", `${kind.api}/${id}/${kind.historyPath}`, { query, signal })
          ).data,
        };
      }
      const { data } = await call<PhasesPoint[]>("GET", `${kind.api}/${id}/monitoring/phases`, {
        query: { range, percentiles },
        signal,
      });
      return { points: data };
    },
  });

import { queryOptions } from "@tanstack/react-query";
import type { projectDomainDetail } from "../../../server/src/wire/domain-detail.ts";
import type {
  projectDay,
  projectPhasesPoint,
  projectSummary,
} from "../../../server/src/wire/domain-figures.ts";
import type { projectHistoryItem, projectLocations } from "../../../server/src/wire/domain-history.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { domainKeys } from "./domain-keys.ts";

/** Shapes of the API: milliseconds, percentages 0…100, ISO timestamps. */
export type DomainDetail = ReturnType<typeof projectDomainDetail>;
export type DomainSummary = ReturnType<typeof projectSummary>;
export type DomainDay = ReturnType<typeof projectDay>;
export type CheckResult = ReturnType<typeof projectHistoryItem>;
export type PhasesPoint = ReturnType<typeof projectPhasesPoint>;
/** Location code to its newest checks, newest first. */
export type LocationChecks = Awaited<ReturnType<typeof projectLocations>>;

/** How far back the response times are shown. */
export const ranges = ["1h", "24h", "7d", "30d"] as const;
export type Range = (typeof ranges)[number];
export const defaultRange: Range = "24h";

/** As many as the page shows. */
const resultsShown = 20;
export const checksPerLocation = 30;
export const daysShown = 90;
/** An hour of checks every ten seconds from two locations, and no more than the API has to give at once. */
const checksAnHour = 1000;

const figuresAgeMs = 60_000;

/** One domain in full. Live events patch what changes with a check; the certificate comes with the next reading. */
export const domainQuery = (id: number) =>
  queryOptions({
    queryKey: domainKeys.detail(id),
    refetchInterval: figuresAgeMs,
    queryFn: async ({ signal }) => (await call<DomainDetail>("GET", apiPaths.domain(id), { signal })).data,
  });

/** Uptimes and counts. */
export const summaryQuery = (id: number) =>
  queryOptions({
    queryKey: domainKeys.summary(id),
    refetchInterval: figuresAgeMs,
    queryFn: async ({ signal }) =>
      (await call<DomainSummary>("GET", apiPaths.domainSummary(id), { signal })).data,
  });

/** Day by day, oldest first. */
export const daysQuery = (id: number) =>
  queryOptions({
    queryKey: domainKeys.days(id),
    refetchInterval: 5 * figuresAgeMs,
    queryFn: async ({ signal }) =>
      (await call<DomainDay[]>("GET", apiPaths.domainDays(id), { query: { days: daysShown }, signal })).data,
  });

/** The newest checks, however long ago. */
export const resultsQuery = (id: number) =>
  queryOptions({
    queryKey: domainKeys.results(id),
    queryFn: async ({ signal }) => {
      const query = { range: "30d", limit: resultsShown };
      return (await call<CheckResult[]>("GET", apiPaths.domainHistory(id), { query, signal })).data;
    },
  });

/** Each location's newest checks. */
export const locationsQuery = (id: number) =>
  queryOptions({
    queryKey: domainKeys.locations(id),
    queryFn: async ({ signal }) => {
      const query = { range: "24h", limit: checksPerLocation };
      return (await call<LocationChecks>("GET", apiPaths.domainLocations(id), { query, signal })).data;
    },
  });

/** Every check for the last hour; means of the checks over stretches of time for longer. */
export type ResponseTimes = { checks: CheckResult[] } | { points: PhasesPoint[] };

const responseTimesAgeMs: Record<Range, number> = {
  "1h": 30_000,
  "24h": 60_000,
  "7d": 300_000,
  "30d": 300_000,
};

/** What the chart of a range shows. */
export const responseTimesQuery = (id: number, range: Range) =>
  queryOptions({
    queryKey: domainKeys.responseTimes(id, range),
    refetchInterval: responseTimesAgeMs[range],
    queryFn: async ({ signal }): Promise<ResponseTimes> => {
      if (range === "1h") {
        const query = { range, limit: checksAnHour };
        return {
          checks: (await call<CheckResult[]>("GET", apiPaths.domainHistory(id), { query, signal })).data,
        };
      }
      const { data } = await call<PhasesPoint[]>("GET", apiPaths.domainPhases(id), {
        query: { range },
        signal,
      });
      return { points: data };
    },
  });

import { Type } from "typebox";
import { monitorDays } from "../../monitor/monitor-days.ts";
import { monitorHistory } from "../../monitor/monitor-history.ts";
import { monitorLocations } from "../../monitor/monitor-locations.ts";
import { monitorPhases } from "../../monitor/monitor-phases.ts";
import { monitorStats } from "../../monitor/monitor-stats.ts";
import { monitorSummary } from "../../monitor/monitor-summary.ts";
import { responseTimeTrends } from "../../monitor/response-time-trends.ts";
import { mapInTurns } from "../../turns.ts";
import {
  Day,
  DaysQuery,
  PhasesEntry,
  PhasesQuery,
  projectDay,
  projectPhasesPoint,
  projectStats,
  projectSummary,
  Stats,
  Summary,
  Trend,
  TrendsQuery,
} from "../../wire/domain-figures.ts";
import {
  HistoryEntry,
  HistoryQuery,
  LocationsData,
  LocationsQuery,
  projectHistoryItem,
  projectLocations,
} from "../../wire/domain-history.ts";
import { IdParams, parseId } from "../../wire/id.ts";
import { writeTrends } from "../../wire/trend-json.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "domains", method: "GET" } as const;
const kind = "domain";
/** Legacy lists without paging give everything up to this many (decisions §1). */
const UNPAGED_LIMIT = 1000;

/** What was measured of domains: stats, trends, history, locations, summary. */
export function describeDomainFigures(define: DefineBoth): void {
  define({
    ...facts,
    url: "/api/domains/stats",
    summary: "Figures of all domains together",
    description:
      "How many there are in each status, and the mean response time and uptime of the last 24 hours.",
    response: Stats,
    handler: async (own) => ({ data: projectStats(await monitorStats(own, { kind })) }),
  });
  define({
    ...facts,
    url: "/api/domains/response-time-trends",
    paged: true,
    summary: "Response times of every domain over a range",
    description:
      "One entry a domain, newest domain first, with its mean, fastest and slowest response time and the points of a chart.",
    querystring: TrendsQuery,
    response: Type.Array(Trend),
    async handler(own, { query: { domain, ...query } }) {
      const { page = 1, limit = UNPAGED_LIMIT } = query;
      const ref = domain === undefined ? undefined : parseId(domain);
      const { total, ...found } = await responseTimeTrends(own, { ...query, kind, ref, page, limit });
      const isPaged = query.page !== undefined || query.limit !== undefined;
      return {
        writeData: (word, around) => writeTrends(found, word, around),
        ...(isPaged && { page: { page, size: limit, total } }),
      };
    },
  });
  describeDomainHistory(define);
}

function describeDomainHistory(define: DefineBoth): void {
  define({
    ...facts,
    url: "/api/domains/:id/monitoring/history",
    summary: "The checks of a domain, newest first",
    description: "Each check with its result, the location it was made from, and what its time was spent on.",
    params: IdParams,
    querystring: HistoryQuery,
    response: Type.Array(HistoryEntry),
    v2: { url: "/v2/domains/:uuid/history" },
    async handler(own, { params, query }) {
      const items = await monitorHistory(own, { kind, ref: parseId(params.id), ...query });
      return { data: await mapInTurns(items, projectHistoryItem) };
    },
  });
  define({
    ...facts,
    url: "/api/domains/:id/monitoring/locations",
    summary: "The checks of a domain by location, newest first",
    description:
      "An object with one list for each location code: compare how the domain is seen from different places.",
    params: IdParams,
    querystring: LocationsQuery,
    response: LocationsData,
    v2: { url: "/v2/domains/:uuid/locations" },
    async handler(own, { params, query: { range, limit } }) {
      const input = { kind, ref: parseId(params.id), range, limitPerLocation: limit } as const;
      return { data: await projectLocations(await monitorLocations(own, input)) };
    },
  });
  define({
    ...facts,
    url: "/api/domains/:id/monitoring/phases",
    summary: "What a domain's response time was made of, oldest first",
    description:
      "Mean time of name resolution, connection, TLS and first byte, point by point, for a stacked chart.",
    params: IdParams,
    querystring: PhasesQuery,
    response: Type.Array(PhasesEntry),
    v2: { url: "/v2/domains/:uuid/phases" },
    async handler(own, { params, query: { range } }) {
      const points = await monitorPhases(own, { kind, ref: parseId(params.id), range });
      return { data: points.map(projectPhasesPoint) };
    },
  });
  define({
    ...facts,
    url: "/api/domains/:id/monitoring/days",
    summary: "A domain day by day, oldest first",
    description:
      "Uptime, downtime, checks and mean response time of each day in UTC. Days before the first check have no figures.",
    params: IdParams,
    querystring: DaysQuery,
    response: Type.Array(Day),
    v2: { url: "/v2/domains/:uuid/days" },
    async handler(own, { params, query }) {
      return { data: (await monitorDays(own, { kind, ref: parseId(params.id), ...query })).map(projectDay) };
    },
  });
  define({
    ...facts,
    url: "/api/domains/:id/summary",
    summary: "A domain's summary",
    description:
      "Uptime over a day, a week and a month, checks and response time of the last 30 days, and the certificate.",
    params: IdParams,
    response: Summary,
    async handler(own, { params }) {
      const summary = await monitorSummary(own, { kind, ref: parseId(params.id) });
      return { data: projectSummary(summary, own.clock.now()) };
    },
  });
}

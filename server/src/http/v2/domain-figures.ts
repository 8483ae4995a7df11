import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { domainDays } from "../../monitor/domain-days.ts";
import { domainHistory } from "../../monitor/domain-history.ts";
import { domainLocations } from "../../monitor/domain-locations.ts";
import { domainStats } from "../../monitor/domain-stats.ts";
import { domainSummary } from "../../monitor/domain-summary.ts";
import { responseTimeTrends } from "../../monitor/response-time-trends.ts";
import { parseId, UuidParams } from "../../wire/id.ts";
import {
  Day,
  DaysQuery,
  projectDay,
  projectStats,
  projectSummary,
  projectTrend,
  Stats,
  StatsQuery,
  Summary,
  Trend,
} from "../../wire/legacy/domain-figures.ts";
import {
  HistoryEntry,
  HistoryQuery,
  LocationsQuery,
  projectHistoryItem,
} from "../../wire/legacy/domain-history.ts";
import {
  projectV2Locations,
  V2Day,
  V2HistoryEntry,
  V2LocationsData,
  V2Stats,
  V2Summary,
  V2Trend,
  V2TrendsQuery,
} from "../../wire/v2/domain-figures.ts";
import { toSnake } from "../../wire/v2/snake-case.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "v2", resource: "domains", method: "GET" } as const;

/** What was measured of domains: stats, trends, history, locations, summary. */
export function registerV2DomainFigures(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/domains/stats" },
    summary: "Figures of all domains together",
    querystring: StatsQuery,
    response: V2Stats,
    async handler(own, { query }) {
      return { data: toSnake(Stats, projectStats(await domainStats(own, query))) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/domains/response-time-trends", paged: true },
    summary: "Response times of every domain over a range",
    querystring: V2TrendsQuery,
    response: Type.Array(V2Trend),
    async handler(own, { query: { domain, ...query } }) {
      const { page, per_page: size } = query;
      const ref = domain === undefined ? undefined : parseId(domain);
      const { items, total } = await responseTimeTrends(own, { ...query, ref, limit: size });
      return { data: items.map((item) => toSnake(Trend, projectTrend(item))), page: { page, size, total } };
    },
  });
  registerV2DomainHistory(app, ctx);
}

function registerV2DomainHistory(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/domains/:uuid/history" },
    summary: "The checks of a domain, newest first",
    params: UuidParams,
    querystring: HistoryQuery,
    response: Type.Array(V2HistoryEntry),
    async handler(own, { params, query }) {
      const items = await domainHistory(own, { ref: parseId(params.uuid), ...query });
      return { data: items.map((item) => toSnake(HistoryEntry, projectHistoryItem(item))) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/domains/:uuid/locations" },
    summary: "The checks of a domain by location, newest first",
    params: UuidParams,
    querystring: LocationsQuery,
    response: V2LocationsData,
    async handler(own, { params, query: { range, limit } }) {
      const input = { ref: parseId(params.uuid), range, limitPerLocation: limit };
      return { data: projectV2Locations(await domainLocations(own, input)) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/domains/:uuid/days" },
    summary: "A domain day by day, oldest first",
    params: UuidParams,
    querystring: DaysQuery,
    response: Type.Array(V2Day),
    async handler(own, { params, query }) {
      const days = await domainDays(own, { ref: parseId(params.uuid), ...query });
      return { data: days.map((day) => toSnake(Day, projectDay(day))) };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...facts, url: "/v2/domains/:uuid/summary" },
    summary: "What a domain comes down to",
    params: UuidParams,
    response: V2Summary,
    async handler(own, { params }) {
      const summary = await domainSummary(own, { ref: parseId(params.uuid) });
      return { data: toSnake(Summary, projectSummary(summary, own.clock.now())) };
    },
  });
}

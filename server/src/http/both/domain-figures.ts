import {
  getDomainLocations,
  getDomainStats,
  getDomainSummary,
  listDomainDays,
  listDomainHistory,
  listDomainPhases,
  listDomainStatusHistory,
  listDomainTrends,
} from "../../monitor/domain-figures.ts";
import { listDomainSparklines } from "../../monitor/domains.ts";
import { writeTrends } from "../../wire/trend-json.ts";
import type { DefineBoth } from "../both-families.ts";

/** What was measured of domains: stats, trends, history, locations, summary. */
export function describeDomainFigures(define: DefineBoth): void {
  define({
    verb: getDomainStats,
    method: "GET",
    url: "/api/domains/stats",
    summary: "Figures of all domains together",
    description:
      "How many there are in each status, and the mean response time and uptime of the last 24 hours.",
  });
  define({
    verb: listDomainSparklines,
    method: "GET",
    url: "/api/domains/sparklines",
    summary: "The last 24 hours of many domains, for the rows of a list",
    description:
      "For up to 100 domains, hour by hour: the worst status, the uptime and the mean response time. One small answer for a page of a list; in the order of their ids, without those that are unknown.",
  });
  define({
    verb: listDomainTrends,
    method: "GET",
    url: "/api/domains/response-time-trends",
    summary: "Response times of every domain over a range",
    description:
      "One entry a domain, newest domain first, with its mean, fastest and slowest response time and the points of a chart.",
    write: ({ found }, word, around) => writeTrends(found, word, around),
  });
  define({
    verb: listDomainHistory,
    method: "GET",
    url: "/api/domains/:id/monitoring/history",
    summary: "The checks of a domain, newest first",
    description: "Each check with its result, the location it was made from, and what its time was spent on.",
    v2: { url: "/v2/domains/:uuid/history" },
  });
  define({
    verb: getDomainLocations,
    method: "GET",
    url: "/api/domains/:id/monitoring/locations",
    summary: "The checks of a domain by location, newest first",
    description:
      "An object with one list for each location code: compare how the domain is seen from different places.",
    v2: { url: "/v2/domains/:uuid/locations" },
  });
  define({
    verb: listDomainPhases,
    method: "GET",
    url: "/api/domains/:id/monitoring/phases",
    summary: "What a domain's response time was made of, oldest first",
    description:
      "Mean time of name resolution, connection, TLS and first byte, point by point, for a stacked chart.",
    v2: { url: "/v2/domains/:uuid/phases" },
  });
  define({
    verb: listDomainDays,
    method: "GET",
    url: "/api/domains/:id/monitoring/days",
    summary: "A domain day by day, oldest first",
    description:
      "Uptime, downtime, checks and mean response time of each day in UTC. Days before the first check have no figures.",
    v2: { url: "/v2/domains/:uuid/days" },
  });
  define({
    verb: listDomainStatusHistory,
    method: "GET",
    url: "/api/domains/:id/monitoring/status-history",
    summary: "What a domain's status was and when, newest first",
    description:
      "One entry a period, with the reason. The oldest may have begun before the days asked for; periods without any status yet have no entry.",
    v2: { url: "/v2/domains/:uuid/status-history" },
  });
  define({
    verb: getDomainSummary,
    method: "GET",
    url: "/api/domains/:id/summary",
    summary: "A domain's summary",
    description:
      "Uptime over a day, a week and a month, checks and response time of the last 30 days, and the certificate.",
  });
}

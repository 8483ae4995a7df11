import { projectServiceSummary, ServiceSummary } from "../wire/figures.ts";
import { projectServiceCheck, ServiceHistoryEntry, ServiceHistoryQuery } from "../wire/history.ts";
import { projectServiceTrends, ServiceTrend, ServiceTrendsQuery } from "../wire/trends.ts";
import { figureVerbs } from "./figure-verbs.ts";

/** What was measured of services (figure-verbs.ts). */
export const serviceFigures = figureVerbs({
  kind: "service",
  trendsQuery: ServiceTrendsQuery,
  trend: ServiceTrend,
  historyQuery: ServiceHistoryQuery,
  check: ServiceHistoryEntry,
  summary: ServiceSummary,
  projectTrends: projectServiceTrends,
  projectCheck: projectServiceCheck,
  projectSummary: projectServiceSummary,
});

import { DomainSummary, projectDomainSummary } from "../wire/figures.ts";
import { DomainHistoryEntry, DomainHistoryQuery, projectDomainCheck } from "../wire/history.ts";
import { DomainTrend, DomainTrendsQuery, projectDomainTrends } from "../wire/trends.ts";
import { figureVerbs } from "./figure-verbs.ts";

/** What was measured of domains (figure-verbs.ts). */
export const domainFigures = figureVerbs({
  kind: "domain",
  trendsQuery: DomainTrendsQuery,
  trend: DomainTrend,
  historyQuery: DomainHistoryQuery,
  check: DomainHistoryEntry,
  summary: DomainSummary,
  projectTrends: projectDomainTrends,
  projectCheck: projectDomainCheck,
  projectSummary: projectDomainSummary,
});

import { Type } from "typebox";
import { callerWhere } from "../account/resolve-organization.ts";
import { mapInTurns } from "../turns.ts";
import { verb } from "../verb/verb.ts";
import {
  Day,
  DaysQuery,
  PhasesEntry,
  PhasesQuery,
  projectDay,
  projectPhasesPoint,
  projectStats,
  projectSummary,
  projectTrends,
  Stats,
  Summary,
  Trend,
  TrendsQuery,
} from "../wire/domain-figures.ts";
import {
  HistoryEntry,
  HistoryQuery,
  LocationsData,
  LocationsQuery,
  projectHistoryItem,
  projectLocations,
} from "../wire/domain-history.ts";
import { DomainLimits, projectDomainLimits } from "../wire/domain-limits.ts";
import { IdParams, withId } from "../wire/id.ts";
import { MAX_WITHOUT_PAGES, pageIn, pagingOf } from "../wire/page.ts";
import { projectStatusPeriod, StatusHistoryQuery, StatusPeriod } from "../wire/status-history.ts";
import { monitorDays } from "./monitor-days.ts";
import { monitorHistory } from "./monitor-history.ts";
import { monitorLimits } from "./monitor-limits.ts";
import { monitorLocations } from "./monitor-locations.ts";
import { monitorPhases } from "./monitor-phases.ts";
import { monitorStats } from "./monitor-stats.ts";
import { monitorSummary } from "./monitor-summary.ts";
import { findOfKind } from "./require-monitor.ts";
import { responseTimeTrends } from "./response-time-trends.ts";
import { statusHistory } from "./status-history.ts";

const kind = "domain";
const reads = { resource: "domains", action: "read" } as const;
const find = findOfKind(kind);

/** What may be set of domains, beside what their schemas say. */
export const getDomainLimits = verb({
  ...reads,
  input: Type.Object({}),
  output: DomainLimits,
  run: async (ctx) => projectDomainLimits(await monitorLimits(ctx)),
});

/** How all domains are doing. */
export const getDomainStats = verb({
  ...reads,
  input: Type.Object({}),
  output: Stats,
  run: async (ctx) => projectStats(await monitorStats(ctx, { kind })),
});

/** The response times of one domain or of all. `items` are made when they are read: there may be 32,000 points. */
export const listDomainTrends = verb({
  ...reads,
  input: TrendsQuery,
  output: Type.Array(Trend),
  paged: true,
  async find(ctx, { domain }) {
    const caller = await callerWhere(ctx, []);
    return domain === undefined ? { caller, found: null } : find(ctx, { id: domain });
  },
  async run(ctx, { range, ...query }, only) {
    const paging = pagingOf(query, MAX_WITHOUT_PAGES);
    const { total, ...found } = await responseTimeTrends(ctx, { kind, only, range, ...paging });
    return {
      found,
      get items() {
        return projectTrends(found);
      },
      page: pageIn(paging, total),
    };
  },
});

/** The checks of a domain, newest first. */
export const listDomainHistory = verb({
  ...reads,
  input: withId(HistoryQuery),
  output: Type.Array(HistoryEntry),
  find,
  async run(ctx, input, domain) {
    return mapInTurns(await monitorHistory(ctx, domain, input), projectHistoryItem);
  },
});

/** The same by location. */
export const getDomainLocations = verb({
  ...reads,
  input: withId(LocationsQuery),
  output: LocationsData,
  find,
  run: async (ctx, input, domain) => projectLocations(await monitorLocations(ctx, domain, input)),
});

/** What a domain's response time was made of, oldest first. */
export const listDomainPhases = verb({
  ...reads,
  input: withId(PhasesQuery),
  output: Type.Array(PhasesEntry),
  find,
  run: async (ctx, input, domain) => (await monitorPhases(ctx, domain, input)).map(projectPhasesPoint),
});

/** A domain day by day, oldest first. */
export const listDomainDays = verb({
  ...reads,
  input: withId(DaysQuery),
  output: Type.Array(Day),
  find,
  run: async (ctx, input, domain) => (await monitorDays(ctx, domain, input)).map(projectDay),
});

/** What a domain's status was and when, newest first. */
export const listDomainStatusHistory = verb({
  ...reads,
  input: withId(StatusHistoryQuery),
  output: Type.Array(StatusPeriod),
  find,
  run: async (ctx, input, domain) => (await statusHistory(ctx, domain, input)).map(projectStatusPeriod),
});

/** What a domain comes down to. */
export const getDomainSummary = verb({
  ...reads,
  input: IdParams,
  output: Summary,
  find,
  run: async (ctx, _, domain) => projectSummary(await monitorSummary(ctx, domain), ctx.clock.now()),
});

import { type Static, type TObject, type TSchema, Type } from "typebox";
import { listResultsByLocation } from "../engine/queries/results.ts";
import { reportDamage } from "../engine/results/pack-results.ts";
import { type RangeName, resolveRange } from "../engine/results/precision.ts";
import type { StoredResult } from "../engine/results/stored-result.ts";
import { callerWhere } from "../platform/access/check-access.ts";
import { listLocations } from "../platform/database/installation.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { IdParams, readId, withId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { MAX_WITHOUT_PAGES, type PageRequest, pageIn, pagingOf } from "../platform/operations/paging.ts";
import { mapInTurns } from "../platform/turns.ts";
import { listSparklines, monitorLimits } from "./list-monitors.ts";
import { findOfKind, type OfKind } from "./monitor.ts";
import { type MonitorSummary, monitorObjective, monitorSummary } from "./monitor-detail.ts";
import { type HistoryInput, type HistoryItem, monitorHistory, statusHistory } from "./monitor-history.ts";
import {
  monitorDays,
  monitorPhases,
  monitorStats,
  type ResponseTimeTrends,
  responseTimeTrends,
} from "./monitor-stats.ts";
import {
  DomainHistoryEntry,
  DomainHistoryQuery,
  DomainTrend,
  DomainTrendsQuery,
  LocationsData,
  LocationsQuery,
  projectDomainCheck,
  projectDomainTrends,
  projectLocations,
  projectServiceCheck,
  projectServiceTrends,
  projectStatusPeriod,
  ServiceHistoryEntry,
  ServiceHistoryQuery,
  ServiceTrend,
  ServiceTrendsQuery,
  StatusHistoryQuery,
  StatusPeriod,
} from "./schemas/history.ts";
import {
  DaysQuery,
  DomainSummary,
  dayOf,
  limitsOf,
  PhasesEntry,
  PhasesQuery,
  projectDay,
  projectDomainSummary,
  projectLimits,
  projectPhasesPoint,
  projectServiceSummary,
  projectSparkline,
  projectStats,
  ServiceSummary,
  Sparkline,
  SparklinesQuery,
  statsOf,
} from "./schemas/monitor-stats.ts";
import { MonitorObjective, projectObjective } from "./schemas/monitors.ts";

/** The API schemas of one kind's metrics. `trendsQuery` has a filter of the kind's name. */
interface Shapes<T extends TSchema, H extends TSchema, S extends TSchema> extends OfKind {
  trendsQuery: TObject;
  trend: T;
  historyQuery: TObject;
  check: H;
  summary: S;
  projectTrends(found: ResponseTimeTrends): Static<T>[];
  projectCheck(item: HistoryItem): Static<H>;
  projectSummary(summary: MonitorSummary, now: number): Static<S>;
}

type TrendsQuery = Pick<Parameters<typeof responseTimeTrends>[1], "range"> & PageRequest;

/** What was measured of the monitors of one kind. */
const metricVerbs = <T extends TSchema, H extends TSchema, S extends TSchema>(shapes: Shapes<T, H, S>) => ({
  ...verbsOfAll(shapes),
  ...verbsOfOne(shapes),
});

function readsOf({ kind }: OfKind) {
  const { resource, feature } = MONITOR_KIND_TRAITS[kind];
  return { resource, feature, action: "read" } as const;
}

/** Of all of them together. */
function verbsOfAll<T extends TSchema>(shapes: Shapes<T, TSchema, TSchema>) {
  const { kind } = shapes;
  const reads = readsOf(shapes);
  const find = findOfKind(kind);
  return {
    /** What may be set of them, beside what their schemas say. */
    limits: verb({
      ...reads,
      input: Type.Object({}),
      output: limitsOf(kind),
      run: async (ctx) => projectLimits(await monitorLimits(ctx)),
    }),
    /** How all of them are doing. */
    stats: verb({
      ...reads,
      input: Type.Object({}),
      output: statsOf(kind),
      run: async (ctx) => projectStats(await monitorStats(ctx, { kind })),
    }),
    /** The last 24 hours of those that are named, for the rows of a list (listSparklines). */
    sparklines: verb({
      ...reads,
      input: SparklinesQuery,
      output: Type.Array(Sparkline),
      async run(ctx, { ids }) {
        const refs = (ids?.split(",") ?? []).flatMap((id) => readId(id) ?? []);
        return (await listSparklines(ctx, { kind, refs })).map(projectSparkline);
      },
    }),
    /** The response times of one or of all. `items` are made when they are read: there may be 32,000 points. */
    trends: verb({
      ...reads,
      input: shapes.trendsQuery,
      output: Type.Array(shapes.trend),
      paged: true,
      async find(ctx, input) {
        const caller = await callerWhere(ctx, []);
        const id = (input as Partial<Record<MonitorKind, string>>)[kind];
        return id === undefined ? { caller, found: null } : find(ctx, { id });
      },
      async run(ctx, input, only) {
        const { range, ...query } = input as object as TrendsQuery;
        const paging = pagingOf(query, MAX_WITHOUT_PAGES);
        const { total, ...found } = await responseTimeTrends(ctx, { kind, only, range, ...paging });
        return {
          found,
          get items() {
            return shapes.projectTrends(found);
          },
          page: pageIn(paging, total),
        };
      },
    }),
  };
}

/** Of one of them. */
function verbsOfOne<H extends TSchema, S extends TSchema>(shapes: Shapes<TSchema, H, S>) {
  const { kind } = shapes;
  const reads = readsOf(shapes);
  const find = findOfKind(kind);
  return {
    /** The checks, newest first. */
    history: verb({
      ...reads,
      input: withId(shapes.historyQuery),
      output: Type.Array(shapes.check),
      find,
      async run(ctx, input, monitor) {
        const items = await monitorHistory(ctx, monitor, input as object as HistoryInput);
        return mapInTurns(items, shapes.projectCheck);
      },
    }),
    /** The same by location. */
    locations: verb({
      ...reads,
      input: withId(LocationsQuery),
      output: LocationsData,
      find,
      run: async (ctx, input, monitor) => projectLocations(await monitorLocations(ctx, monitor, input)),
    }),
    /** What the response time was made of, oldest first. */
    phases: verb({
      ...reads,
      input: withId(PhasesQuery),
      output: Type.Array(PhasesEntry),
      find,
      run: async (ctx, input, monitor) => (await monitorPhases(ctx, monitor, input)).map(projectPhasesPoint),
    }),
    /** Day by day, oldest first. */
    days: verb({
      ...reads,
      input: withId(DaysQuery),
      output: Type.Array(dayOf(kind)),
      find,
      run: async (ctx, input, monitor) => (await monitorDays(ctx, monitor, input)).map(projectDay),
    }),
    /** What the status was and when, newest first. */
    statusHistory: verb({
      ...reads,
      input: withId(StatusHistoryQuery),
      output: Type.Array(StatusPeriod),
      find,
      run: async (ctx, input, monitor) => (await statusHistory(ctx, monitor, input)).map(projectStatusPeriod),
    }),
    /** What is left of its error budget. */
    objective: verb({
      ...reads,
      input: IdParams,
      output: MonitorObjective,
      find,
      run: async (ctx, _, monitor) => projectObjective(await monitorObjective(ctx, monitor)),
    }),
    /** What it comes down to. */
    summary: verb({
      ...reads,
      input: IdParams,
      output: shapes.summary,
      find,
      run: async (ctx, _, monitor) =>
        shapes.projectSummary(await monitorSummary(ctx, monitor), ctx.clock.now()),
    }),
  };
}

/**
 * The checks of a monitor within a range by location code, each newest first. A location that has not
 * checked it within the range is absent.
 */
async function monitorLocations(
  ctx: Running,
  { id }: { id: number },
  input: { range: RangeName; limit: number },
): Promise<Map<string, StoredResult[]>> {
  const { db } = ctx;
  const { fromMs, toMs } = resolveRange(input.range, ctx.clock.now());
  const which = { monitorId: id, from: fromMs, to: toMs + 1, limitPerLocation: input.limit };
  const results = await listResultsByLocation(db, { ...which, onDamaged: reportDamage(ctx) });
  const byLocation = new Map<string, StoredResult[]>();
  const byId = Map.groupBy(results, ({ locationId }) => locationId);
  for (const { id: locationId, code } of await listLocations(db)) {
    const own = byId.get(locationId);
    if (own) byLocation.set(code, own);
  }
  return byLocation;
}

/** What was measured of domains. */
export const domainMetrics = metricVerbs({
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

/** What was measured of services. */
export const serviceMetrics = metricVerbs({
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

import { type Static, type TObject, type TSchema, Type } from "typebox";
import { normaliseUrl } from "../platform/formats/url.ts";
import { MONITOR_KIND_TRAITS } from "../platform/monitor-kinds.ts";
import { IdParams, withId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { type PageRequest, pageIn, pagingOf, readSort } from "../platform/operations/paging.ts";
import { mapInTurns } from "../platform/turns.ts";
import { createMonitor, deleteMonitor, updateMonitor } from "./create-monitor.ts";
import { listMonitors, type MonitorFilters } from "./list-monitors.ts";
import { findOfKind, type OfKind, type ShownMonitor } from "./monitor.ts";
import { type MonitorDetail, readMonitorDetail } from "./monitor-detail.ts";
import type { DeletedDomain } from "./schemas/domains.ts";
import type { MonitorSortName, SortQuery } from "./schemas/monitor-detail.ts";
import type { MonitorInput } from "./settings.ts";

/** How the API words one kind of monitor. `now` in milliseconds. */
interface Shapes<Q extends TSchema, I extends TSchema, D extends TSchema, C extends TSchema> extends OfKind {
  query: Q;
  item: I;
  detail: D;
  create: C;
  update: TObject;
  deleted: typeof DeletedDomain;
  readInput(body: object): MonitorInput;
  projectItem(monitor: ShownMonitor, now: number): Static<I>;
  projectDetail(detail: MonitorDetail, now: number): Static<D>;
}

/** `url`: of domains. */
type ListQuery = PageRequest & MonitorFilters & { sort?: Static<typeof SortQuery>; url?: string };

/** An address as domains store it; its format has been validated. */
function targetOf(url: string): string {
  const normalised = normaliseUrl(url);
  return normalised.ok ? normalised.url : url;
}

/** To list, read, create, change and delete the monitors of one kind. */
export function monitorVerbs<Q extends TSchema, I extends TSchema, D extends TSchema, C extends TSchema>(
  shapes: Shapes<Q, I, D, C>,
) {
  const { kind, detail: output } = shapes;
  const { resource, feature } = MONITOR_KIND_TRAITS[kind];
  const reads = { resource, feature, action: "read" } as const;
  const writes = { resource, feature, action: "write" } as const;
  const find = findOfKind(kind);
  const show = (ctx: Running, detail: MonitorDetail) => shapes.projectDetail(detail, ctx.clock.now());
  return {
    /** One page, newest first or sorted (listMonitors). */
    list: verb({
      ...reads,
      input: shapes.query,
      output: Type.Array(shapes.item),
      paged: true,
      async run(ctx, input) {
        const { url, ...query } = input as ListQuery;
        const paging = pagingOf(query);
        const order = { ...paging, sort: readSort<MonitorSortName>(query.sort) };
        const target = url === undefined ? undefined : targetOf(url);
        const { items, total } = await listMonitors(ctx, { ...query, ...order, target, kind });
        const now = ctx.clock.now();
        return {
          items: await mapInTurns(items, (item) => shapes.projectItem(item, now)),
          page: pageIn(paging, total),
        };
      },
    }),
    /** One in full. Throws 404. */
    get: verb({
      ...reads,
      input: IdParams,
      output,
      find,
      run: async (ctx, _, found) => show(ctx, await readMonitorDetail(ctx, found)),
    }),
    /** Starts monitoring (createMonitor). */
    create: verb({
      ...writes,
      audit: `create ${resource}` as const,
      input: shapes.create,
      output,
      run: async (ctx, input) =>
        show(ctx, await createMonitor(ctx, { kind, settings: shapes.readInput(input as object) })),
    }),
    /** Changes what is given (updateMonitor). */
    update: verb({
      ...writes,
      audit: `update ${resource}` as const,
      input: withId(shapes.update),
      output,
      find,
      run: async (ctx, input, found) => show(ctx, await updateMonitor(ctx, found, shapes.readInput(input))),
    }),
    /** Stops monitoring (deleteMonitor). */
    remove: verb({
      ...writes,
      audit: `delete ${resource}` as const,
      input: IdParams,
      output: shapes.deleted,
      find,
      run: (ctx, _, found) => deleteMonitor(ctx, found),
    }),
  };
}

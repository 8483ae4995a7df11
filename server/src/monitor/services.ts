import { Type } from "typebox";
import { mapInTurns } from "../turns.ts";
import { verb } from "../verb/verb.ts";
import { readSort } from "../wire/domain-sort.ts";
import { IdParams, withId } from "../wire/id.ts";
import { pageIn, pagingOf } from "../wire/page.ts";
import { readServiceInput, ServiceCreate, ServiceUpdate } from "../wire/service-input.ts";
import {
  DeletedService,
  projectService,
  projectServiceDetail,
  ServiceDetail,
  ServiceListItem,
  ServiceListQuery,
} from "../wire/services.ts";
import { createMonitor } from "./create-monitor.ts";
import { deleteMonitor } from "./delete-monitor.ts";
import { listMonitors } from "./list-monitors.ts";
import { readMonitorDetail } from "./monitor-detail.ts";
import { findOfKind } from "./require-monitor.ts";
import { updateMonitor } from "./update-monitor.ts";

const kind = "service";
const access = { resource: "services", feature: "team" } as const;
const find = findOfKind(kind);

/** The organization's services, newest first or sorted (listMonitors). */
export const listServices = verb({
  ...access,
  action: "read",
  input: ServiceListQuery,
  output: Type.Array(ServiceListItem),
  paged: true,
  async run(ctx, input) {
    const paging = pagingOf(input);
    const order = { ...paging, sort: readSort(input.sort) };
    const { items, total } = await listMonitors(ctx, { ...input, ...order, kind });
    const now = ctx.clock.now();
    return {
      items: await mapInTurns(items, (item) => projectService(item, now)),
      page: pageIn(paging, total),
    };
  },
});

/** One service in full. Throws 404. */
export const getService = verb({
  ...access,
  action: "read",
  input: IdParams,
  output: ServiceDetail,
  find,
  async run(ctx, _, service) {
    return projectServiceDetail(await readMonitorDetail(ctx, service), ctx.clock.now());
  },
});

/** Starts monitoring a service (createMonitor). */
export const createService = verb({
  ...access,
  action: "write",
  audit: "create services",
  input: ServiceCreate,
  output: ServiceDetail,
  async run(ctx, input) {
    const detail = await createMonitor(ctx, { kind, settings: readServiceInput(input) });
    return projectServiceDetail(detail, ctx.clock.now());
  },
});

/** Changes what is given of a service (updateMonitor). */
export const updateService = verb({
  ...access,
  action: "write",
  audit: "update services",
  input: withId(ServiceUpdate),
  output: ServiceDetail,
  find,
  async run(ctx, input, service) {
    const detail = await updateMonitor(ctx, service, readServiceInput(input));
    return projectServiceDetail(detail, ctx.clock.now());
  },
});

/** Stops monitoring a service (deleteMonitor). */
export const deleteService = verb({
  ...access,
  action: "write",
  audit: "delete services",
  input: IdParams,
  output: DeletedService,
  find,
  run: (ctx, _, service) => deleteMonitor(ctx, service),
});

import { Type } from "typebox";
import { mapInTurns } from "../turns.ts";
import { verb } from "../verb/verb.ts";
import { DomainDetail, projectDomainDetail } from "../wire/domain-detail.ts";
import { DomainCreate, DomainUpdate, readDomainInput } from "../wire/domain-input.ts";
import { readSort } from "../wire/domain-sort.ts";
import { DeletedDomain, DomainListItem, DomainListQuery, projectDomain } from "../wire/domains.ts";
import { IdParams, withId } from "../wire/id.ts";
import { pageIn, pagingOf } from "../wire/page.ts";
import { createMonitor } from "./create-monitor.ts";
import { deleteMonitor } from "./delete-monitor.ts";
import { listMonitors } from "./list-monitors.ts";
import { readMonitorDetail } from "./monitor-detail.ts";
import { findOfKind } from "./require-monitor.ts";
import { updateMonitor } from "./update-monitor.ts";

const kind = "domain";
const access = { resource: "domains" } as const;
const find = findOfKind(kind);

/** One page of the organization's domains, newest first or sorted (listMonitors). */
export const listDomains = verb({
  ...access,
  action: "read",
  input: DomainListQuery,
  output: Type.Array(DomainListItem),
  paged: true,
  async run(ctx, input) {
    const paging = pagingOf(input);
    const order = { ...paging, sort: readSort(input.sort) };
    const { items, total } = await listMonitors(ctx, { ...input, ...order, kind });
    const now = ctx.clock.now();
    return {
      items: await mapInTurns(items, (item) => projectDomain(item, now)),
      page: pageIn(paging, total),
    };
  },
});

/** One domain in full. Throws 404. */
export const getDomain = verb({
  ...access,
  action: "read",
  input: IdParams,
  output: DomainDetail,
  find,
  async run(ctx, _, domain) {
    return projectDomainDetail(await readMonitorDetail(ctx, domain), ctx.clock.now());
  },
});

/** Starts monitoring a domain (createMonitor). */
export const createDomain = verb({
  ...access,
  action: "write",
  audit: "create domains",
  input: DomainCreate,
  output: DomainDetail,
  async run(ctx, input) {
    const detail = await createMonitor(ctx, { kind, settings: readDomainInput(input) });
    return projectDomainDetail(detail, ctx.clock.now());
  },
});

/** Changes what is given of a domain (updateMonitor). */
export const updateDomain = verb({
  ...access,
  action: "write",
  audit: "update domains",
  input: withId(DomainUpdate),
  output: DomainDetail,
  find,
  async run(ctx, input, domain) {
    const detail = await updateMonitor(ctx, domain, readDomainInput(input));
    return projectDomainDetail(detail, ctx.clock.now());
  },
});

/** Stops monitoring a domain (deleteMonitor). */
export const deleteDomain = verb({
  ...access,
  action: "write",
  audit: "delete domains",
  input: IdParams,
  output: DeletedDomain,
  find,
  run: (ctx, _, domain) => deleteMonitor(ctx, domain),
});

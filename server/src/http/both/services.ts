import { Type } from "typebox";
import { createMonitor } from "../../monitor/create-monitor.ts";
import { deleteMonitor } from "../../monitor/delete-monitor.ts";
import { getMonitor } from "../../monitor/get-monitor.ts";
import { listMonitors } from "../../monitor/list-monitors.ts";
import { updateMonitor } from "../../monitor/update-monitor.ts";
import { mapInTurns } from "../../turns.ts";
import { readSort } from "../../wire/domain-sort.ts";
import { IdParams, parseId } from "../../wire/id.ts";
import { readServiceInput, ServiceCreate, ServiceUpdate } from "../../wire/service-input.ts";
import {
  DeletedService,
  projectService,
  projectServiceDetail,
  ServiceDetail,
  ServiceListItem,
  ServiceListQuery,
} from "../../wire/services.ts";
import {
  spellService,
  spellServiceDetail,
  V2ServiceDetail,
  V2ServiceListItem,
} from "../../wire/v2/services.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "services", feature: "team" } as const;
const kind = "service";
/** Legacy lists without paging give everything up to this many (decisions §1). */
const UNPAGED_LIMIT = 1000;
/** The specification's words for a service in v2. */
const detail = { response: V2ServiceDetail, respell: spellServiceDetail };

/** Services: list, create, read, update, delete. */
export function describeServices(define: DefineBoth): void {
  define({
    ...facts,
    method: "GET",
    url: "/api/services",
    paged: true,
    summary: "List services",
    description: "Newest first unless sorted otherwise, each with its status and last figures.",
    querystring: ServiceListQuery,
    response: Type.Array(ServiceListItem),
    v2: { response: Type.Array(V2ServiceListItem), respell: (items) => mapInTurns(items, spellService) },
    async handler(own, { query }) {
      const { page = 1, limit = UNPAGED_LIMIT } = query;
      const isPaged = query.page !== undefined || query.limit !== undefined;
      const input = { ...query, kind, page, limit, sort: readSort(query.sort) } as const;
      const { items, total } = await listMonitors(own, input);
      const now = own.clock.now();
      return {
        data: await mapInTurns(items, (item) => projectService(item, now)),
        ...(isPaged && { page: { page, size: limit, total } }),
      };
    },
  });
  define({
    ...facts,
    method: "POST",
    url: "/api/services",
    status: 201,
    summary: "Monitor a service",
    description:
      "`protocol` decides what `protocolConfig` holds. The first check runs at once. 403 when the plan's number of monitors is reached.",
    body: ServiceCreate,
    response: ServiceDetail,
    v2: detail,
    async handler(own, { body }) {
      const service = await createMonitor(own, { kind, settings: readServiceInput(body) });
      return { data: projectServiceDetail(service, own.clock.now()), message: "Service created." };
    },
  });
  describeService(define);
}

function describeService(define: DefineBoth): void {
  define({
    ...facts,
    method: "GET",
    url: "/api/services/:id",
    summary: "Get a service",
    description: "Its settings, status and last check. Credentials are never shown.",
    params: IdParams,
    response: ServiceDetail,
    v2: detail,
    async handler(own, { params }) {
      const service = await getMonitor(own, { kind, ref: parseId(params.id) });
      return { data: projectServiceDetail(service, own.clock.now()) };
    },
  });
  define({
    ...facts,
    method: "PUT",
    url: "/api/services/:id",
    summary: "Change a service",
    description:
      "Any subset of the fields; what is not sent stays. `protocolConfig` is replaced as a whole, except for credentials that are not sent again. `enabled` false pauses it.",
    params: IdParams,
    body: ServiceUpdate,
    response: ServiceDetail,
    v2: detail,
    async handler(own, { params, body }) {
      const changes = readServiceInput(body);
      const service = await updateMonitor(own, { kind, ref: parseId(params.id), changes });
      return { data: projectServiceDetail(service, own.clock.now()), message: "Service updated." };
    },
  });
  define({
    ...facts,
    method: "DELETE",
    url: "/api/services/:id",
    summary: "Stop monitoring a service",
    description:
      "Checks stop and an open outage ends. Name and target can be used again at once; the history is removed with time.",
    params: IdParams,
    response: DeletedService,
    async handler(own, { params }) {
      const { name, ...deleted } = await deleteMonitor(own, { kind, ref: parseId(params.id) });
      return { data: deleted, auditName: name, message: "Service deleted." };
    },
  });
}

import { Type } from "typebox";
import { createMonitor } from "../../monitor/create-monitor.ts";
import { deleteMonitor } from "../../monitor/delete-monitor.ts";
import { getMonitor } from "../../monitor/get-monitor.ts";
import { listMonitors } from "../../monitor/list-monitors.ts";
import { updateMonitor } from "../../monitor/update-monitor.ts";
import { mapInTurns } from "../../turns.ts";
import { DomainDetail, projectDomainDetail } from "../../wire/domain-detail.ts";
import { DomainCreate, DomainUpdate, readDomainInput } from "../../wire/domain-input.ts";
import { readSort } from "../../wire/domain-sort.ts";
import { DeletedDomain, DomainListItem, DomainListQuery, projectDomain } from "../../wire/domains.ts";
import { IdParams, parseId } from "../../wire/id.ts";
import {
  spellDomain,
  spellDomainDetail,
  V2DomainCreate,
  V2DomainDetail,
  V2DomainListItem,
} from "../../wire/v2/domains.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "domains" } as const;
const kind = "domain";
/** The specification's words for a domain in v2. */
const detail = { response: V2DomainDetail, respell: spellDomainDetail };

/** Domains: list, create, read, update, delete. */
export function describeDomains(define: DefineBoth): void {
  define({
    ...facts,
    method: "GET",
    url: "/api/domains",
    paged: true,
    summary: "List domains",
    description:
      "One page of them, newest first unless sorted otherwise, each with its status and last figures.",
    querystring: DomainListQuery,
    response: Type.Array(DomainListItem),
    v2: { response: Type.Array(V2DomainListItem), respell: (items) => mapInTurns(items, spellDomain) },
    async handler(own, { query }) {
      const { items, total } = await listMonitors(own, { kind, ...query, sort: readSort(query.sort) });
      const now = own.clock.now();
      const page = { page: query.page, size: query.limit, total };
      return { data: await mapInTurns(items, (item) => projectDomain(item, now)), page };
    },
  });
  define({
    ...facts,
    method: "POST",
    url: "/api/domains",
    status: 201,
    summary: "Monitor a URL",
    description: "The first check runs at once. 403 when the plan's number of monitors is reached.",
    body: DomainCreate,
    response: DomainDetail,
    v2: { ...detail, body: V2DomainCreate },
    async handler(own, { body }) {
      const domain = await createMonitor(own, { kind, settings: readDomainInput(body) });
      return { data: projectDomainDetail(domain, own.clock.now()), message: "Domain created." };
    },
  });
  describeDomain(define);
}

function describeDomain(define: DefineBoth): void {
  define({
    ...facts,
    method: "GET",
    url: "/api/domains/:id",
    summary: "Get a domain",
    description: "Its settings, status, last check and certificate. Credentials are never shown.",
    params: IdParams,
    response: DomainDetail,
    v2: detail,
    async handler(own, { params }) {
      const domain = await getMonitor(own, { kind, ref: parseId(params.id) });
      return { data: projectDomainDetail(domain, own.clock.now()) };
    },
  });
  define({
    ...facts,
    method: "PUT",
    url: "/api/domains/:id",
    summary: "Change a domain",
    description: "Any subset of the fields; what is not sent stays. `enabled` false pauses it.",
    params: IdParams,
    body: DomainUpdate,
    response: DomainDetail,
    v2: detail,
    async handler(own, { params, body }) {
      const domain = await updateMonitor(own, {
        kind,
        ref: parseId(params.id),
        changes: readDomainInput(body),
      });
      return { data: projectDomainDetail(domain, own.clock.now()), message: "Domain updated." };
    },
  });
  define({
    ...facts,
    method: "DELETE",
    url: "/api/domains/:id",
    summary: "Stop monitoring a domain",
    description:
      "Checks stop and an open outage ends. Name and URL can be used again at once; the history is removed with time.",
    params: IdParams,
    response: DeletedDomain,
    async handler(own, { params }) {
      const { name, ...deleted } = await deleteMonitor(own, { kind, ref: parseId(params.id) });
      return { data: deleted, auditName: name, message: "Domain deleted." };
    },
  });
}

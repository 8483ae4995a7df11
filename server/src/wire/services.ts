import { type Static, type TSchema, Type } from "typebox";
import type { ShownMonitor } from "../monitor/monitor.ts";
import type { MonitorDetail } from "../monitor/monitor-detail.ts";
import { shownTimeout } from "../monitor/shown-timeout.ts";
import { anyCheckFields } from "./check-configs.ts";
import { detailFields, projectCertificate, projectLast } from "./domain-detail.ts";
import { domainFilters } from "./domain-fields.ts";
import { SortQuery } from "./domain-sort.ts";
import { domainFields, projectDomain } from "./domains.ts";
import { monitorSettings, optional, projectMonitorSettings } from "./monitor-input.ts";
import { PageQuery } from "./page.ts";
import { Protocol } from "./service-input.ts";

/** GET /api/services. */
export const ServiceListQuery = Type.Object({ ...PageQuery, ...domainFilters, sort: SortQuery });

const { id, uuid, name, url: _, status, ...sameFields } = domainFields;

/** What list and detail have in common. */
const serviceFields = {
  id,
  uuid,
  name,
  protocol: Protocol,
  target: Type.String({
    description: "What is checked, as the protocol names it.",
    examples: ["db.example.com:5432"],
  }),
  status,
  ...sameFields,
  timeout: Type.Integer({ description: "Seconds.", examples: [10] }),
  consecutiveFailures: Type.Integer({
    minimum: 0,
    description: "Failed checks in a row, up to the last one.",
  }),
};

export const ServiceListItem = Type.Object(serviceFields, { title: "Service" });

/** Formats say what may be sent. */
const shownFields = Object.entries(anyCheckFields as Record<string, TSchema & { format?: string }>)
  .filter(([, field]) => !("writeOnly" in field))
  .map(([name, { format: __, ...field }]) => [name, Type.Unsafe(field)] as const);
const { tags: ___, ...shownSettings } = monitorSettings;
const { statusCode, location, address, phases, certificate } = detailFields;

export const ServiceDetail = Type.Object(
  {
    ...serviceFields,
    ...shownSettings,
    locations: detailFields.locations,
    protocolConfig: Type.Object(optional(Object.fromEntries(shownFields)), {
      title: "ServiceConfigShown",
      description: "What was set of the protocol's configuration, without credentials.",
    }),
    statusCode,
    location,
    address,
    phases,
    certificate,
  },
  { title: "ServiceDetail" },
);

/** DELETE of a service. */
export const DeletedService = Type.Object({ id: Type.Integer(), uuid }, { title: "DeletedService" });

/** A service as lists show it. `now` in milliseconds. */
export function projectService(service: ShownMonitor, now: number): Static<typeof ServiceListItem> {
  const { url, ...same } = projectDomain(service, now);
  const { type, consecutiveFailures } = service;
  return { ...same, protocol: type, target: url, timeout: shownTimeout(service), consecutiveFailures };
}

/** A service in full. `now` in milliseconds. */
export function projectServiceDetail(detail: MonitorDetail, now: number): Static<typeof ServiceDetail> {
  const { protocol: negotiated, ...last } = projectLast(detail);
  return {
    ...projectService(detail, now),
    ...projectMonitorSettings(detail.settings),
    timeout: shownTimeout(detail),
    protocolConfig: detail.settings.config as Record<string, unknown>,
    ...last,
    certificate: projectCertificate(detail, now),
  };
}

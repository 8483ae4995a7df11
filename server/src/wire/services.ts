import { type Static, type TSchema, Type } from "typebox";
import type { ShownMonitor } from "../monitor/monitor.ts";
import type { MonitorDetail } from "../monitor/monitor-detail.ts";
import { shownTimeout } from "../monitor/shown-timeout.ts";
import { anyCheckFields } from "./check-configs.ts";
import { HeartbeatDetail, projectHeartbeatState } from "./heartbeats.ts";
import { detailFields, projectMonitorDetail } from "./monitor-detail.ts";
import { monitorSettings, optional } from "./monitor-input.ts";
import { monitorFilters, SortQuery } from "./monitor-list-query.ts";
import { monitorFields, projectMonitor } from "./monitors.ts";
import { PageQuery } from "./page.ts";
import { Protocol } from "./service-input.ts";

/** GET /api/services. */
export const ServiceListQuery = Type.Object({ ...PageQuery, ...monitorFilters, sort: SortQuery });

const { id, uuid, name, ...sameFields } = monitorFields;

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
  ...sameFields,
  timeout: Type.Integer({ description: "Seconds.", examples: [10] }),
  consecutiveFailures: Type.Integer({
    minimum: 0,
    description: "Failed checks in a row, up to the last one.",
  }),
};

export const ServiceListItem = Type.Object(serviceFields, { title: "Service" });

/** Formats say what may be sent, and so does how much of something there has to be. */
const shownFields = Object.entries(
  anyCheckFields as Record<string, TSchema & { format?: string; minItems?: number }>,
)
  .filter(([, field]) => !("writeOnly" in field))
  .map(([name, { format: _, minItems: __, ...field }]) => [name, Type.Unsafe(field)] as const);
const { tags: _, parents: ___, ...shownSettings } = monitorSettings;
const { locations, ...shownDetail } = detailFields;

export const ServiceDetail = Type.Object(
  {
    ...serviceFields,
    ...shownSettings,
    locations,
    protocolConfig: Type.Object(optional(Object.fromEntries(shownFields)), {
      title: "ServiceConfigShown",
      description: "What was set of the protocol's configuration, without credentials.",
    }),
    ...shownDetail,
    heartbeat: Type.Optional(HeartbeatDetail),
  },
  { title: "ServiceDetail" },
);

/** DELETE of a service. */
export const DeletedService = Type.Object({ id: Type.Integer(), uuid }, { title: "DeletedService" });

/** A service as lists show it. `now` in milliseconds. */
export const projectService = (service: ShownMonitor, now: number): Static<typeof ServiceListItem> => ({
  ...projectMonitor(service, now),
  protocol: service.type,
  target: service.displayTarget,
  timeout: shownTimeout(service),
  consecutiveFailures: service.consecutiveFailures,
});

/** A service in full. `now` in milliseconds. */
export const projectServiceDetail = (detail: MonitorDetail, now: number): Static<typeof ServiceDetail> => ({
  ...projectMonitorDetail(detail, now),
  ...projectService(detail, now),
  protocolConfig: detail.settings.config as Record<string, unknown>,
  ...(detail.heartbeat && { heartbeat: projectHeartbeatState(detail.heartbeat) }),
});

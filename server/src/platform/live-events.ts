import { type Static, Type } from "typebox";
import { MONITOR_KINDS, type MonitorKind } from "./monitor-defaults.ts";
import { nullable } from "./operations/field.ts";

/** Each is in LIVE_EVENTS (app/live/schemas.ts) with who may see it and what it carries. */
export type LiveEventType =
  | ("status" | "service.status" | "device.status")
  | ("results" | "service.results" | "device.reported")
  | ("monitor.changed" | "service.changed" | "device.changed")
  | ("notification" | "incident" | "maintenance" | "integration" | "deployment");

const BY_KIND = {
  status: { domain: "status", service: "service.status", device: "device.status" },
  results: { domain: "results", service: "service.results", device: "device.reported" },
  "monitor.changed": { domain: "monitor.changed", service: "service.changed", device: "device.changed" },
} as const satisfies Partial<Record<LiveEventType, Record<MonitorKind, LiveEventType>>>;

/** The type of an event about monitors of a kind: not everybody may see all. */
export const eventOf = (kind: MonitorKind, type: keyof typeof BY_KIND): LiveEventType => BY_KIND[type][kind];

export const CHANGE_EVENTS = MONITOR_KINDS.map((kind) => eventOf(kind, "monitor.changed"));

export const STATUS_EVENTS = MONITOR_KINDS.map((kind) => eventOf(kind, "status"));

export const WINDOW_EVENT = "maintenance" satisfies LiveEventType;

export const INTEGRATION_EVENT = "integration" satisfies LiveEventType;

export const DEPLOYMENT_EVENT = "deployment" satisfies LiveEventType;

/** Created, changed or deleted, many at once by a bulk action. `monitorId`: the first, for old clients. */
export const projectMonitorChange = (monitorIds: readonly number[]) => ({
  monitorId: monitorIds[0],
  monitorIds,
});

/** Which monitors a `monitor.changed` event is about; an older version wrote one a time. */
export const changedMonitors = (payload: Record<string, unknown>): readonly number[] =>
  (payload as Partial<ReturnType<typeof projectMonitorChange>>).monitorIds ?? [payload.monitorId as number];

/** Type `maintenance`: a window was planned, changed or deleted, or (null) monitors entered or left one. */
export const projectWindowChange = (windowId: number | null): Static<typeof MaintenanceChange> => ({
  windowId,
});

export const projectIntegrationChange = (integrationId: number): Static<typeof IntegrationChange> => ({
  integrationId,
});

/** Type `deployment`: reported, changed or deleted; null: a webhook. */
export const projectDeploymentChange = (
  deployment: { id: number; monitorIds: readonly number[] } | null,
): Static<typeof DeploymentChange> => ({
  deploymentId: deployment?.id ?? null,
  monitorIds: [...(deployment?.monitorIds ?? [])],
});

export const MaintenanceChange = Type.Object({
  windowId: nullable(
    Type.Integer({ examples: [3] }),
    "The window that was planned, changed or deleted; null: monitors entered or left one.",
  ),
});

export const IntegrationChange = Type.Object({
  integrationId: Type.Integer({ description: "The linked account.", examples: [3] }),
});

export const DeploymentChange = Type.Object({
  deploymentId: nullable(
    Type.Integer({ examples: [12] }),
    "Null: a webhook was made, changed or deleted, or something came in by one.",
  ),
  monitorIds: Type.Array(Type.Integer(), { description: "The monitors that it touches." }),
});

export const MonitorChange = Type.Object({
  monitorId: Type.Integer({ description: "The first of `monitorIds`.", examples: [7] }),
  monitorIds: Type.Array(Type.Integer(), { description: "All that changed: a bulk action has many." }),
});

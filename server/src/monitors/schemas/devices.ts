import { type Static, type TObject, type TProperties, type TSchema, Type } from "typebox";
import { agentConfigSchema } from "../../checks/agent.ts";
import {
  asSecret,
  fromOutside,
  Name,
  nullable,
  oneOf,
  percentage,
  shown,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import { PageQuery, sortQuery } from "../../platform/operations/paging.ts";
import type { DeviceSystem } from "../devices/pack-snapshots.ts";
import { APPLICATION_CHANGES, HEALTH_LEVELS } from "../devices/rules.ts";
import type { DeviceDetail as Detail, ShownDevice } from "../devices/shown-device.ts";
import type { StoredChange } from "../queries/device-snapshots.ts";
import type { EnrollmentToken as Stored } from "../queries/enrollment.ts";
import type { MonitorInput } from "../settings.ts";
import { Application, Connection, Container, Process } from "./agent-report.ts";
import { monitorFilters } from "./monitor-detail.ts";
import { monitorSettings, NamedMonitor, optional, pick, verbName } from "./monitor-input.ts";
import { monitorFields, projectMonitor } from "./monitors.ts";

/** What is shown of what agents send: the same fields, whatever their limits are. */
const shownAs = <Fields extends TProperties>({ properties }: TObject<Fields>, title: string) =>
  fromOutside(Type.Object(properties, { title }));

export const DeviceProcess = shownAs(Process, "DeviceProcess");
export type DeviceProcess = Static<typeof DeviceProcess>;
export const DeviceConnection = shownAs(Connection, "DeviceConnection");
export type DeviceConnection = Static<typeof DeviceConnection>;
export const DeviceApplication = shownAs(Application, "DeviceApplication");
export type DeviceApplication = Static<typeof DeviceApplication>;
export const DeviceContainer = shownAs(Container, "DeviceContainer");
export type DeviceContainer = Static<typeof DeviceContainer>;

/** What accompanies a list that an agent reported. */
export const ReportedDetails = {
  at: nullable(Timestamp, "When it was reported; null: it never was."),
  found: Type.Integer({
    description: "How many the agent found; if there are too many, it sends the most important ones.",
  }),
};

/** GET /api/devices/{id}/processes, and the other lists. */
export const DeviceListsQuery = Type.Object(PageQuery);

/** That an application came, went or was updated. */
export const DeviceApplicationChange = Type.Object(
  {
    id: Type.Integer({ description: "Unique within the device." }),
    timestamp: Type.String({ ...Timestamp, description: "When the agent saw it." }),
    change: oneOf(APPLICATION_CHANGES),
    name: fromOutside(Type.String()),
    version: fromOutside(nullable(Type.String(), "Null: it was removed.")),
    formerVersion: fromOutside(nullable(Type.String(), "Null: it is new.")),
  },
  { title: "DeviceApplicationChange" },
);

/** GET /api/devices/{id}/applications/changes. */
export const DeviceChangesQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "How many, newest first." }),
  ),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Only what follows the change with this `id`: for the next page, send the last one's. One report may hold many changes of the same `timestamp`.",
    }),
  ),
});

export const projectChange = ({
  id,
  at,
  change,
  name,
  version,
  formerVersion,
}: StoredChange): Static<typeof DeviceApplicationChange> => ({
  ...{ id, timestamp: timestamp(at), change, name, version, formerVersion },
});

/** As the agent says it. */
const text = (description?: string) => fromOutside(nullable(Type.String(), description));
const bytes = (description: string) =>
  Type.Unsafe<number | null>({ type: ["number", "null"], description: `${description} Bytes.` });

/** Some of what the agent says of the machine, by the names that it gives them. */
type MachineFields = Partial<Record<keyof DeviceSystem, TSchema>>;

/** What lists show of the machine. */
const listedMachine = {
  hostname: text("The machine's own name; null until its agent has reported."),
  platform: text("`linux`, `darwin`, `win32` …"),
  os: text("For people, e.g. `Debian GNU/Linux 13 (trixie)`."),
} satisfies MachineFields;

/** What else the page of a device shows of it. */
const describedMachine = {
  architecture: text(),
  cpu: text("The processor's model."),
  cpuCores: nullable(Type.Integer(), "How many the system has."),
  totalMemory: bytes("Of the machine."),
  totalSwap: bytes("Of the machine."),
  totalDisk: bytes("Of all real file systems together."),
  kernel: text(),
} satisfies MachineFields;

/** These fields of the machine; null before its agent has reported. */
const machineOf = <Fields extends MachineFields>(fields: Fields, system: DeviceSystem | null) =>
  Object.fromEntries(
    (Object.keys(fields) as (keyof DeviceSystem)[]).map((name) => [name, system?.[name] ?? null]),
  ) as { [Name in keyof Fields & keyof DeviceSystem]: DeviceSystem[Name] | null };

const DEVICE_STATUSES = ["online", "offline", "unknown"] as const;

/** By the words of devices, and by those of domains and services. */
const STATUS_OF = { online: "up", offline: "down", up: "up", down: "down", unknown: "unknown" } as const;

/** GET /api/devices. */
export const DeviceListQuery = Type.Object({
  ...PageQuery,
  ...monitorFilters,
  status: Type.Optional(
    oneOf(["online", "offline", "unknown", "up", "down"], {
      description:
        "Devices that are not healthy are `online`. `up` and `down` find the same as `online` and `offline`.",
    }),
  ),
  sort: sortQuery(
    ["name", "status", "statusSince", "uptime", "createdAt"],
    "`status` puts what is offline first and what is paused last; ties are in the order of their names.",
  ),
});

/** What lists of devices are narrowed by, in the rules' terms. */
export const readDeviceStatus = (status: keyof typeof STATUS_OF | undefined) => status && STATUS_OF[status];

const used = (description: string) =>
  Type.Unsafe<number | null>({
    type: ["number", "null"],
    minimum: 0,
    description: `${description} Percent; null while nothing is known.`,
    examples: [37.5],
  });

const {
  status: _status,
  responseTime: _responseTime,
  lastCheck: _lastCheck,
  certificateStatus: _certificateStatus,
  certificateExpiresAt: _certificateExpiresAt,
  certificateUnverified: _certificateUnverified,
  id,
  uuid,
  name,
  ...sameFields
} = monitorFields;

const deviceFields = {
  id,
  uuid,
  name,
  ...listedMachine,
  status: oneOf(DEVICE_STATUSES, {
    description:
      "`online`: its agent has reported within three intervals. `unknown`: it never has, or the device is paused.",
  }),
  isOnline: Type.Boolean(),
  lastSeen: nullable(Timestamp, "When its agent last reported."),
  healthStatus: nullable(
    oneOf(HEALTH_LEVELS),
    "Evaluated by its thresholds from the last report; null while it is not online.",
  ),
  metrics: Type.Object(
    {
      cpuUsage: used("Of all cores together."),
      memoryUsage: used("What is in use and cannot be given back at once."),
      diskUsage: used("Of the fullest disk."),
    },
    { title: "DeviceFigures", description: "From the last report." },
  ),
  ...sameFields,
};

export const DeviceListItem = Type.Object(deviceFields, { title: "Device" });

export const DeviceDetail = Type.Object(
  {
    ...deviceFields,
    ...describedMachine,
    bootedAt: nullable(Timestamp, "When the machine was started, by its own clock."),
    agentVersion: fromOutside(nullable(Type.String())),
    unresponsiveMounts: Type.Array(fromOutside(Type.String()), {
      description:
        "Where file systems are mounted that did not answer at the last report, such as those of another machine that is away. Nothing is known of how full they are.",
      examples: [[]],
    }),
    thresholds: agentConfigSchema,
    description: monitorSettings.description,
    severity: monitorSettings.severity,
    linkedMonitors: Type.Array(NamedMonitor, {
      description: "The domains and services that run on it. Their incidents show what the device was doing.",
    }),
    clockAheadSeconds: Type.Unsafe<number | null>({
      type: ["number", "null"],
      description:
        "How far its clock is ahead of the server's; negative if it is behind. Reports get the server's time.",
    }),
    droppedReports: Type.Integer({
      description:
        "Reports that its agent has dropped since it started, because more were waiting than it keeps.",
    }),
    tokenSince: nullable(Timestamp, "When its present token was made."),
    rival: nullable(
      Type.Object(
        { hostname: fromOutside(nullable(Type.String())), address: Type.String(), lastSeen: Timestamp },
        { title: "DeviceRival" },
      ),
      "Another agent that uses this device's token and is refused: on a copy of the machine, or with a copy of the token.",
    ),
    copies: Type.Array(Type.Object({ id: Type.Integer(), uuid: Uuid, name: Type.String() }), {
      description:
        "Other devices whose machines have the same machine id, because one is a copy of the other.",
    }),
  },
  { title: "DeviceDetail" },
);

/** GET /api/devices/stats. */
export const DeviceStats = Type.Object(
  {
    total: Type.Integer(),
    online: Type.Integer({ description: "Their agents have reported within three intervals." }),
    offline: Type.Integer({ description: "All that are not online." }),
    down: Type.Integer({ description: "Of those that are offline: their agents have stopped reporting." }),
    degraded: Type.Integer({ description: "Of those that are online: not healthy." }),
    unknown: Type.Integer({ description: "Of those that are offline: paused, or never reported." }),
    paused: Type.Integer({ description: "How many are paused." }),
    maintenance: Type.Integer({ description: "How many are in maintenance, whatever their status." }),
    healthy: Type.Integer({ description: "Of those that are online." }),
    warning: Type.Integer({ description: "Of those that are online." }),
    critical: Type.Integer({ description: "Of those that are online." }),
    activeIncidents: Type.Integer({ description: "Open incidents that affect a device." }),
  },
  { title: "DeviceStats" },
);

const settings = {
  checkInterval: {
    ...monitorSettings.checkInterval,
    description: "Seconds between two reports; after three without one the device is offline. Default: 10.",
    examples: [10],
    "x-usual": 10,
  } as typeof monitorSettings.checkInterval,
  description: monitorSettings.description,
  enabled: monitorSettings.enabled,
  severity: monitorSettings.severity,
  tags: monitorSettings.tags,
  parents: monitorSettings.parents,
  thresholds: agentConfigSchema,
  linkedMonitors: Type.Array(Type.String({ format: "uuid" }), {
    maxItems: 100,
    description: "Uuids of the domains and services that run on it, at most 100.",
    examples: [[]],
    "x-refers": "monitors",
    "x-kinds": ["domain", "service"],
  }),
};

/** PUT /api/devices/{id}: any subset. */
export const DeviceUpdate = Type.Object(
  { name: Type.Optional(Name), ...optional(settings) },
  { title: "DeviceUpdate" },
);

/** POST /api/devices. */
export const DeviceCreate = Type.Object(
  { ...DeviceUpdate.properties, name: Name },
  { title: "DeviceCreate" },
);

const token = asSecret(
  Type.String({ description: "The token that its agent reports with; shown only this once." }),
);

/** A device, and the token to start its agent with. */
export const CreatedDevice = Type.Object({ device: DeviceDetail, token }, { title: "CreatedDevice" });

/** POST /api/devices/{id}/regenerate-token. */
export const NewDeviceToken = Type.Object({ token }, { title: "NewDeviceToken" });

/** DELETE of a device. */
export const DeletedDevice = Type.Object({ id: Type.Integer(), uuid }, { title: "DeletedDevice" });

/** A body in the verbs' terms, and what it links. */
export function readDeviceInput(body: object): { settings: MonitorInput; links: string[] | undefined } {
  const { thresholds, linkedMonitors, ...given } = pick(Object.keys(DeviceUpdate.properties), body);
  const own = Object.fromEntries(Object.entries(given).map(([field, value]) => [verbName(field), value]));
  return {
    settings: { ...own, ...(thresholds !== undefined && { config: thresholds as object }) },
    links: linkedMonitors as string[] | undefined,
  };
}

/** A device as lists show it. `now` in milliseconds. */
export function projectDevice(shown: ShownDevice, now: number): Static<typeof DeviceListItem> {
  const { monitor, device } = shown;
  const { latest } = device;
  const isOnline = monitor.status === "up" || monitor.status === "degraded";
  return {
    ...projectMonitor(monitor, now),
    ...machineOf(listedMachine, device.system),
    status: isOnline ? "online" : monitor.status === "down" ? "offline" : "unknown",
    isOnline,
    lastSeen: timestampOrNull(device.reportedAt),
    // How it was says nothing of how a machine is that is silent now.
    healthStatus: isOnline ? device.health : null,
    metrics: {
      cpuUsage: percentage(latest?.cpu ?? null),
      memoryUsage: percentage(latest?.memory ?? null),
      diskUsage: percentage(latest?.disk ?? null),
    },
  };
}

/** A device in full. `now` in milliseconds. */
export function projectDeviceDetail(detail: Detail, now: number): Static<typeof DeviceDetail> {
  const { monitor, device, links, copies } = detail;
  const { system, rival, clockAheadMs } = device;
  return {
    ...projectDevice(detail, now),
    ...machineOf(describedMachine, system),
    bootedAt: timestampOrNull(system?.bootedAt ?? null),
    agentVersion: device.agentVersion,
    unresponsiveMounts: [...(device.latest?.unresponsiveMounts ?? [])],
    thresholds: monitor.settings.config as Static<typeof agentConfigSchema>,
    description: monitor.settings.description,
    severity: monitor.settings.severity,
    linkedMonitors: links,
    clockAheadSeconds: clockAheadMs === null ? null : Math.round(clockAheadMs / 1000),
    droppedReports: device.dropped,
    tokenSince: timestamp(device.tokenSince),
    rival: rival?.proven
      ? { hostname: rival.hostname, address: rival.address, lastSeen: timestamp(rival.at) }
      : null,
    copies,
  };
}

const tokenFields = {
  id: Type.Integer(),
  uuid: Uuid,
  name: Type.String({ examples: ["Web servers"] }),
  prefix: Type.String({ description: "How the token begins, to distinguish it from others." }),
  userName: Type.String({ description: "Who made it. It ends when they leave the organization." }),
  devices: Type.Integer({ description: "How many devices enrolled with it." }),
  lastUsedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp, "Null: never."),
  createdAt: Timestamp,
};

export const EnrollmentToken = Type.Object(tokenFields, { title: "EnrollmentToken" });

export const CreatedEnrollmentToken = Type.Object(
  {
    ...tokenFields,
    token: asSecret(Type.String({ description: "The token itself; shown only this once." })),
  },
  { title: "CreatedEnrollmentToken" },
);

/** POST /api/devices/enrollment-tokens. */
export const NewEnrollmentToken = Type.Object(
  {
    name: Name,
    expiresAt: Type.Optional(Type.Union([Timestamp, Type.Null()], { description: "Default: never." })),
  },
  { title: "NewEnrollmentToken" },
);

export const projectEnrollmentToken = (token: Stored): Static<typeof EnrollmentToken> =>
  shown(EnrollmentToken, token);

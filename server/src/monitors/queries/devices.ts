import type { Selectable } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, lockRows } from "../../platform/database/sql.ts";
import type { DeviceTable } from "../../platform/database/tables/devices.ts";
import type { DeviceSystem } from "../devices/pack-snapshots.ts";
import type { HealthLevel, HealthState } from "../devices/rules.ts";
import type { Enroller } from "./enrollment.ts";

/** Who reports, as it calls itself. */
export interface AgentIdentity {
  installation: string;
  /** A digest of the machine's own id; copies of a machine share it. */
  machine: string | null;
  boot: string;
  run: string;
}

/** Another agent that came with the token of a device. Milliseconds. */
export interface Rival extends Pick<AgentIdentity, "installation" | "boot" | "run"> {
  hostname: string | null;
  address: string;
  at: number;
  /** That the device's own agent reported after it: both are there. */
  proven: boolean;
}

/** What lists show, percent; null where it was not measured. */
export interface LatestMetrics {
  cpu: number | null;
  memory: number | null;
  /** Of the fullest disk. */
  disk: number | null;
  /** Mounts that did not answer; absent in what was stored before agents said so. */
  unresponsiveMounts?: readonly string[];
}

/** What only a device has, beside its monitor. Times in milliseconds of the server's clock. */
export interface Device {
  id: number;
  tokenHash: string;
  tokenSince: number;
  /** The installation of the agent that made it a device; null: a person did. */
  enrolledBy: string | null;
  /** Null: none has reported yet. */
  agent: AgentIdentity | null;
  formerRun: string | null;
  sequence: number;
  reportedAt: number | null;
  agentVersion: string | null;
  clockAheadMs: number | null;
  dropped: number;
  system: DeviceSystem | null;
  latest: LatestMetrics | null;
  health: HealthLevel | null;
  healthState: HealthState | null;
  rival: Rival | null;
}

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

const deviceOf = (row: Selectable<DeviceTable>): Device => ({
  id: row.monitor_id,
  tokenHash: row.token_hash,
  tokenSince: row.token_since,
  enrolledBy: row.enrolled_by,
  agent:
    row.installation === null
      ? null
      : {
          installation: row.installation,
          machine: row.machine,
          boot: row.boot ?? "",
          run: row.run ?? "",
        },
  formerRun: row.former_run,
  sequence: row.sequence,
  reportedAt: row.reported_at,
  agentVersion: row.agent_version,
  clockAheadMs: row.clock_ahead_ms,
  dropped: row.dropped,
  system: parsed(row.system),
  latest: parsed(row.latest),
  health: row.health as HealthLevel | null,
  healthState: parsed(row.health_state),
  rival: parsed(row.rival),
});

const rowOf = (device: Device) => ({
  monitor_id: device.id,
  token_hash: device.tokenHash,
  token_since: device.tokenSince,
  enrolled_by: device.enrolledBy,
  installation: device.agent?.installation ?? null,
  machine: device.agent?.machine ?? null,
  boot: device.agent?.boot ?? null,
  run: device.agent?.run ?? null,
  former_run: device.formerRun,
  sequence: device.sequence,
  reported_at: device.reportedAt,
  agent_version: device.agentVersion,
  hostname: device.system?.hostname ?? null,
  platform: device.system?.platform ?? null,
  clock_ahead_ms: device.clockAheadMs,
  dropped: device.dropped,
  system: device.system && JSON.stringify(device.system),
  latest: device.latest && JSON.stringify(device.latest),
  health: device.health,
  health_state: device.healthState && JSON.stringify(device.healthState),
  rival: device.rival && JSON.stringify(device.rival),
});

/** A device of which nothing is known yet. */
export const newDevice = (id: number, tokenHash: string, now: number): Device => ({
  id,
  tokenHash,
  tokenSince: now,
  enrolledBy: null,
  agent: null,
  formerRun: null,
  sequence: 0,
  reportedAt: null,
  agentVersion: null,
  clockAheadMs: null,
  dropped: 0,
  system: null,
  latest: null,
  health: null,
  healthState: null,
  rival: null,
});

/** Writes these devices as they are now; the caller has them locked, or has just made them. */
export async function saveDevices(trx: Db, devices: readonly Device[]): Promise<void> {
  const rows = devices.map(rowOf);
  const update = Object.keys(rows[0] ?? {}).filter((column) => column !== "monitor_id");
  await insertMany(trx, "devices", rows, { keys: ["monitor_id"], update });
}

/** Those of these devices that there are; locked, in the order of their ids: another process's reports wait. */
export async function lockDevices(trx: Db, ids: readonly number[]): Promise<Device[]> {
  const query = trx.selectFrom("devices").selectAll().where(idIn("monitor_id", ids)).orderBy("monitor_id");
  return (await lockRows(trx, query).execute()).map(deviceOf);
}

export async function readDevices(db: Db, ids: readonly number[]): Promise<Map<number, Device>> {
  const rows = await db.selectFrom("devices").selectAll().where(idIn("monitor_id", ids)).execute();
  return new Map(rows.map((row) => [row.monitor_id, deviceOf(row)]));
}

/** What a token lets in to. */
export interface TokenHolder {
  monitorId: number;
  revision: number;
  organizationId: number;
  intervalSeconds: number;
}

/** A device whose agent has sent its token. */
export interface AuthenticatedDevice extends TokenHolder {
  tokenHash: string;
}

/** The device with that token; undefined where it is unknown, has been replaced, or the device was deleted. */
export const findTokenHolder = (db: Db, tokenHash: string): Promise<TokenHolder | undefined> =>
  db
    .selectFrom("devices")
    .innerJoin("monitors", "monitors.id", "devices.monitor_id")
    .select([
      "devices.monitor_id as monitorId",
      "monitors.revision",
      "monitors.organization_id as organizationId",
      "monitors.interval_seconds as intervalSeconds",
    ])
    .where("devices.token_hash", "=", tokenHash)
    .where("monitors.deleted_at", "is", null)
    .executeTakeFirst();

/** The thresholds and the interval that reports are evaluated by, of those of these devices that were not deleted. */
export async function readHealthSettings(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { config: object; intervalSeconds: number }>> {
  const rows = await db
    .selectFrom("monitors")
    .select(["id", "config", "interval_seconds as intervalSeconds"])
    .where(idIn("id", ids))
    .where("deleted_at", "is", null)
    .execute();
  return new Map(
    rows.map(({ id, config, intervalSeconds }) => [id, { config: JSON.parse(config), intervalSeconds }]),
  );
}

/** Other devices of the organization on machines with the same id: copies of one. */
export const findCopies = (
  db: Db,
  { organizationId, machine, exceptId }: { organizationId: number; machine: string; exceptId: number },
): Promise<{ id: number; uuid: string; name: string }[]> =>
  db
    .selectFrom("devices")
    .innerJoin("monitors", "monitors.id", "devices.monitor_id")
    .select(["monitors.id", "monitors.uuid", "monitors.name"])
    .where("devices.machine", "=", machine)
    .where("monitors.organization_id", "=", organizationId)
    .where("monitors.deleted_at", "is", null)
    .where("monitors.id", "!=", exceptId)
    .orderBy("monitors.id")
    .limit(10)
    .execute();

/** How an organization's devices are doing. */
interface DeviceCounts {
  total: number;
  online: number;
  healthy: number;
  warning: number;
  critical: number;
}

/** Counts them; health counts of those that are online. */
export async function countDevices(db: Db, organizationId: number): Promise<DeviceCounts> {
  const rows = await db
    .selectFrom("monitors")
    .innerJoin("devices", "devices.monitor_id", "monitors.id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select((select) => ["devices.health", "monitor_states.status", select.fn.countAll<number>().as("count")])
    .where("monitors.organization_id", "=", organizationId)
    .where("monitors.kind", "=", "device")
    .where("monitors.deleted_at", "is", null)
    .groupBy(["devices.health", "monitor_states.status"])
    .execute();
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { count }) => total + Number(count), 0);
  const isOnline = ({ status }: (typeof rows)[number]) => status === "up" || status === "degraded";
  const ofHealth = (health: HealthLevel) => sum((row) => isOnline(row) && row.health === health);
  return {
    total: sum(() => true),
    online: sum(isOnline),
    healthy: ofHealth("healthy"),
    warning: ofHealth("warning"),
    critical: ofHealth("critical"),
  };
}

/** Incidents that are open and affect a device of the organization. */
export async function countDeviceIncidents(db: Db, organizationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("incidents")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("incidents.organization_id", "=", organizationId)
    .where("incidents.resolved_at", "is", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("affected_services")
          .innerJoin("monitors", "monitors.id", "affected_services.monitor_id")
          .select("affected_services.incident_id")
          .whereRef("affected_services.incident_id", "=", "incidents.id")
          .where("monitors.kind", "=", "device"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

declare module "../../platform/access/caller.ts" {
  interface AnonymousClient {
    /** The device whose agent it is, or the enrollment token by which an agent becomes one: found by its token, before the body is read. */
    device?: AuthenticatedDevice;
    enroller?: Enroller;
  }
}

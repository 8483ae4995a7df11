import type { Generated } from "kysely";
import { OF_MONITOR, table } from "../table.ts";

/** What only devices have, beside the row of `monitors` that each of them is. */
export interface DeviceTable {
  monitor_id: number;
  token_hash: string;
  token_since: number;
  /** The installation of the agent that made it a device; null: a person did. */
  enrolled_by: string | null;
  /** Who reports: the installation of the agent, the machine, its start and the agent's, as they call themselves. */
  installation: string | null;
  machine: string | null;
  boot: string | null;
  run: string | null;
  /** The run before: one that comes back is a second agent. */
  former_run: string | null;
  /** Of the last report that was taken. */
  sequence: number;
  /** When it was, by the server's clock. */
  reported_at: number | null;
  agent_version: string | null;
  hostname: string | null;
  platform: string | null;
  /** How far the device's clock is ahead of the server's. */
  clock_ahead_ms: number | null;
  /** Reports that the agent gave up. */
  dropped: number;
  /** JSON, `system` of a report. */
  system: string | null;
  /** JSON, the figures that lists show. */
  latest: string | null;
  health: string | null;
  /** JSON, device/rules.ts. */
  health_state: string | null;
  /** JSON: who else used the token, and when. */
  rival: string | null;
}

/** The latest list of a kind: compressed JSON. */
export interface DeviceSnapshotTable {
  monitor_id: number;
  kind: string;
  at: number;
  /** How many there were; the list may be cut. */
  total: number;
  items: Uint8Array;
}

/** What went on in a minute, at its busiest: compressed JSON. */
export interface DeviceMomentTable {
  monitor_id: number;
  minute_at: number;
  at: number;
  load: number | null;
  items: Uint8Array;
}

/** That an application came, went or was updated. */
export interface DeviceChangeTable {
  id: Generated<number>;
  monitor_id: number;
  at: number;
  change: string;
  name: string;
  version: string | null;
  former_version: string | null;
}

/** The domains and services that run on a device. */
export interface DeviceLinkTable {
  device_id: number;
  monitor_id: number;
}

/** With what machines become devices of an organization. */
export interface EnrollmentTokenTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  user_id: number;
  name: string;
  prefix: string;
  token_hash: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  /** How many enrolled with it. */
  devices: number;
}

/** Tables of devices and what they report. */
export const DEVICE_TABLES = {
  devices: table<DeviceTable>({ tenant: OF_MONITOR, retention: "kept" }),
  device_snapshots: table<DeviceSnapshotTable>({ tenant: OF_MONITOR, retention: "kept" }),
  device_moments: table<DeviceMomentTable>({
    tenant: OF_MONITOR,
    retention: { elsewhere: "a day, and longer where an incident shows it (device/moments.ts)" },
  }),
  device_changes: table<DeviceChangeTable>({
    tenant: OF_MONITOR,
    retention: { days: 90, since: "at", ofMonitor: true },
  }),
  device_links: table<DeviceLinkTable>({ tenant: OF_MONITOR, retention: "kept" }),
  enrollment_tokens: table<EnrollmentTokenTable>({ tenant: "organization_id", retention: "kept" }),
};

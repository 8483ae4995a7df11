import { bigint, blob, id, integer, OF_MONITOR, type RowOf, real, table, text } from "../table.ts";

export const DEVICE_TABLES = {
  /** What only devices have, beside the row of `monitors` that each of them is. */
  devices: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      token_hash: text(),
      token_since: bigint(),
      /** The installation of the agent that made it a device; null: a person did. */
      enrolled_by: text().nullable(),
      /** Who reports: the installation of the agent, the machine, its start and the agent's, as they call themselves. */
      installation: text().nullable(),
      machine: text().nullable(),
      boot: text().nullable(),
      run: text().nullable(),
      /** The run before: one that comes back is a second agent. */
      former_run: text().nullable(),
      /** Of the last report that was taken. */
      sequence: bigint(),
      /** When it was, by the server's clock. */
      reported_at: bigint().nullable(),
      agent_version: text().nullable(),
      hostname: text().nullable(),
      platform: text().nullable(),
      /** How far the device's clock is ahead of the server's. */
      clock_ahead_ms: bigint().nullable(),
      /** Reports that the agent gave up. */
      dropped: bigint(),
      /** JSON, `system` of a report. */
      system: text().nullable(),
      /** JSON, the metrics that lists show. */
      latest: text().nullable(),
      health: text().nullable(),
      /** JSON, monitors/devices/rules.ts. */
      health_state: text().nullable(),
      /** JSON: who else used the token, and when. */
      rival: text().nullable(),
    },
    primaryKey: ["monitor_id"],
    indexes: {
      devices_token: "unique (token_hash)",
      devices_machine: "(machine)",
    },
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  /** The latest list of a kind: compressed JSON. */
  device_snapshots: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      kind: text(),
      at: bigint(),
      /** How many there were; the list may be cut. */
      total: integer(),
      items: blob(),
    },
    primaryKey: ["monitor_id", "kind"],
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  /** What went on in a minute, at its busiest: compressed JSON. */
  device_process_samples: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      minute_at: bigint(),
      at: bigint(),
      load: real().nullable(),
      items: blob(),
    },
    primaryKey: ["monitor_id", "minute_at"],
    indexes: {
      device_process_samples_by_time: "(minute_at)",
    },
    tenant: OF_MONITOR,
    retention: {
      elsewhere: "a day, and longer where an incident shows it (monitors/devices/new-reports.ts)",
    },
  }),
  /** That an application came, went or was updated. */
  device_changes: table({
    columns: {
      id: id(),
      monitor_id: bigint().references("monitors"),
      at: bigint(),
      change: text(),
      name: text(),
      version: text().nullable(),
      former_version: text().nullable(),
    },
    indexes: {
      device_changes_by_time: "(monitor_id, at)",
      device_changes_by_age: "(at)",
    },
    tenant: OF_MONITOR,
    retention: { days: 90, since: "at", ofMonitor: true },
  }),
  /** The domains and services that run on a device. */
  device_links: table({
    columns: {
      device_id: bigint().references("monitors"),
      monitor_id: bigint().references("monitors"),
    },
    primaryKey: ["monitor_id", "device_id"],
    indexes: {
      device_links_by_device: "(device_id)",
    },
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  enrollment_tokens: table({
    columns: {
      id: id(),
      uuid: text(),
      organization_id: bigint().references("organizations"),
      user_id: bigint().references("users"),
      name: text(),
      prefix: text(),
      token_hash: text(),
      created_at: bigint(),
      expires_at: bigint().nullable(),
      last_used_at: bigint().nullable(),
      /** How many enrolled with it. */
      devices: integer(),
    },
    indexes: {
      enrollment_tokens_hash: "unique (token_hash)",
      enrollment_tokens_organization: "(organization_id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
};

export type DeviceTable = RowOf<(typeof DEVICE_TABLES)["devices"]>;

export const DEVICE_METRIC_TABLES = {
  /** What one report measured, until monitors/devices/metrics/pack-metrics.ts packs it. */
  // Packed within minutes after its hour; what cannot be is retained like a result.
  device_reports: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** By the server's clock, milliseconds. */
      at: bigint(),
      /** monitors/devices/metrics/report-metrics.ts. */
      metrics: blob(),
    },
    primaryKey: ["monitor_id", "at"],
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: { rawSince: "at", spanMs: 1, beside: "monitor_id" },
  }),
  /** What a device measured in an hour or a day, as it was or rolled up. */
  device_packs: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** Seconds; 0: as it was reported. */
      resolution: integer(),
      /** Start of the hour or day, milliseconds. */
      begins_at: bigint(),
      /** monitors/devices/metrics/packed-series.ts. */
      series: blob(),
    },
    primaryKey: ["monitor_id", "resolution", "begins_at"],
    tenant: OF_MONITOR,
    retention: "by resolution",
  }),
};

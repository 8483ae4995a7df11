import type { MonitorKind, Severity, Status } from "../../monitor-defaults.ts";
import { bigint, blob, flag, id, integer, OF_MONITOR, type RowOf, real, table, text } from "../table.ts";

export const MONITOR_TABLES = {
  /** Domains and services: one table, one engine. */
  monitors: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      kind: text<MonitorKind>(),
      /** A check's type from checks/registry.ts, e.g. `http`. */
      type: text(),
      name: text(),
      /** What people should know of it, as they wrote it; empty: nothing. */
      description: text().default(""),
      /** What is checked, as its check names it; of HTTP the URL, normalised, with a punycode host. */
      target: text(),
      /** As the user typed it (IDN), for showing. */
      display_target: text(),
      /** JSON by the check type's config schema, without secrets. */
      config: text(),
      /** Encrypted JSON of what that schema marks as secret, or null. */
      secrets: text().nullable(),
      interval_seconds: integer(),
      timeout_seconds: integer(),
      enabled: flag(),
      /** JSON array of location codes; null means every location. */
      locations: text().nullable(),
      confirmations: integer(),
      recoveries: integer(),
      /** Between a check that did not decide the status and its recheck. */
      recheck_delay_seconds: integer().default(2),
      severity: text<Severity>(),
      /** How much of the time it should be up, percent; 0: it has no objective. */
      objective: real().default(0),
      /** Of how many days that is. */
      objective_days: integer().default(30),
      /** JSON array of strings. */
      tags: text(),
      /** Name, targets, tags and description in lower case (Unicode), one a line: what a search looks through. */
      search_text: text().nullable(),
      /** Grows with every change of what a probe must know. */
      revision: integer(),
      created_at: bigint(),
      updated_at: bigint(),
      /** 1: paused because its organization is to be deleted; watched again if that stays. */
      suspended: flag().default(0),
      /** Set first; retention then removes the history in slices. */
      deleted_at: bigint().nullable(),
    },
    indexes: {
      monitors_organization: "(organization_id, kind, id) where deleted_at is null",
      // Heartbeats are looked for every second, among all monitors that are none.
      monitors_type: "(type)",
      monitors_target_name: "unique (organization_id, kind, target, name) where deleted_at is null",
      monitors_objective: "(id) where objective > 0",
    },
    tenant: "organization_id",
    retention: {
      elsewhere: "until they were deleted and their history is gone (engine/results/retention.ts)",
    },
  }),
  /** How many monitors that are not deleted; triggers keep it (migrations/001-baseline.ts). */
  monitor_counts: table({
    columns: {
      organization_id: bigint(),
      kind: text<MonitorKind>(),
      count: bigint(),
    },
    primaryKey: ["organization_id", "kind"],
    tenant: "organization_id",
    retention: "until deleted",
    backup: "left out",
  }),
  /** What is true of a monitor now: one row a monitor, written by the pipeline only. */
  monitor_states: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      status: text<Status>(),
      status_since: bigint(),
      /** JSON, the full state of engine/status/rules.ts. */
      rules: text(),
      flapping: flag(),
      last_check_at: bigint().nullable(),
      /** Of the last check that reached a verdict, or of the look at a group that reached none. */
      last_outcome: integer().nullable(),
      last_status_code: integer().nullable(),
      last_total_us: bigint().nullable(),
      /** JSON: location, phases, address, protocol, reason of the last result. */
      last_result: text().nullable(),
      consecutive_failures: integer(),
      /** When the newest vote stops being fresh; the sweep looks for rows behind now. */
      stale_at: bigint().nullable(),
      /** Until when the maintenance window lasts that it is in; null: it is in none. */
      maintenance_until: bigint().nullable(),
      /** The parent that is down, so that no notifications are sent; null: none. */
      suppressed_by: bigint().nullable(),
      /** That one fails, unconfirmed, and is waited for until then; null: it is down. */
      suppressed_until: bigint().nullable(),
    },
    primaryKey: ["monitor_id"],
    indexes: {
      monitor_states_stale: "(stale_at) where stale_at is not null",
      monitor_states_maintenance: "(monitor_id) where maintenance_until is not null",
      monitor_states_suppressed: "(suppressed_by) where suppressed_by is not null",
    },
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  group_members: table({
    columns: {
      group_id: bigint().references("monitors"),
      monitor_id: bigint().references("monitors"),
    },
    primaryKey: ["group_id", "monitor_id"],
    indexes: {
      group_members_monitor: "(monitor_id)",
    },
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  /** What a monitor depends on: while a parent is down, no notifications are sent of its children. */
  monitor_parents: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      parent_id: bigint().references("monitors"),
    },
    primaryKey: ["monitor_id", "parent_id"],
    indexes: {
      monitor_parents_parent: "(parent_id)",
    },
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  certificates: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      valid: flag(),
      /** Milliseconds; null when the chain could not be read. */
      expires_at: bigint().nullable(),
      issuer: text(),
      fingerprint: text(),
      /** JSON, checks/certificate.ts. */
      report: text(),
      seen_at: bigint(),
    },
    primaryKey: ["monitor_id"],
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  /** That channels were notified of a certificate: once each. */
  certificate_warnings: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      fingerprint: text(),
      /** alerts/certificates/levels.ts. */
      level: text(),
      notified_at: bigint(),
      /** When the all-clear for the certificate was sent. */
      ended_at: bigint().nullable(),
    },
    primaryKey: ["monitor_id", "fingerprint", "level"],
    indexes: {
      certificate_warnings_open: "(monitor_id) where ended_at is null",
    },
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  /** A notification of a monitor's error budget that is not over: one row a monitor at most. */
  objective_alerts: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** engine/status/objective.ts. */
      state: text<"fast" | "slow" | "fast after slow" | "quiet">(),
      /** Since when it has been in one, milliseconds. */
      since: bigint(),
    },
    primaryKey: ["monitor_id"],
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
  icons: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** Part of its public address; random, since that needs no credentials. */
      token: text(),
      content_type: text(),
      data: blob(),
      fetched_at: bigint(),
    },
    primaryKey: ["monitor_id"],
    indexes: {
      icons_token: "unique (token)",
    },
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
};

export type MonitorTable = RowOf<(typeof MONITOR_TABLES)["monitors"]>;
export type MonitorStateTable = RowOf<(typeof MONITOR_TABLES)["monitor_states"]>;
export type CertificateTable = RowOf<(typeof MONITOR_TABLES)["certificates"]>;

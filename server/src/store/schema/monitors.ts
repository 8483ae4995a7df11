import type { Generated } from "kysely";
import type { Severity } from "../../incident/states.ts";
import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { AlertState } from "../../status/burn-alert.ts";
import type { Status } from "../../status/state.ts";
import { OF_MONITOR, table } from "../table.ts";
import type { Flag } from "./values.ts";

/** Domains and services: one table, one engine. */
export interface MonitorTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  kind: MonitorKind;
  /** A check's type from check/registry.ts, e.g. `http`. */
  type: string;
  name: string;
  /** What people should know of it, as they wrote it; empty: nothing. */
  description: Generated<string>;
  /** What is checked, as its check names it; of HTTP the URL, normalised, with a punycode host. */
  target: string;
  /** As the user typed it (IDN), for showing. */
  display_target: string;
  /** JSON by the check type's config schema, without secrets. */
  config: string;
  /** Encrypted JSON of what that schema marks as secret, or null. */
  secrets: string | null;
  interval_seconds: number;
  timeout_seconds: number;
  enabled: Flag;
  /** JSON array of location codes; null means every location. */
  locations: string | null;
  confirmations: number;
  recoveries: number;
  /** Between a check that did not settle the status and its recheck. */
  recheck_delay_seconds: Generated<number>;
  severity: Severity;
  /** How much of the time it should be up, percent; 0: it has no objective. */
  objective: Generated<number>;
  /** Of how many days that is. */
  objective_days: Generated<number>;
  /** JSON array of strings. */
  tags: string;
  /** Name, targets, tags and description in lower case (Unicode), one a line: what a search looks through. */
  search_text: string | null;
  /** Grows with every change of what a probe must know. */
  revision: number;
  created_at: number;
  updated_at: number;
  /** 1: paused because its organization is to be deleted; watched again if that stays. */
  suspended: Generated<Flag>;
  /** Set first; retention then removes the history in slices. */
  deleted_at: number | null;
}

/** How many monitors that are not deleted; triggers keep it (migration 005). */
export interface MonitorCountTable {
  organization_id: number;
  kind: MonitorTable["kind"];
  count: number;
}

/** What is true of a monitor now: one row a monitor, written by the pipeline only. */
export interface MonitorStateTable {
  monitor_id: number;
  status: Status;
  status_since: number;
  /** JSON, the full state of status/rules.ts. */
  rules: string;
  flapping: Flag;
  last_check_at: number | null;
  /** Of the last check that reached a verdict, or of the look at a group that reached none. */
  last_outcome: number | null;
  last_status_code: number | null;
  last_total_us: number | null;
  /** JSON: location, phases, address, protocol, reason of the last result. */
  last_result: string | null;
  consecutive_failures: number;
  /** When the newest vote stops being fresh; the sweep looks for rows behind now. */
  stale_at: number | null;
  /** Until when the maintenance window lasts that it is in; null: it is in none. */
  maintenance_until: number | null;
  /** The monitor behind which it is down, so that nobody is told of it; null: none. */
  suppressed_by: number | null;
  /** That one fails, unconfirmed, and is waited for until then; null: it is down. */
  suppressed_until: number | null;
}

/** The members of groups, as their configurations name them. */
export interface GroupMemberTable {
  group_id: number;
  monitor_id: number;
}

/** What a monitor depends on: while a parent is down, nobody is told that its child is, too. */
export interface MonitorParentTable {
  monitor_id: number;
  parent_id: number;
}

export interface CertificateTable {
  monitor_id: number;
  valid: Flag;
  /** Milliseconds; null when the chain could not be read. */
  expires_at: number | null;
  issuer: string;
  fingerprint: string;
  /** JSON, check/certificate-report.ts. */
  report: string;
  seen_at: number;
}

/** That channels were told how it stands with a certificate: once each. */
export interface CertificateNoticeTable {
  monitor_id: number;
  fingerprint: string;
  /** notification/certificate/levels.ts. */
  level: string;
  told_at: number;
  /** When it was told that all is well with the certificate again. */
  ended_at: Generated<number | null>;
}

/** What was told of a monitor's error budget and is not over: one row a monitor at most. */
export interface ObjectiveAlertTable {
  monitor_id: number;
  /** status/burn-alert.ts. */
  state: AlertState;
  /** Since when it has been in one, milliseconds. */
  since: number;
}

export interface IconTable {
  monitor_id: number;
  /** Stands in its public address. */
  token: string;
  content_type: string;
  data: Uint8Array;
  fetched_at: number;
}

/** Tables of monitors and what is true of them now. */
export const MONITOR_TABLES = {
  monitors: table<MonitorTable>({
    tenant: "organization_id",
    retention: { elsewhere: "until they were deleted and their history is gone (result/retention.ts)" },
  }),
  monitor_counts: table<MonitorCountTable>({
    tenant: "organization_id",
    retention: "kept",
    backup: "left out",
  }),
  monitor_states: table<MonitorStateTable>({ tenant: OF_MONITOR, retention: "kept" }),
  group_members: table<GroupMemberTable>({ tenant: OF_MONITOR, retention: "kept" }),
  monitor_parents: table<MonitorParentTable>({ tenant: OF_MONITOR, retention: "kept" }),
  certificates: table<CertificateTable>({ tenant: OF_MONITOR, retention: "kept" }),
  certificate_notices: table<CertificateNoticeTable>({ tenant: OF_MONITOR, retention: "kept" }),
  objective_alerts: table<ObjectiveAlertTable>({ tenant: OF_MONITOR, retention: "kept" }),
  icons: table<IconTable>({ tenant: OF_MONITOR, retention: "kept" }),
};

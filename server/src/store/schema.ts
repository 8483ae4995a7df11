import type { Generated } from "kysely";

/**
 * One schema for SQLite and PostgreSQL (architecture.md, Storage): times are integer milliseconds,
 * durations of a check integer microseconds (`…_us`), booleans 0/1, JSON is text, uuids are text.
 * Rows never leave store/: queries return the shapes that the rooms above need.
 */
export type Flag = 0 | 1;
export type StatusName = "unknown" | "up" | "degraded" | "down";

export interface MetaTable {
  key: string;
  value: string;
}

export interface OrganizationTable {
  id: Generated<number>;
  uuid: string;
  name: string;
  slug: string;
  plan: string;
  reports: Flag;
  created_at: number;
  updated_at: number;
}

export interface UserTable {
  id: Generated<number>;
  uuid: string;
  /** Lower case, unique. */
  email: string;
  name: string;
  /** PHC string, `$argon2id$v=19$m=…`. */
  password_hash: string;
  /** Encrypted base32 secret; null while two-factor sign-in is off. */
  totp_secret: string | null;
  /** Encrypted secret that waits for its first code. */
  totp_pending: string | null;
  /** The time step (30 s) of the last one-time code used; a code works once. */
  totp_last_step: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface MembershipTable {
  user_id: number;
  organization_id: number;
  role: "owner" | "admin" | "member" | "viewer";
  created_at: number;
}

export interface SessionTable {
  id: Generated<number>;
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  /** The token before the last rotation, good for a minute more. */
  previous_token_hash: string | null;
  user_id: number;
  organization_id: number;
  address: string;
  user_agent: string;
  created_at: number;
  rotated_at: number;
  seen_at: number;
}

export interface ApiKeyTable {
  id: Generated<number>;
  uuid: string;
  user_id: number;
  organization_id: number;
  name: string;
  /** The first characters of the token, for recognising a key in a list. */
  prefix: string;
  token_hash: string;
  /** JSON array of `<action>:<resource>`. */
  scopes: string;
  last_used_at: number | null;
  expires_at: number | null;
  created_at: number;
}

export interface AuditTable {
  id: Generated<number>;
  organization_id: number;
  user_id: number | null;
  api_key_id: number | null;
  /** Verb and resource, e.g. `create domains`. */
  action: string;
  resource: string;
  resource_id: string | null;
  request_id: string;
  address: string;
  at: number;
}

export interface LocationTable {
  id: Generated<number>;
  /** e.g. `local`. */
  code: string;
  name: string;
  created_at: number;
}

export interface ProbeTable {
  /** A uuid, new at each start of a built-in probe. */
  id: string;
  location_id: number;
  started_at: number;
  seen_at: number;
}

/** Domains and services: one table, one engine. */
export interface MonitorTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  kind: "domain" | "service";
  /** A check's type from check/registry.ts, e.g. `http`. */
  type: string;
  name: string;
  /** Normalised, punycode host. */
  url: string;
  /** As the user typed it (IDN), for showing. */
  display_url: string;
  /** JSON by the check type's config schema, without secrets. */
  config: string;
  /** Encrypted JSON {authConfig}, or null. */
  secrets: string | null;
  interval_seconds: number;
  timeout_seconds: number;
  enabled: Flag;
  /** JSON array of location codes; null means every location. */
  locations: string | null;
  confirmations: number;
  recoveries: number;
  severity: "low" | "medium" | "high" | "critical";
  /** JSON array of strings. */
  tags: string;
  /** Name and addresses in lower case (Unicode), one a line: what a search looks through. */
  search_text: string | null;
  /** Grows with every change of what a probe must know. */
  revision: number;
  created_at: number;
  updated_at: number;
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
  status: StatusName;
  status_since: number;
  /** JSON, the full state of status/rules.ts. */
  rules: string;
  flapping: Flag;
  last_check_at: number | null;
  /** Of the last check that reached a verdict. */
  last_outcome: number | null;
  last_status_code: number | null;
  last_total_us: number | null;
  /** JSON: location, phases, address, protocol, reason of the last result. */
  last_result: string | null;
  consecutive_failures: number;
  /** When the newest vote stops being fresh; the sweep looks for rows behind now. */
  stale_at: number | null;
}

export interface CertificateTable {
  monitor_id: number;
  valid: Flag;
  /** Milliseconds; null when the chain could not be read. */
  expires_at: number | null;
  issuer: string;
  fingerprint: string;
  /** JSON, check/certificate.ts CertificateReport. */
  report: string;
  seen_at: number;
}

/** Outcome of a check as stored: 0 ok, 1 failed, 2 degraded (slow), 3 probe fault. */
export interface ResultTable {
  monitor_id: number;
  location_id: number;
  scheduled_at: number;
  outcome: number;
  status_code: number | null;
  dns_us: number | null;
  connect_us: number | null;
  tls_us: number | null;
  first_byte_us: number | null;
  total_us: number | null;
  reason_code: string | null;
  reason: string | null;
  maintenance: Flag;
}

/** Results of an hour that has long ended, in place of their rows; written by result/packing.ts. */
export interface PackTable {
  monitor_id: number;
  /** Start of the hour, milliseconds. */
  hour_at: number;
  location_id: number;
  /** result/pack.ts. */
  data: Uint8Array;
}

/** Counts of one bucket; probe faults are not in `checks`. Latency is that of passed checks only. */
export interface RollupTable {
  period_seconds: number;
  monitor_id: number;
  bucket_at: number;
  location_id: number;
  checks: number;
  failures: number;
  timed: number;
  sum_us: number;
  min_us: number | null;
  max_us: number | null;
  /** result/histogram.ts, mergeable. */
  histogram: Uint8Array;
}

/** A status change is a row; intervals are read between rows. */
export interface TransitionTable {
  id: Generated<number>;
  organization_id: number;
  monitor_id: number;
  from_status: StatusName;
  to_status: StatusName;
  /** When it became true (first failure, first success). */
  at: number;
  /** When it was confirmed. */
  detected_at: number;
  reason: string | null;
  location_id: number | null;
  maintenance: Flag;
}

export interface IncidentTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  /** The monitor whose outage opened it; null for a manual incident. */
  monitor_id: number | null;
  automatic: Flag;
  title: string;
  description: string;
  status: string;
  severity: "low" | "medium" | "high" | "critical";
  impact: "none" | "minor" | "major" | "critical";
  /** JSON array of names. */
  affected_services: string;
  started_at: number;
  detected_at: number;
  resolved_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface IncidentUpdateTable {
  id: Generated<number>;
  organization_id: number;
  incident_id: number;
  user_id: number | null;
  status: string;
  message: string;
  at: number;
}

/** What people are told. One row an event; channels deliver from it (outbox). */
export interface NotificationTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  monitor_id: number | null;
  incident_id: number | null;
  /** e.g. `monitor.down` (decisions §7). */
  event: string;
  /** On the wire: `error`, `warning`, `success`, `info`. */
  type: string;
  message: string;
  /** Unique: the same cause is told once, whoever retries. */
  idempotency_key: string;
  created_at: number;
}

/** The live stream's log: short-lived, read by every replica, resumable by id. */
export interface EventTable {
  id: Generated<number>;
  organization_id: number;
  type: string;
  /** JSON. */
  payload: string;
  at: number;
}

export interface IconTable {
  monitor_id: number;
  content_type: string;
  data: Uint8Array;
  fetched_at: number;
}

export interface Schema {
  meta: MetaTable;
  organizations: OrganizationTable;
  users: UserTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  api_keys: ApiKeyTable;
  audit_log: AuditTable;
  locations: LocationTable;
  probes: ProbeTable;
  monitors: MonitorTable;
  monitor_counts: MonitorCountTable;
  monitor_states: MonitorStateTable;
  certificates: CertificateTable;
  results: ResultTable;
  packs: PackTable;
  rollups: RollupTable;
  transitions: TransitionTable;
  incidents: IncidentTable;
  incident_updates: IncidentUpdateTable;
  notifications: NotificationTable;
  events: EventTable;
  icons: IconTable;
}

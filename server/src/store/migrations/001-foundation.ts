import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";
import type { AnyDb } from "../dialect.ts";

/** The first schema. Columns are described in schema/. */
export const foundation: Migration = {
  async up(db) {
    await people(db);
    await monitors(db);
    await history(db);
    await incidents(db);
  },
};

async function people(db: AnyDb): Promise<void> {
  await createTable(db, "meta", { key: "text", value: "text" }, ["primary key (key)"]);
  await createTable(
    db,
    "organizations",
    {
      id: "id",
      uuid: "text",
      name: "text",
      slug: "text",
      plan: "text",
      reports: "integer",
      created_at: "bigint",
      updated_at: "bigint",
    },
    ["unique (uuid)", "unique (slug)"],
  );
  await createTable(
    db,
    "users",
    {
      id: "id",
      uuid: "text",
      email: "text",
      name: "text",
      password_hash: "text",
      totp_secret: "text?",
      created_at: "bigint",
      updated_at: "bigint",
    },
    ["unique (uuid)", "unique (email)"],
  );
  await createTable(
    db,
    "memberships",
    { user_id: "bigint", organization_id: "bigint", role: "text", created_at: "bigint" },
    [
      "primary key (user_id, organization_id)",
      references("user_id", "users"),
      references("organization_id", "organizations"),
    ],
  );
  await createTable(
    db,
    "sessions",
    {
      id: "id",
      token_hash: "text",
      user_id: "bigint",
      organization_id: "bigint",
      address: "text",
      user_agent: "text",
      created_at: "bigint",
      rotated_at: "bigint",
      seen_at: "bigint",
    },
    ["unique (token_hash)", references("user_id", "users"), references("organization_id", "organizations")],
  );
  await createTable(
    db,
    "api_keys",
    {
      id: "id",
      uuid: "text",
      user_id: "bigint",
      organization_id: "bigint",
      name: "text",
      prefix: "text",
      token_hash: "text",
      scopes: "text",
      last_used_at: "bigint?",
      expires_at: "bigint?",
      created_at: "bigint",
    },
    [
      "unique (uuid)",
      "unique (token_hash)",
      references("user_id", "users"),
      references("organization_id", "organizations"),
    ],
  );
  await createIndex(db, "index api_keys_organization on api_keys (organization_id)");
  await createTable(db, "audit_log", {
    id: "id",
    organization_id: "bigint",
    user_id: "bigint?",
    api_key_id: "bigint?",
    action: "text",
    resource: "text",
    resource_id: "text?",
    request_id: "text",
    address: "text",
    at: "bigint",
  });
  await createIndex(db, "index audit_log_organization on audit_log (organization_id, at)");
}

async function monitors(db: AnyDb): Promise<void> {
  await createTable(db, "locations", { id: "id", code: "text", name: "text", created_at: "bigint" }, [
    "unique (code)",
  ]);
  await createTable(
    db,
    "probes",
    { id: "text", location_id: "bigint", started_at: "bigint", seen_at: "bigint" },
    ["primary key (id)", references("location_id", "locations")],
  );
  await createTable(
    db,
    "monitors",
    {
      id: "id",
      uuid: "text",
      organization_id: "bigint",
      kind: "text",
      type: "text",
      name: "text",
      url: "text",
      display_url: "text",
      config: "text",
      secrets: "text?",
      interval_seconds: "integer",
      timeout_seconds: "integer",
      enabled: "integer",
      locations: "text?",
      confirmations: "integer",
      recoveries: "integer",
      severity: "text",
      tags: "text",
      search_text: "text?",
      revision: "integer",
      created_at: "bigint",
      updated_at: "bigint",
      deleted_at: "bigint?",
    },
    ["unique (uuid)", references("organization_id", "organizations")],
  );
  await createIndex(
    db,
    "unique index monitors_url_name on monitors (organization_id, kind, url, name) where deleted_at is null",
  );
  await createIndex(
    db,
    "index monitors_organization on monitors (organization_id, kind, id) where deleted_at is null",
  );
  await createTable(
    db,
    "monitor_states",
    {
      monitor_id: "bigint",
      status: "text",
      status_since: "bigint",
      rules: "text",
      flapping: "integer",
      last_check_at: "bigint?",
      last_outcome: "integer?",
      last_status_code: "integer?",
      last_total_us: "bigint?",
      last_result: "text?",
      consecutive_failures: "integer",
      stale_at: "bigint?",
    },
    ["primary key (monitor_id)", references("monitor_id", "monitors")],
  );
  await createIndex(db, "index monitor_states_stale on monitor_states (stale_at) where stale_at is not null");
  await createTable(
    db,
    "certificates",
    {
      monitor_id: "bigint",
      valid: "integer",
      expires_at: "bigint?",
      issuer: "text",
      fingerprint: "text",
      report: "text",
      seen_at: "bigint",
    },
    ["primary key (monitor_id)", references("monitor_id", "monitors")],
  );
  await createTable(
    db,
    "icons",
    { monitor_id: "bigint", content_type: "text", data: "blob", fetched_at: "bigint" },
    ["primary key (monitor_id)", references("monitor_id", "monitors")],
  );
}

/** No foreign keys here: history is removed in slices after its monitor. */
async function history(db: AnyDb): Promise<void> {
  await createTable(
    db,
    "results",
    {
      monitor_id: "bigint",
      location_id: "bigint",
      scheduled_at: "bigint",
      outcome: "integer",
      status_code: "integer?",
      dns_us: "bigint?",
      connect_us: "bigint?",
      tls_us: "bigint?",
      first_byte_us: "bigint?",
      total_us: "bigint?",
      reason_code: "text?",
      reason: "text?",
      maintenance: "integer",
    },
    ["primary key (monitor_id, scheduled_at, location_id)", "without rowid"],
  );
  await createTable(
    db,
    "rollups",
    {
      period_seconds: "integer",
      monitor_id: "bigint",
      bucket_at: "bigint",
      location_id: "bigint",
      checks: "integer",
      failures: "integer",
      timed: "integer",
      sum_us: "bigint",
      min_us: "bigint?",
      max_us: "bigint?",
      histogram: "blob",
    },
    // Time before monitor: what a batch of results touches lies on a few pages, whoever it is about.
    ["primary key (period_seconds, bucket_at, monitor_id, location_id)", "without rowid"],
  );
  await createTable(db, "transitions", {
    id: "id",
    monitor_id: "bigint",
    from_status: "text",
    to_status: "text",
    at: "bigint",
    detected_at: "bigint",
    reason: "text?",
    location_id: "bigint?",
    maintenance: "integer",
  });
  await createIndex(db, "index transitions_monitor on transitions (monitor_id, at)");
  await createTable(db, "events", {
    id: "id",
    organization_id: "bigint",
    type: "text",
    payload: "text",
    at: "bigint",
  });
  await createIndex(db, "index events_at on events (at)");
}

async function incidents(db: AnyDb): Promise<void> {
  await createTable(
    db,
    "incidents",
    {
      id: "id",
      uuid: "text",
      organization_id: "bigint",
      monitor_id: "bigint?",
      automatic: "integer",
      title: "text",
      description: "text",
      status: "text",
      severity: "text",
      impact: "text",
      affected_services: "text",
      started_at: "bigint",
      detected_at: "bigint",
      resolved_at: "bigint?",
      created_at: "bigint",
      updated_at: "bigint",
    },
    ["unique (uuid)", references("organization_id", "organizations")],
  );
  await createIndex(db, "index incidents_organization on incidents (organization_id, id)");
  await createIndex(
    db,
    "unique index incidents_one_open on incidents (monitor_id) where automatic = 1 and resolved_at is null",
  );
  await createTable(
    db,
    "incident_updates",
    { id: "id", incident_id: "bigint", user_id: "bigint?", status: "text", message: "text", at: "bigint" },
    [references("incident_id", "incidents")],
  );
  await createIndex(db, "index incident_updates_incident on incident_updates (incident_id, id)");
  await createTable(
    db,
    "notifications",
    {
      id: "id",
      uuid: "text",
      organization_id: "bigint",
      monitor_id: "bigint?",
      incident_id: "bigint?",
      event: "text",
      type: "text",
      message: "text",
      idempotency_key: "text",
      created_at: "bigint",
    },
    ["unique (uuid)", "unique (idempotency_key)", references("organization_id", "organizations")],
  );
  await createIndex(db, "index notifications_organization on notifications (organization_id, id)");
}

import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Devices: what their agents are known by, what they reported, and the tokens with which they enrol. */
export const devices: Migration = {
  async up(db) {
    const ofMonitor = references("monitor_id", "monitors");
    await createTable(
      db,
      "devices",
      {
        monitor_id: "bigint",
        token_hash: "text",
        token_since: "bigint",
        enrolled_by: "text?",
        installation: "text?",
        machine: "text?",
        boot: "text?",
        run: "text?",
        former_run: "text?",
        sequence: "bigint",
        reported_at: "bigint?",
        agent_version: "text?",
        hostname: "text?",
        platform: "text?",
        clock_ahead_ms: "bigint?",
        dropped: "bigint",
        system: "text?",
        latest: "text?",
        health: "text?",
        health_state: "text?",
        rival: "text?",
      },
      ["primary key (monitor_id)", ofMonitor],
    );
    await createIndex(db, "unique index devices_token on devices (token_hash)");
    await createIndex(db, "index devices_machine on devices (machine)");
    await createTable(
      db,
      "device_snapshots",
      { monitor_id: "bigint", kind: "text", at: "bigint", total: "integer", items: "blob" },
      ["primary key (monitor_id, kind)", ofMonitor],
    );
    await createTable(
      db,
      "device_moments",
      { monitor_id: "bigint", minute_at: "bigint", at: "bigint", load: "real?", items: "blob" },
      ["primary key (monitor_id, minute_at)", ofMonitor],
    );
    await createIndex(db, "index device_moments_by_time on device_moments (minute_at)");
    await createTable(
      db,
      "device_changes",
      {
        id: "id",
        monitor_id: "bigint",
        at: "bigint",
        change: "text",
        name: "text",
        version: "text?",
        former_version: "text?",
      },
      [ofMonitor],
    );
    await createIndex(db, "index device_changes_by_time on device_changes (monitor_id, at)");
    await createTable(db, "device_links", { device_id: "bigint", monitor_id: "bigint" }, [
      "primary key (monitor_id, device_id)",
      references("device_id", "monitors"),
      ofMonitor,
    ]);
    await createIndex(db, "index device_links_by_device on device_links (device_id)");
    await createTable(
      db,
      "enrollment_tokens",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        user_id: "bigint",
        name: "text",
        prefix: "text",
        token_hash: "text",
        created_at: "bigint",
        expires_at: "bigint?",
        last_used_at: "bigint?",
        devices: "integer",
      },
      [references("organization_id", "organizations"), references("user_id", "users")],
    );
    await createIndex(db, "unique index enrollment_tokens_hash on enrollment_tokens (token_hash)");
    await createIndex(db, "index enrollment_tokens_organization on enrollment_tokens (organization_id)");
  },
};

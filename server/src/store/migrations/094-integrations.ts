import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Accounts at outside systems, and what those have that can be monitored. */
export const integrations: Migration = {
  async up(db) {
    await createTable(
      db,
      "integrations",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        provider: "text",
        name: "text",
        config: "text",
        secrets: "text?",
        account: "text",
        version: "bigint",
        renewing_until: "bigint",
        sync_at: "bigint?",
        synced_at: "bigint?",
        last_sync: "text?",
        failure: "text?",
        failing_since: "bigint?",
        needs_link: "integer",
        deployments_since: "bigint",
        created_at: "bigint",
        updated_at: "bigint",
      },
      [references("organization_id", "organizations")],
    );
    await createIndex(db, "index integrations_organization on integrations (organization_id, provider)");
    await createIndex(db, "index integrations_due on integrations (sync_at)");
    await createTable(
      db,
      "integration_resources",
      {
        id: "id",
        uuid: "text",
        integration_id: "bigint",
        external_id: "text",
        type: "text",
        name: "text",
        place: "text?",
        state: "text?",
        address: "text?",
        details: "text",
        watcher_id: "bigint?",
        found_at: "bigint",
        removed_at: "bigint?",
      },
      [
        references("integration_id", "integrations"),
        "foreign key (watcher_id) references monitors (id) on delete set null",
      ],
    );
    await createIndex(
      db,
      "unique index integration_resources_external on integration_resources (integration_id, external_id)",
    );
    await createIndex(db, "index integration_resources_monitor on integration_resources (watcher_id)");
  },
};

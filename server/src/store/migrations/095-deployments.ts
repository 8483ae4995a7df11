import type { Migration } from "kysely/migration";
import { createIndex, createTable, references } from "../ddl.ts";

/** Deployments, the monitors that they touch, and the webhooks by which they are told. */
export const deployments: Migration = {
  async up(db) {
    await createTable(
      db,
      "deployment_webhooks",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        provider: "text",
        name: "text",
        secret: "text",
        monitors: "text",
        tags: "text",
        environments: "text",
        last_received_at: "bigint?",
        last_failure: "text?",
        created_at: "bigint",
        updated_at: "bigint",
      },
      [references("organization_id", "organizations")],
    );
    await createIndex(db, "index deployment_webhooks_organization on deployment_webhooks (organization_id)");
    await createTable(
      db,
      "deployments",
      {
        id: "id",
        uuid: "text",
        organization_id: "bigint",
        source: "text",
        external_key: "text",
        name: "text",
        version: "text?",
        environment: "text?",
        status: "text",
        author: "text?",
        message: "text?",
        url: "text?",
        started_at: "bigint",
        finished_at: "bigint?",
        told_at: "bigint",
        created_at: "bigint",
        updated_at: "bigint",
      },
      [references("organization_id", "organizations")],
    );
    await createIndex(db, "unique index deployments_key on deployments (organization_id, external_key)");
    await createIndex(db, "index deployments_time on deployments (organization_id, started_at)");
    await createTable(
      db,
      "deployment_monitors",
      { monitor_id: "bigint", started_at: "bigint", deployment_id: "bigint" },
      [
        "primary key (monitor_id, started_at, deployment_id)",
        references("monitor_id", "monitors"),
        references("deployment_id", "deployments"),
      ],
    );
    await createIndex(db, "index deployment_monitors_deployment on deployment_monitors (deployment_id)");
  },
};

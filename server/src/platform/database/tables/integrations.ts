import { bigint, flag, id, OF_MONITOR, type RowOf, table, text } from "../table.ts";

const DEPLOYMENT_DAYS = 400;

export const INTEGRATION_TABLES = {
  /** An account at an outside system. Times in milliseconds. */
  integrations: table({
    columns: {
      id: id(),
      uuid: text(),
      organization_id: bigint().references("organizations"),
      /** Of integrations/registry.ts. */
      provider: text(),
      name: text(),
      /** JSON of what may be read of the configuration. */
      config: text(),
      /** The rest of it, sealed. */
      secrets: text().nullable(),
      /** What the other side calls the account. */
      account: text(),
      /** Grows with each change of the configuration. */
      version: bigint(),
      /** Until then one process exchanges its credentials for new ones. */
      renewing_until: bigint(),
      /** When it is looked at next; null: only once it has been linked again. */
      sync_at: bigint().nullable(),
      synced_at: bigint().nullable(),
      /** JSON of how many resources the last look that changed something added, removed, renamed and found in another state. */
      last_sync: text().nullable(),
      /** JSON of the message descriptor that says why the last look failed; null: it did not. */
      failure: text().nullable(),
      failing_since: bigint().nullable(),
      /** 1: the other side refuses the credentials. */
      needs_link: flag(),
      /** The last poll, up to which deployments are known of resources whose deployments are requested for the first time. */
      deployments_since: bigint(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      integrations_organization: "(organization_id, provider)",
      integrations_due: "(sync_at)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  integration_resources: table({
    columns: {
      id: id(),
      uuid: text(),
      integration_id: bigint().references("integrations"),
      /** What the other side knows it by. */
      external_id: text(),
      type: text(),
      name: text(),
      /** What it belongs to there: a resource group, a project, a team. */
      place: text().nullable(),
      state: text().nullable(),
      address: text().nullable(),
      /** JSON of what its provider's file needs to know to have it monitored. */
      details: text(),
      /** The monitor that checks it. */
      watcher_id: bigint().nullable().references("monitors", "set null"),
      found_at: bigint(),
      /** Since when it is not there any more; null: it is. */
      removed_at: bigint().nullable(),
      /** When its deployments were requested last; null: not yet. */
      deployments_at: bigint().nullable(),
    },
    indexes: {
      integration_resources_external: "unique (integration_id, external_id)",
      integration_resources_monitor: "(watcher_id)",
    },
    tenant: { column: "integration_id", of: "integrations" },
    retention: "until deleted",
  }),
  /** A state of a link with which a person has returned from the provider. */
  used_link_states: table({
    columns: {
      id: id(),
      organization_id: bigint().references("organizations"),
      state_hash: text().unique(),
      at: bigint(),
    },
    indexes: {
      used_link_states_organization: "(organization_id)",
      used_link_states_at: "(at)",
    },
    tenant: "organization_id",
    // Longer than a state is good.
    retention: { days: 1, since: "at" },
    backup: "not restored",
  }),
  deployment_webhooks: table({
    columns: {
      id: id(),
      uuid: text(),
      organization_id: bigint().references("organizations"),
      provider: text(),
      name: text(),
      /** Sealed. */
      secret: text(),
      /** JSON array of ids of the monitors that its deployments touch. */
      monitors: text(),
      /** JSON arrays: with these tags; only of these environments. */
      tags: text(),
      environments: text(),
      last_received_at: bigint().nullable(),
      /** JSON of the message descriptor that says why the last one was refused. */
      last_failure: text().nullable(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      deployment_webhooks_organization: "(organization_id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  deployments: table({
    columns: {
      id: id(),
      uuid: text(),
      organization_id: bigint().references("organizations"),
      /** Who reported it: `api`, a Git provider or an integration. */
      source: text(),
      /** What distinguishes it from others of the organization. */
      external_key: text(),
      name: text(),
      version: text().nullable(),
      environment: text().nullable(),
      status: text(),
      author: text().nullable(),
      message: text().nullable(),
      url: text().nullable(),
      started_at: bigint(),
      finished_at: bigint().nullable(),
      /** Of the report by which its status is known: older ones change nothing. */
      reported_at: bigint(),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      deployments_key: "unique (organization_id, external_key)",
      deployments_time: "(organization_id, started_at)",
      deployments_by_age: "(created_at)",
    },
    tenant: "organization_id",
    retention: { days: DEPLOYMENT_DAYS, since: "created_at" },
  }),
  deployment_monitors: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** The deployment's. */
      started_at: bigint(),
      deployment_id: bigint().references("deployments"),
    },
    primaryKey: ["monitor_id", "started_at", "deployment_id"],
    indexes: {
      deployment_monitors_deployment: "(deployment_id)",
    },
    tenant: OF_MONITOR,
    retention: "until deleted",
  }),
};

export type IntegrationTable = RowOf<(typeof INTEGRATION_TABLES)["integrations"]>;
export type DeploymentWebhookTable = RowOf<(typeof INTEGRATION_TABLES)["deployment_webhooks"]>;
export type DeploymentTable = RowOf<(typeof INTEGRATION_TABLES)["deployments"]>;

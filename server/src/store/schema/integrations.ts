import type { Generated } from "kysely";
import { OF_MONITOR, table } from "../table.ts";
import type { Flag } from "./values.ts";

/** An account at an outside system. Times in milliseconds. */
export interface IntegrationTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  /** Of integration/registry.ts. */
  provider: string;
  name: string;
  /** JSON of what may be read of the configuration. */
  config: string;
  /** The rest of it, sealed. */
  secrets: string | null;
  /** What the other side calls the account. */
  account: string;
  /** Grows with each change of the configuration. */
  version: number;
  /** Until then one process exchanges its credentials for new ones. */
  renewing_until: number;
  /** When it is looked at next; null: only once it has been linked again. */
  sync_at: number | null;
  synced_at: number | null;
  /** JSON of how many resources the last look that changed something added, removed, renamed and found in another state. */
  last_sync: string | null;
  /** JSON of the fact why the last look failed; null: it did not. */
  failure: string | null;
  failing_since: number | null;
  /** 1: the other side refuses the credentials. */
  needs_link: Flag;
  /** The last look, up to which deployments are known of resources that are asked for theirs for the first time. */
  deployments_since: number;
  created_at: number;
  updated_at: number;
}

/** Something that an account has. */
export interface IntegrationResourceTable {
  id: Generated<number>;
  uuid: string;
  integration_id: number;
  /** What the other side knows it by. */
  external_id: string;
  type: string;
  name: string;
  /** What it stands in there: a resource group, a project, a team. */
  place: string | null;
  state: string | null;
  address: string | null;
  /** JSON of what its provider's file needs to know to have it monitored. */
  details: string;
  /** The monitor that checks it. */
  watcher_id: number | null;
  found_at: number;
  /** Since when it is not there any more; null: it is. */
  removed_at: number | null;
  /** When its deployments were asked for last; null: not yet. */
  deployments_at: number | null;
}

/** By which a forge tells of deployments. */
export interface DeploymentWebhookTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  provider: string;
  name: string;
  /** Sealed. */
  secret: string;
  /** JSON array of ids of the monitors that its deployments touch. */
  monitors: string;
  /** JSON arrays: with these tags; only of these environments. */
  tags: string;
  environments: string;
  last_received_at: number | null;
  /** JSON of the fact why the last one was refused. */
  last_failure: string | null;
  created_at: number;
  updated_at: number;
}

/** That something was deployed. */
export interface DeploymentTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  /** Who told of it: `api`, a forge or an integration. */
  source: string;
  /** What tells it apart from others of the organization. */
  external_key: string;
  name: string;
  version: string | null;
  environment: string | null;
  status: string;
  author: string | null;
  message: string | null;
  url: string | null;
  started_at: number;
  finished_at: number | null;
  /** Of the news by which its status is known: older ones change nothing. */
  told_at: number;
  created_at: number;
  updated_at: number;
}

/** That a deployment touches a monitor. */
export interface DeploymentMonitorTable {
  monitor_id: number;
  /** The deployment's. */
  started_at: number;
  deployment_id: number;
}

/** A state of a link that somebody has come back with. */
export interface UsedLinkStateTable {
  id: Generated<number>;
  organization_id: number;
  state_hash: string;
  at: number;
}

const DEPLOYMENT_DAYS = 400;

/** Tables of outside systems and what they tell. */
export const INTEGRATION_TABLES = {
  integrations: table<IntegrationTable>({ tenant: "organization_id", retention: "kept" }),
  integration_resources: table<IntegrationResourceTable>({
    tenant: { column: "integration_id", of: "integrations" },
    retention: "kept",
  }),
  used_link_states: table<UsedLinkStateTable>({
    tenant: "organization_id",
    // Longer than a state is good.
    retention: { days: 1, since: "at" },
    backup: "not restored",
  }),
  deployment_webhooks: table<DeploymentWebhookTable>({ tenant: "organization_id", retention: "kept" }),
  deployments: table<DeploymentTable>({
    tenant: "organization_id",
    retention: { days: DEPLOYMENT_DAYS, since: "created_at" },
  }),
  deployment_monitors: table<DeploymentMonitorTable>({ tenant: OF_MONITOR, retention: "kept" }),
};

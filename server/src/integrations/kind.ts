import type { TObject } from "typebox";
import type { Config } from "../platform/config.ts";
import type { Deployment } from "./queries/deployments.ts";
import type { FoundResource, IntegrationResource } from "./queries/integration-resources.ts";
import type { SendRequest } from "./send-request.ts";

/** What one call to an outside system has. */
export interface Access<Config_> {
  config: Config_;
  /** The installation's own configuration, which says where the other side is. */
  settings: Config;
  /** Throws ProviderError. */
  send: SendRequest;
  /** Milliseconds. */
  now: number;
}

/** How a resource is monitored: as a domain, or as a service of that protocol. */
export type Watched =
  | { kind: "domain"; url: string }
  | { kind: "service"; protocol: string; protocolConfig: object };

/** A deployment that the other side tells of. */
export interface FoundDeployment
  extends Pick<Deployment, "version" | "environment" | "status" | "author" | "message" | "url"> {
  /** Its own name for it, unique within the account. */
  externalId: string;
  startedAt: number;
  finishedAt: number | null;
}

/** Credentials that are exchanged for new ones before they expire. */
interface Renewal<Config_> {
  /** Milliseconds. */
  expiresAt(config: Config_): number;
  /** Throws ProviderError; `refused` where somebody has to link the account again. */
  renew(access: Access<Config_>): Promise<Config_>;
}

/**
 * An outside system whose resources can be monitored: a file each, listed in registry.ts. `Config_` follows `configSchema`.
 * Whatever it does throws ProviderError.
 */
export interface IntegrationKind<Config_ = never> {
  provider: string;
  title: string;
  /** How the API calls it: `/api/<segment>/<accounts>/{id}/<resources>`, and under its own name. */
  words: {
    segment: string;
    accounts: "accounts" | "instances";
    resources: "services" | "resources" | "projects";
  };
  /** Validates the configuration with its secrets, which are marked; forms and OpenAPI come from it. */
  configSchema: TObject;
  /** `form`: people type the configuration. `oauth`: the other side gives it (oauth.ts). */
  link: "form" | "oauth";
  /** Its address is this installation's own configuration, so that nobody has to approve it. */
  isOwnAddress: boolean;
  /** Of the configuration, to which problems belong that the other side does not explain. */
  secretField: string;
  /** What lists show of a configuration, of which they have no secrets. */
  target(config: Config_): string;
  renewal?: Renewal<Config_>;
  /** Asks whether the credentials are taken, and answers what the other side calls the account. */
  verify(access: Access<Config_>): Promise<string>;
  listResources(access: Access<Config_>): Promise<FoundResource[]>;
  /** How that resource is monitored, with its health path where it has one; null: it has no address. */
  watch(access: Access<Config_>, resource: IntegrationResource): Promise<Watched | null>;
  /** Whether deployments to resources of that type are told of; absent: of every type. */
  isDeployed?(type: string): boolean;
  /** What was deployed to a resource since a time in milliseconds. Absent: the other side does not tell. */
  listDeployments?(
    access: Access<Config_>,
    resource: IntegrationResource,
    since: number,
  ): Promise<FoundDeployment[]>;
}

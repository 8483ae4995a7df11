import type { TObject } from "typebox";
import type { Config } from "../platform/config.ts";
import type { Deployment } from "./queries/deployments.ts";
import type { FoundResource, IntegrationResource } from "./queries/integration-resources.ts";
import type { SendRequest } from "./send-request.ts";

export interface Access<Config_> {
  config: Config_;
  /** The installation's configuration, with the provider's address. */
  settings: Config;
  /** Throws ProviderError. */
  send: SendRequest;
  /** Milliseconds. */
  now: number;
}

export type Watched =
  | { kind: "domain"; url: string }
  | { kind: "service"; protocol: string; protocolConfig: object };

export interface FoundDeployment
  extends Pick<Deployment, "version" | "environment" | "status" | "author" | "message" | "url"> {
  /** The provider's id, unique within the account. */
  externalId: string;
  startedAt: number;
  finishedAt: number | null;
}

/** Credentials that are exchanged before they expire. */
interface Renewal<Config_> {
  /** Milliseconds. */
  expiresAt(config: Config_): number;
  /** Throws ProviderError; `refused` where a person has to link the account again. */
  renew(access: Access<Config_>): Promise<Config_>;
}

/**
 * A provider: a file each, listed in registry.ts. `Config_` follows `configSchema`. All methods throw
 * ProviderError.
 */
export interface IntegrationKind<Config_ = never> {
  provider: string;
  title: string;
  /** In the API: `/api/<segment>/<accounts>/{id}/<resources>`, and under its own name. */
  words: {
    segment: string;
    accounts: "accounts" | "instances";
    resources: "services" | "resources" | "projects";
  };
  /** Secrets are marked; forms and OpenAPI come from it. */
  configSchema: TObject;
  /** `form`: people type the configuration. `oauth`: the provider issues it. */
  link: "form" | "oauth";
  /** Its address is the installation's configuration, so it needs no approval. */
  isOwnAddress: boolean;
  /** The field to blame for errors that the provider does not explain. */
  secretField: string;
  /** For lists, without secrets. */
  target(config: Config_): string;
  renewal?: Renewal<Config_>;
  /** Verifies the credentials; returns the provider's name for the account. */
  verify(access: Access<Config_>): Promise<string>;
  listResources(access: Access<Config_>): Promise<FoundResource[]>;
  /** With its health path, if any; null: it has no address. */
  watch(access: Access<Config_>, resource: IntegrationResource): Promise<Watched | null>;
  /** Absent: every type. */
  isDeployed?(type: string): boolean;
  /** Since a time in milliseconds. Absent: the provider does not report them. */
  listDeployments?(
    access: Access<Config_>,
    resource: IntegrationResource,
    since: number,
  ): Promise<FoundDeployment[]>;
}

import type { FoundDeployment, Watched } from "./kind.ts";
import { type Json, objectIn, textIn, timeIn, webAddressOf, withPath } from "./read-json.ts";

/** What is known of a type of Azure's resources that can be monitored. */
export interface ArmType {
  /** As its list is addressed, and in which version of that interface. */
  path: string;
  apiVersion: string;
  address(properties: Json): string | null;
  state?(properties: Json): string | null;
  /** The address as people read it; absent: as it is. */
  shown?(address: string): string;
  hasHealthPath?: true;
  watch(address: string, healthPath: string | null): Watched;
}

const site = (property: string): Pick<ArmType, "address" | "watch"> => ({
  address: (properties) => webAddressOf(textIn(properties, property)),
  watch: (address, path) => ({ kind: "domain", url: withPath(address, path) }),
});

/** A host on which a port is open. */
const port = (property: string, number: number): Pick<ArmType, "address" | "watch"> => ({
  address: (properties) => {
    const host = textIn(properties, property);
    return host === null ? null : `${host}:${number}`;
  },
  watch: (address) => {
    const [host, own] = address.split(":");
    return { kind: "service", protocol: "tcp", protocolConfig: { host, port: Number(own) } };
  },
});

const state = (properties: Json) => textIn(properties, "state") ?? textIn(properties, "runningStatus");

/** By type, in lower case: Azure spells them in several ways. */
export const ARM_TYPES: Readonly<Record<string, ArmType>> = {
  "microsoft.web/sites": {
    ...{ path: "Microsoft.Web/sites", apiVersion: "2023-12-01", hasHealthPath: true, state },
    ...site("defaultHostName"),
  },
  "microsoft.web/staticsites": {
    ...{ path: "Microsoft.Web/staticSites", apiVersion: "2023-12-01" },
    ...site("defaultHostname"),
  },
  "microsoft.app/containerapps": {
    ...{ path: "Microsoft.App/containerApps", apiVersion: "2024-03-01", state },
    ...site(""),
    address: (properties) => {
      const ingress = objectIn(objectIn(properties, "configuration"), "ingress");
      return ingress["external"] === true ? webAddressOf(textIn(ingress, "fqdn")) : null;
    },
  },
  "microsoft.network/publicipaddresses": {
    ...{ path: "Microsoft.Network/publicIPAddresses", apiVersion: "2024-01-01" },
    address: (properties) =>
      textIn(objectIn(properties, "dnsSettings"), "fqdn") ?? textIn(properties, "ipAddress"),
    watch: (host) => ({ kind: "service", protocol: "icmp", protocolConfig: { host } }),
  },
  "microsoft.dbforpostgresql/flexibleservers": {
    ...{ path: "Microsoft.DBforPostgreSQL/flexibleServers", apiVersion: "2023-06-01-preview", state },
    ...port("fullyQualifiedDomainName", 5432),
  },
  "microsoft.dbformysql/flexibleservers": {
    ...{ path: "Microsoft.DBforMySQL/flexibleServers", apiVersion: "2023-06-30", state },
    ...port("fullyQualifiedDomainName", 3306),
  },
  "microsoft.sql/servers": {
    ...{ path: "Microsoft.Sql/servers", apiVersion: "2021-11-01", state },
    ...port("fullyQualifiedDomainName", 1433),
  },
  "microsoft.cache/redis": {
    ...{ path: "Microsoft.Cache/redis", apiVersion: "2024-03-01" },
    ...port("hostName", 6380),
  },
};

/** App Service's own states (Kudu's DeployStatus). */
const STATUSES: Readonly<Record<string, FoundDeployment["status"]>> = { 3: "failed", 4: "succeeded" };

/** A deployment of a web app (Web Apps - List Deployments); null where it does not say when it was. */
export function deploymentOfSite(json: Json): FoundDeployment | null {
  const properties = objectIn(json, "properties");
  const externalId = textIn(properties, "id") ?? textIn(json, "name");
  const startedAt = timeIn(properties, "start_time") ?? timeIn(properties, "received_time");
  if (externalId === null || startedAt === null) return null;
  const id = textIn(json, "name") ?? externalId;
  return {
    externalId,
    version: /^[0-9a-f]{7,64}$/i.test(id) ? id : null,
    environment: null,
    status: STATUSES[String(properties["status"])] ?? "started",
    author: textIn(properties, "author") ?? textIn(properties, "deployer"),
    message: textIn(properties, "message", 500),
    url: null,
    startedAt,
    finishedAt: timeIn(properties, "end_time"),
  };
}

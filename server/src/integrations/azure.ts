import { type Static, Type } from "typebox";
import { msg } from "../platform/i18n/message.ts";
import { harmless } from "../platform/secrets/config-secrets.ts";
import type { Access, FoundDeployment, IntegrationKind, Watched } from "./kind.ts";
import { secretText } from "./oauth-state.ts";
import {
  type Json,
  malformed,
  objectIn,
  objectsOf,
  ProviderError,
  requiredText,
  textIn,
  timeIn,
  webAddressOf,
  withPath,
} from "./provider-error.ts";
import type { IntegrationResource } from "./queries/integration-resources.ts";

interface ArmType {
  /** Of its list, and the API version. */
  path: string;
  apiVersion: string;
  address(properties: Json): string | null;
  state?(properties: Json): string | null;
  /** For people; absent: as it is. */
  shown?(address: string): string;
  hasHealthPath?: true;
  watch(address: string, healthPath: string | null): Watched;
}

const site = (property: string): Pick<ArmType, "address" | "watch"> => ({
  address: (properties) => webAddressOf(textIn(properties, property)),
  watch: (address, path) => ({ kind: "domain", url: withPath(address, path) }),
});

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

/** In lower case: Azure is inconsistent. */
const ARM_TYPES: Readonly<Record<string, ArmType>> = {
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

/** Web Apps - List Deployments; null: without a time. */
function deploymentOfSite(json: Json): FoundDeployment | null {
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

/** A GUID, or a directory's domain; safe in a path. */
const NAME = "^[A-Za-z0-9][A-Za-z0-9.-]{0,127}$";
const GUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
const EXAMPLE = "00000000-0000-4000-8000-000000000001";

const azureConfigSchema = Type.Object(
  {
    tenantId: Type.String({
      minLength: 1,
      pattern: NAME,
      description: "The directory (tenant) of the application.",
      examples: [EXAMPLE],
    }),
    clientId: Type.String({
      minLength: 1,
      pattern: NAME,
      description: "The application (client) id.",
      examples: [EXAMPLE],
    }),
    clientSecret: secretText("A client secret of the application. Never returned."),
    subscriptionId: Type.String({
      minLength: 1,
      pattern: GUID,
      description:
        "The subscription whose resources are listed; the application needs the role Reader on it.",
      examples: [EXAMPLE],
      ...harmless,
    }),
  },
  {
    additionalProperties: false,
    title: "Azure",
    description: "An application of a Microsoft Entra directory.",
  },
);

type AzureConfig = Static<typeof azureConfigSchema>;
type AzureAccess = Access<AzureConfig>;

const SUBSCRIPTIONS = "2022-12-01";
const RESOURCES = "2021-04-01";
const SITES = "2023-12-01";
const MAX_PAGES = 50;

/**
 * Client credentials (OAuth 2.0, `v2.0/token` of the Microsoft identity platform), then a subscription's
 * resources (Azure Resource Manager, Resources - List) with details of the types above.
 */
export const azureIntegration: IntegrationKind<AzureConfig> = {
  provider: "azure",
  title: "Microsoft Azure",
  words: { segment: "cloudprovider", accounts: "accounts", resources: "services" },
  configSchema: azureConfigSchema,
  link: "form",
  isOwnAddress: true,
  secretField: "clientSecret",
  target: ({ subscriptionId }) => subscriptionId,
  async verify(access) {
    const token = await tokenOf(access);
    try {
      const { subscriptionId } = access.config;
      const found = await get(access, token, `/subscriptions/${subscriptionId}?api-version=${SUBSCRIPTIONS}`);
      // A role that shows the subscription may not show its resources.
      await get(access, token, `/subscriptions/${subscriptionId}/resources?$top=1&api-version=${RESOURCES}`);
      return textIn(found, "displayName") ?? subscriptionId;
    } catch (error) {
      throw of("subscriptionId", error);
    }
  },
  async listResources(access) {
    const token = await tokenOf(access);
    const all = await listAll(access, token, resourcesUrl(access));
    const present = new Map(all.map((one) => [String(one["type"]).toLowerCase(), true]));
    const found = [];
    for (const [type, armType] of Object.entries(ARM_TYPES).filter(([name]) => present.has(name))) {
      found.push(...(await detailed(access, token, type, armType)));
    }
    const known = new Set(found.map(({ externalId }) => externalId.toLowerCase()));
    const others = all.filter((one) => !known.has(String(one["id"]).toLowerCase()));
    return [...found, ...others.map((one) => resourceOf(one, hostOf(access), null))];
  },
  async watch(access, { details, type, externalId }) {
    const { address } = details as { address?: string };
    const armType = ARM_TYPES[type.toLowerCase()];
    if (!armType || !address) return null;
    const path = armType.hasHealthPath ? await healthPath(access, externalId) : null;
    return armType.watch(address, path);
  },
  isDeployed: (type) => type.toLowerCase() === "microsoft.web/sites",
  async listDeployments(access, resource, since) {
    const token = await tokenOf(access);
    const found = await listAll(
      access,
      token,
      `${armUrl(access)}${pathOf(resource.externalId)}/deployments?api-version=${SITES}`,
    );
    return found.flatMap((one) => deploymentOfSite(one) ?? []).filter(({ startedAt }) => startedAt >= since);
  },
};

const armUrl = ({ settings }: AzureAccess) => settings.azureManagementUrl;
const hostOf = (access: AzureAccess) => new URL(armUrl(access)).host;
const resourcesUrl = (access: AzureAccess) =>
  `${armUrl(access)}/subscriptions/${access.config.subscriptionId}/resources?$expand=provisioningState&api-version=${RESOURCES}`;

/** By the code at the start of the description (AADSTS…). */
const FIELDS: Readonly<Record<string, string>> = {
  unauthorized_client: "clientId",
  invalid_request: "tenantId",
};

/** Requested once per access. */
function tokenOf(access: AzureAccess): Promise<string> {
  const pendingToken = tokens.get(access) ?? newToken(access);
  tokens.set(access, pendingToken);
  return pendingToken;
}

/** Usually one or two thousand characters, more with many claims. */
const MAX_TOKEN = 16_384;

const tokens = new WeakMap<AzureAccess, Promise<string>>();

async function newToken({ config, settings, send }: AzureAccess): Promise<string> {
  const url = `${settings.azureLoginUrl}/${encodeURIComponent(config.tenantId)}/oauth2/v2.0/token`;
  const form = {
    grant_type: "client_credentials",
    client_id: config.clientId,
    client_secret: config.clientSecret,
    scope: `${settings.azureManagementUrl}/.default`,
  };
  const where = new URL(url).host;
  try {
    return requiredText((await send({ url, form })).json, "access_token", where, MAX_TOKEN);
  } catch (error) {
    // Azure answers 400 to most wrong credentials.
    if (error instanceof ProviderError && ["refused", "rejected", "forbidden"].includes(error.is)) {
      const field = FIELDS[error.code] ?? "clientSecret";
      throw new ProviderError("refused", msg("integration.credentials", { where }), {
        code: error.code,
        field,
      });
    }
    throw error;
  }
}

const get = async ({ send, settings }: AzureAccess, token: string, path: string): Promise<unknown> =>
  (await send({ url: settings.azureManagementUrl + path, headers: { authorization: `Bearer ${token}` } }))
    .json;

/** All pages. The token is not sent to a next link that leads elsewhere. */
async function listAll(access: AzureAccess, token: string, first: string): Promise<Json[]> {
  const where = hostOf(access);
  const found: Json[] = [];
  let url: string | null = first;
  for (let page = 0; url !== null; page += 1) {
    if (page === MAX_PAGES || URL.parse(url)?.origin !== new URL(armUrl(access)).origin)
      throw malformed(where);
    const { json } = await access.send({ url, headers: { authorization: `Bearer ${token}` } });
    found.push(...objectsOf((json as Json | undefined)?.["value"], where));
    url = textIn(json, "nextLink", 8192);
  }
  return found;
}

/** Without properties where the application may not read them. */
async function detailed(access: AzureAccess, token: string, type: string, armType: ArmType) {
  const { subscriptionId } = access.config;
  const url = `${armUrl(access)}/subscriptions/${subscriptionId}/providers/${armType.path}?api-version=${armType.apiVersion}`;
  try {
    const all = await listAll(access, token, url);
    return all.map((one) => resourceOf({ type, ...one }, hostOf(access), armType));
  } catch (error) {
    if (error instanceof ProviderError && ["forbidden", "missing", "rejected"].includes(error.is)) return [];
    throw error;
  }
}

function resourceOf(json: Json, where: string, armType: ArmType | null) {
  const id = textIn(json, "id", 2048) ?? "";
  if (!id.startsWith("/subscriptions/") || /\/\.{1,2}(?:\/|$)/.test(id)) throw malformed(where);
  const properties = objectIn(json, "properties");
  const address = armType?.address(properties) ?? null;
  return {
    externalId: id,
    type: requiredText(json, "type", where),
    name: requiredText(json, "name", where),
    place: /\/resourceGroups\/([^/]+)/i.exec(id)?.[1] ?? null,
    state:
      armType?.state?.(properties) ??
      textIn(properties, "provisioningState") ??
      textIn(json, "provisioningState"),
    address: address && (armType?.shown?.(address) ?? address),
    details: address === null ? {} : { address },
  };
}

/** Encoded: names may have spaces, as those of Azure's own alert rules do. */
const pathOf = (id: IntegrationResource["externalId"]): string =>
  id.split("/").map(encodeURIComponent).join("/");

/** Web Apps - Get Configuration; null: not set, or not readable. */
async function healthPath(
  access: AzureAccess,
  id: IntegrationResource["externalId"],
): Promise<string | null> {
  try {
    const found = await get(access, await tokenOf(access), `${pathOf(id)}/config/web?api-version=${SITES}`);
    return textIn(objectIn(found, "properties"), "healthCheckPath");
  } catch (error) {
    if (error instanceof ProviderError && ["forbidden", "missing"].includes(error.is)) return null;
    throw error;
  }
}

function of(field: string, error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { is, descriptor: what, code, afterMs } = error;
  if (is === "missing" || is === "forbidden" || is === "rejected") {
    const { where = "" } = what.params ?? {};
    return new ProviderError(is, msg("integration.no_subscription", { where }), { code, field });
  }
  return new ProviderError(is, what, { code, afterMs, field });
}

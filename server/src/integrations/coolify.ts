import { type Static, Type } from "typebox";
import { msg } from "../platform/i18n/message.ts";
import type { Access, FoundDeployment, IntegrationKind, Watched } from "./kind.ts";
import { secretText } from "./oauth-state.ts";
import {
  isObject,
  type Json,
  malformed,
  objectIn,
  objectsIn,
  ProviderError,
  type ProviderFailure,
  pathPartIn,
  requiredText,
  textIn,
  timeIn,
  webAddressOf,
  withPath,
} from "./provider-error.ts";
import type { FoundResource } from "./queries/integration-resources.ts";

const coolifyConfigSchema = Type.Object(
  {
    url: Type.String({
      format: "base-url",
      maxLength: 2048,
      description: "Where the instance is reached.",
      examples: ["https://coolify.example.com"],
    }),
    apiKey: secretText("An API token of a team (Keys & Tokens) with the permission `read`. Never returned."),
  },
  { additionalProperties: false, title: "Coolify", description: "An instance of Coolify." },
);

type CoolifyConfig = Static<typeof coolifyConfigSchema>;
type CoolifyAccess = Access<CoolifyConfig>;

const NEWEST_DEPLOYMENTS = 20;
/** Failures that a wrong address causes. */
const BLAMED: ReadonlySet<ProviderFailure> = new Set(["missing", "malformed", "unallowed"]);

/** By its OpenAPI document (v4, `/api/v1`). */
export const coolifyIntegration: IntegrationKind<CoolifyConfig> = {
  provider: "coolify",
  title: "Coolify",
  words: { segment: "deployplatform", accounts: "instances", resources: "resources" },
  configSchema: coolifyConfigSchema,
  link: "form",
  isOwnAddress: false,
  secretField: "apiKey",
  target: ({ url }) => URL.parse(url)?.host ?? url,
  async verify(access) {
    try {
      const team = await get(access, "/teams/current");
      const [name, id] = [textIn(team, "name"), textIn(team, "id")];
      if (name === null && id === null) throw malformed(hostOf(access));
      return name ?? hostOf(access);
    } catch (error) {
      // Wrong address: nothing there speaks this protocol.
      if (!(error instanceof ProviderError) || !BLAMED.has(error.is)) throw error;
      const isOther = error.is !== "unallowed";
      const what = isOther ? msg("integration.not_coolify", { where: hostOf(access) }) : error.descriptor;
      throw new ProviderError(isOther ? "missing" : error.is, what, { field: "url" });
    }
  },
  async listResources(access) {
    const servers = await list(access, "/servers");
    const applications = await list(access, "/applications");
    const services = await list(access, "/services");
    const databases = await list(access, "/databases");
    const where = hostOf(access);
    return [
      ...applications.map((one) => applicationOf(one, where)),
      ...services.map((one) => serviceOf(one, where)),
      ...databases.map((one) => databaseOf(one, where)),
      ...servers.map((one) => serverOf(one, access)),
    ];
  },
  async watch(access, { type, externalId, details, address }) {
    if (type === "application") return watchApplication(await get(access, `/applications/${externalId}`));
    const { host, port } = details as { host?: string; port?: number };
    if (type === "service") return address === null ? null : { kind: "domain", url: address };
    if (host === undefined) return null;
    return port === undefined
      ? { kind: "service", protocol: "icmp", protocolConfig: { host } }
      : { kind: "service", protocol: "tcp", protocolConfig: { host, port } };
  },
  isDeployed: (type) => type === "application",
  async listDeployments(access, { externalId }, since) {
    const path = `/deployments/applications/${externalId}?skip=0&take=${NEWEST_DEPLOYMENTS}`;
    const all = objectsIn(await get(access, path), "deployments", hostOf(access));
    return all.flatMap((one) => deploymentOf(one) ?? []).filter(({ startedAt }) => startedAt >= since);
  },
};

const hostOf = ({ config }: CoolifyAccess) => new URL(config.url).host;

const get = async ({ config, send }: CoolifyAccess, path: string): Promise<unknown> => {
  const url = `${config.url.replace(/\/+$/, "")}/api/v1${path}`;
  return (await send({ url, headers: { authorization: `Bearer ${config.apiKey}` } })).json;
};

/** Some versions wrap the list in an object. */
const list = async (access: CoolifyAccess, path: string): Promise<Json[]> =>
  objectsIn(await get(access, path), "data", hostOf(access));

const common = (json: Json, where: string) => ({
  externalId: pathPartIn(json, "uuid", where),
  name: requiredText(json, "name", where),
  place: textIn(objectIn(json, "environment"), "name"),
  // `running:healthy`
  state: textIn(json, "status"),
});

/** Coolify separates several by commas. */
const firstAddress = (json: Json, name: string) =>
  webAddressOf(textIn(json, name, 8192)?.split(",")[0]?.trim() ?? null);

const applicationOf = (json: Json, where: string): FoundResource => ({
  ...common(json, where),
  type: "application",
  address: firstAddress(json, "fqdn"),
  details: {},
});

/** The first part with an address represents the service. */
function serviceOf(json: Json, where: string): FoundResource {
  const parts = Array.isArray(json["applications"]) ? json["applications"].filter(isObject) : [];
  const address =
    [json, ...parts].map((one) => firstAddress(one, "fqdn")).find((found) => found !== null) ?? null;
  return { ...common(json, where), type: "service", address, details: {} };
}

/** A public database has a port on its server. */
function databaseOf(json: Json, where: string): FoundResource {
  const host = hostOfServer(objectIn(objectIn(json, "destination"), "server"), where);
  const port = Number(json["public_port"]);
  const isPublic = json["is_public"] === true && Number.isInteger(port) && port > 0 && port < 65_536;
  return {
    ...common(json, where),
    type: "database",
    address: isPublic ? `${host}:${port}` : null,
    details: isPublic ? { host, port } : {},
  };
}

function serverOf(json: Json, access: CoolifyAccess): FoundResource {
  const where = hostOf(access);
  const host = hostOfServer(json, where);
  const settings = objectIn(json, "settings");
  const isReachable = settings["is_reachable"] ?? json["is_reachable"];
  return {
    ...common(json, where),
    type: "server",
    state: typeof isReachable === "boolean" ? (isReachable ? "reachable" : "unreachable") : null,
    address: host,
    details: { host },
  };
}

/** Coolify's own machine has no address in its list. */
function hostOfServer(json: Json, where: string): string {
  const ip = textIn(json, "ip");
  return ip === null || ip === "host.docker.internal" || ip === "localhost"
    ? where.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1")
    : ip;
}

/** With Coolify's health check path, if that is on the same port. */
function watchApplication(json: unknown): Watched | null {
  if (!isObject(json)) return null;
  const address = firstAddress(json, "fqdn");
  if (address === null) return null;
  const path = json["health_check_enabled"] === true ? textIn(json, "health_check_path") : null;
  return { kind: "domain", url: withPath(address, path) };
}

const STATUSES: Readonly<Record<string, FoundDeployment["status"]>> = {
  finished: "succeeded",
  failed: "failed",
  "cancelled-by-user": "cancelled",
};

function deploymentOf(json: Json): FoundDeployment | null {
  const externalId = textIn(json, "deployment_uuid");
  const startedAt = timeIn(json, "created_at");
  if (externalId === null || startedAt === null) return null;
  const status = STATUSES[String(json["status"])] ?? "started";
  const commit = textIn(json, "commit");
  return {
    externalId,
    version: commit === "HEAD" ? null : commit,
    environment: null,
    status,
    author: json["is_webhook"] === true ? textIn(json, "git_type") : null,
    message: textIn(json, "commit_message", 500),
    url: null,
    startedAt,
    finishedAt: status === "started" ? null : (timeIn(json, "finished_at") ?? timeIn(json, "updated_at")),
  };
}

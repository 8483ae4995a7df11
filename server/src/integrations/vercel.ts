import type { Access, FoundDeployment, IntegrationKind } from "./kind.ts";
import {
  isObject,
  isPathPart,
  type Json,
  malformed,
  objectIn,
  objectsIn,
  objectsOf,
  ProviderError,
  pathPartIn,
  requiredText,
  textIn,
  timeIn,
  webAddressOf,
} from "./provider-error.ts";
import type { FoundResource } from "./queries/integration-resources.ts";
import { renewTokens, type VercelConfig, vercelConfigSchema } from "./vercel-oauth.ts";

type VercelAccess = Access<VercelConfig>;

const PAGE = 100;
const MAX_PAGES = 50;
const MAX_TEAMS = 50;
const NEWEST_DEPLOYMENTS = 20;

/**
 * OAuth with PKCE (vercel-oauth.ts), then the REST API: user, teams, projects with their domains,
 * deployments.
 */
export const vercelIntegration: IntegrationKind<VercelConfig> = {
  provider: "vercel",
  title: "Vercel",
  words: { segment: "hostingplatform", accounts: "accounts", resources: "projects" },
  configSchema: vercelConfigSchema,
  link: "oauth",
  isOwnAddress: true,
  secretField: "code",
  target: () => "vercel.com",
  renewal: { expiresAt: ({ expiresAt }) => expiresAt, renew: renewTokens },
  async verify(access) {
    const user = objectIn(await get(access, "/v2/user"), "user");
    return requiredText(user, "username", hostOf(access));
  },
  async listResources(access) {
    const teams = await listAll(access, "/v2/teams", "teams");
    const owners = [null, ...teams.slice(0, MAX_TEAMS)];
    const found = new Map<string, FoundResource>();
    for (const team of owners) {
      for (const project of await projectsOf(access, team)) {
        const one = resourceOf(project, team, hostOf(access));
        found.set(one.externalId, one);
      }
    }
    return [...found.values()];
  },
  async watch(access, { externalId, details, address }) {
    const domains = await listAll(
      access,
      `/v9/projects/${externalId}/domains${teamQuery(details)}`,
      "domains",
    );
    const own = domains.find(isMain);
    const url = (own && webAddressOf(textIn(own, "name"))) ?? address;
    return url === null ? null : { kind: "domain", url };
  },
  async listDeployments(access, { externalId, details }, since) {
    const { teamId } = details as { teamId?: string };
    const query = new URLSearchParams({
      projectId: externalId,
      limit: String(NEWEST_DEPLOYMENTS),
      since: String(since),
      // There may be many previews of branches.
      target: "production",
      ...(teamId && { teamId }),
    });
    const all = objectsIn(await get(access, `/v6/deployments?${query}`), "deployments", hostOf(access));
    return all.flatMap((one) => deploymentOf(one) ?? []);
  },
};

const hostOf = ({ settings }: VercelAccess) => new URL(settings.vercelApiUrl).host;

/** Vercel answers 403 for an invalid token, too. */
const INVALID_TOKEN = new Set(["forbidden", "invalid_token", "not_authorized"]);

async function get({ settings, config, send }: VercelAccess, path: string): Promise<unknown> {
  try {
    const headers = { authorization: `Bearer ${config.accessToken}` };
    return (await send({ url: settings.vercelApiUrl + path, headers })).json;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.is !== "forbidden") throw error;
    const is = INVALID_TOKEN.has(error.code) && !path.includes("teamId") ? "refused" : "forbidden";
    throw new ProviderError(is, error.descriptor, { code: error.code });
  }
}

/** By `pagination.next`. */
async function listAll(access: VercelAccess, path: string, name: string): Promise<Json[]> {
  const where = hostOf(access);
  const found: Json[] = [];
  let until: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = `limit=${PAGE}${until === null ? "" : `&until=${encodeURIComponent(until)}`}`;
    const json = await get(access, `${path}${path.includes("?") ? "&" : "?"}${query}`);
    found.push(...objectsOf(isObject(json) ? json[name] : undefined, where));
    const next: string | null = textIn(objectIn(json, "pagination"), "next");
    if (next === null) return found;
    until = next;
  }
  throw malformed(where);
}

/** A team that this account may not read does not block the others. */
async function projectsOf(access: VercelAccess, team: Json | null): Promise<Json[]> {
  const id = team && textIn(team, "id");
  if (team && !isPathPart(id)) return [];
  try {
    return await listAll(access, `/v10/projects${id ? `?teamId=${id}` : ""}`, "projects");
  } catch (error) {
    if (team && error instanceof ProviderError && error.is === "forbidden") return [];
    throw error;
  }
}

const teamQuery = (details: object): string => {
  const { teamId } = details as { teamId?: string };
  return teamId ? `?teamId=${teamId}` : "";
};

function resourceOf(json: Json, team: Json | null, where: string): FoundResource {
  const externalId = pathPartIn(json, "id", where);
  const production = objectIn(objectIn(json, "targets"), "production");
  const alias = Array.isArray(production["alias"])
    ? production["alias"].find((one) => typeof one === "string")
    : null;
  const teamId = team && textIn(team, "id");
  return {
    externalId,
    type: "project",
    name: requiredText(json, "name", where),
    place: team && (textIn(team, "name") ?? textIn(team, "slug")),
    state: textIn(production, "readyState")?.toLowerCase() ?? null,
    address: webAddressOf((alias as string | null | undefined) ?? textIn(production, "url")),
    details: teamId ? { teamId } : {},
  };
}

/** Served, neither redirecting nor of a branch. */
const isMain = (domain: Json): boolean =>
  domain["verified"] === true &&
  !domain["redirect"] &&
  !domain["gitBranch"] &&
  !textIn(domain, "name")?.endsWith(".vercel.app");

const STATUSES: Readonly<Record<string, FoundDeployment["status"]>> = {
  READY: "succeeded",
  ERROR: "failed",
  CANCELED: "cancelled",
};
const COMMITS = ["githubCommitSha", "gitlabCommitSha", "bitbucketCommitSha"];
const MESSAGES = ["githubCommitMessage", "gitlabCommitMessage", "bitbucketCommitMessage"];
const AUTHORS = ["githubCommitAuthorLogin", "gitlabCommitAuthorLogin", "bitbucketCommitAuthorName"];

const firstIn = (json: Json, names: readonly string[], maxLength?: number) =>
  names.map((name) => textIn(json, name, maxLength)).find((text) => text !== null) ?? null;

function deploymentOf(json: Json): FoundDeployment | null {
  const externalId = textIn(json, "uid");
  const startedAt = timeIn(json, "created") ?? timeIn(json, "createdAt");
  // Previews affect no monitor.
  if (externalId === null || startedAt === null || json["target"] !== "production") return null;
  const meta = objectIn(json, "meta");
  const status = STATUSES[String(json["state"] ?? json["readyState"])] ?? "started";
  return {
    externalId,
    version: firstIn(meta, COMMITS),
    environment: "production",
    status,
    author: firstIn(meta, AUTHORS) ?? textIn(objectIn(json, "creator"), "username"),
    message: firstIn(meta, MESSAGES, 500),
    url: webAddressOf(textIn(json, "inspectorUrl", 2048)),
    startedAt,
    finishedAt: status === "started" ? null : timeIn(json, "ready"),
  };
}

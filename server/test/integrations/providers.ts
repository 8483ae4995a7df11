import { createHash, randomBytes } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a provider saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** How a request is answered in the place of what the provider would say. */
export type Responder = (response: http.ServerResponse, request: SeenRequest) => void;

// biome-ignore lint/suspicious/noExplicitAny: what providers send
type Json = any;

export const SECRETS = {
  azure: "azure-secret-open-sesame-91c2",
  coolify: "1|coolify-open-sesame-91c3",
  vercelClient: "vercel-client-open-sesame-91c4",
  vercelAccess: "vercel-access-open-sesame-91c5",
  vercelRefresh: "vercel-refresh-open-sesame-91c6",
};
const TENANT = "11111111-2222-4333-8444-555555555555";
const SUBSCRIPTION = "66666666-7777-4888-9999-000000000000";
export const AZURE = {
  tenantId: TENANT,
  clientId: "app-1",
  clientSecret: SECRETS.azure,
  subscriptionId: SUBSCRIPTION,
};

const groupOf = (name: string) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`;
export const SITE_ID = `${groupOf("shop-rg")}/providers/Microsoft.Web/sites/shop`;

const azureSites = (): Json[] => [
  {
    id: SITE_ID,
    name: "shop",
    type: "Microsoft.Web/sites",
    location: "westeurope",
    kind: "app",
    properties: { state: "Running", defaultHostName: "shop.azurewebsites.test", enabled: true },
  },
];
const azureOthers = (): Json[] => [
  {
    id: `${groupOf("shop-rg")}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db`,
    name: "db",
    type: "Microsoft.DBforPostgreSQL/flexibleServers",
    location: "westeurope",
  },
  {
    id: `${groupOf("net")}/providers/Microsoft.Network/virtualNetworks/vnet`,
    name: "vnet",
    type: "Microsoft.Network/virtualNetworks",
    location: "westeurope",
    provisioningState: "Succeeded",
  },
];

/** What each provider has; tests change it. */
const newWorld = () => ({
  azure: { sites: azureSites(), others: azureOthers(), deployments: [] as Json[] },
  coolify: {
    servers: [
      { uuid: "srv1", name: "localhost", ip: "host.docker.internal", settings: { is_reachable: true } },
    ] as Json[],
    applications: [
      {
        ...{ id: 1, uuid: "app1", name: "shop", fqdn: "https://shop.coolify.test,https://www.shop.test" },
        ...{ status: "running:healthy", health_check_enabled: true, health_check_path: "/healthz" },
      },
      {
        id: 2,
        uuid: "app2",
        name: "worker",
        fqdn: null,
        status: "exited:unhealthy",
        health_check_enabled: false,
      },
    ] as Json[],
    services: [
      { uuid: "svc1", name: "wiki", status: "running", applications: [{ fqdn: "https://wiki.test" }] },
    ] as Json[],
    databases: [
      {
        uuid: "db1",
        name: "postgres",
        status: "running:healthy",
        is_public: true,
        public_port: 15432,
        destination: { server: { ip: "192.0.2.7" } },
      },
    ] as Json[],
    deployments: { app1: [] } as Record<string, Json[]>,
  },
  vercel: {
    teams: [{ id: "team_1", name: "Acme", slug: "acme" }] as Json[],
    projects: {
      "": [
        {
          id: "prj_1",
          name: "site",
          targets: { production: { alias: ["site.vercel.app"], readyState: "READY" } },
        },
      ],
      team_1: [
        {
          id: "prj_2",
          name: "docs",
          targets: { production: { alias: ["docs.vercel.app"], readyState: "READY" } },
        },
      ],
    } as Record<string, Json[]>,
    domains: {
      prj_1: [
        { name: "site.vercel.app", verified: true },
        { name: "site.test", verified: true, redirect: null },
      ],
    } as Record<string, Json[]>,
    deployments: [] as Json[],
    /** A code is good once. */
    usedCodes: new Set<string>(),
    accessTokens: new Set<string>([SECRETS.vercelAccess]),
    refreshTokens: new Set<string>([SECRETS.vercelRefresh]),
    expiresIn: 3600,
  },
});

export type ProviderWorld = ReturnType<typeof newWorld>;

export interface Providers {
  url: string;
  world: ProviderWorld;
  requests: SeenRequest[];
  /** From now on requests whose `METHOD path` fits are answered like this; null: as the provider would again. */
  override(fits: RegExp, answer: Responder | null): void;
  /** The configuration of a server that uses these. */
  config: {
    azureLoginUrl: string;
    azureManagementUrl: string;
    vercelApiUrl: string;
    vercelOauthUrl: string;
    vercelClientId: string;
    vercelClientSecret: string;
    publicUrl: string;
  };
  close(): Promise<void>;
}

export const json =
  (status: number, body: Json, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** What a person does who agrees at an address: the code and the state that their browser comes back with. */
export function agree(authorizationUrl: string): { code: string; state: string } {
  const query = new URL(authorizationUrl).searchParams;
  return { code: `${token("code")}.${query.get("code_challenge")}`, state: query.get("state") ?? "" };
}

/** The page where people agree, which here they do at once. */
const agreeAtOnce =
  (url: URL): Responder =>
  (response) => {
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams(agree(url.href)).toString();
    response.writeHead(302, { location: back.href });
    response.end();
  };

const token = (kind: string) => `${kind}-${randomBytes(9).toString("hex")}-open-sesame`;
const bearerOf = ({ headers }: SeenRequest) => /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";

/** Azure, Coolify and Vercel on one port of this machine, as their published documents say. */
export async function startProviders(): Promise<Providers> {
  const world = newWorld();
  const requests: SeenRequest[] = [];
  const overrides: [RegExp, Responder][] = [];
  const armTokens = new Set<string>();
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const seen = { method, path, headers, body: Buffer.concat(parts).toString() };
      requests.push(seen);
      const override = overrides.find(([fits]) => fits.test(`${method} ${path}`));
      const url = new URL(path, base());
      (override?.[1] ?? answerOf({ world, seen, url, armTokens, base: base() }))(response, seen);
    });
  });
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const url = base();
  return {
    ...{ url, world, requests },
    override(fits, answer) {
      const at = overrides.findIndex(([one]) => String(one) === String(fits));
      if (at >= 0) overrides.splice(at, 1);
      if (answer) overrides.unshift([fits, answer]);
    },
    config: {
      ...{ azureLoginUrl: url, azureManagementUrl: url, vercelApiUrl: url, vercelOauthUrl: url },
      ...{
        vercelClientId: "cl_1",
        vercelClientSecret: SECRETS.vercelClient,
        publicUrl: "https://vedette.test",
      },
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface ProviderRequest {
  world: ProviderWorld;
  seen: SeenRequest;
  url: URL;
  armTokens: Set<string>;
  base: string;
}

function answerOf(received: ProviderRequest): Responder {
  const { pathname } = received.url;
  if (pathname.endsWith("/oauth2/v2.0/token")) return azureToken(received);
  if (pathname.startsWith("/subscriptions/")) return arm(received);
  if (pathname.startsWith("/api/v1/")) return coolify(received);
  if (pathname === "/oauth/authorize") return agreeAtOnce(received.url);
  if (pathname === "/login/oauth/token") return vercelToken(received);
  return vercel(received);
}

function azureToken({ url, seen, armTokens }: ProviderRequest): Responder {
  const form = new URLSearchParams(seen.body);
  const refuse = (status: number, error: string, code: string) =>
    json(status, {
      error,
      error_description: `${code}: Trace ID: 1 ${form.get("client_secret")}`,
      error_codes: [1],
    });
  if (!url.pathname.startsWith(`/${TENANT}/`)) return refuse(400, "invalid_request", "AADSTS90002");
  if (form.get("grant_type") !== "client_credentials")
    return refuse(400, "unsupported_grant_type", "AADSTS70003");
  if (form.get("client_id") !== "app-1") return refuse(400, "unauthorized_client", "AADSTS700016");
  if (form.get("client_secret") !== SECRETS.azure) return refuse(401, "invalid_client", "AADSTS7000215");
  // As long as those with some groups in them are.
  const made = `${token("arm")}.${"c".repeat(2_000)}`;
  armTokens.add(made);
  return json(200, { token_type: "Bearer", expires_in: 3599, access_token: made });
}

const armError = (status: number, code: string) => json(status, { error: { code, message: "no" } });

function arm({ url, seen, world, armTokens, base }: ProviderRequest): Responder {
  if (!armTokens.has(bearerOf(seen))) return armError(401, "InvalidAuthenticationToken");
  if (!url.searchParams.has("api-version")) return armError(400, "MissingApiVersionParameter");
  const own = `/subscriptions/${SUBSCRIPTION}`;
  const { pathname } = url;
  if (!pathname.startsWith(own)) return armError(404, "SubscriptionNotFound");
  const rest = pathname.slice(own.length);
  if (rest === "")
    return json(200, {
      id: own,
      subscriptionId: SUBSCRIPTION,
      displayName: "Pay-As-You-Go",
      state: "Enabled",
    });
  if (rest === "/resources") {
    // Two to a page, so that there is a next one.
    const all = [...world.azure.sites, ...world.azure.others].map(({ properties: _, ...one }) => one);
    const skip = Number(url.searchParams.get("$skiptoken") ?? 0);
    const size = Number(url.searchParams.get("$top") ?? 2);
    const isMore = all.length > skip + size;
    const next = `${base}${own}/resources?api-version=2021-04-01&$skiptoken=${skip + size}`;
    return json(200, { value: all.slice(skip, skip + size), ...(isMore && { nextLink: next }) });
  }
  if (rest === "/providers/Microsoft.Web/sites") return json(200, { value: world.azure.sites });
  if (rest === "/providers/Microsoft.DBforPostgreSQL/flexibleServers") {
    const [db] = world.azure.others;
    return json(200, {
      value: db
        ? [{ ...db, properties: { state: "Ready", fullyQualifiedDomainName: "db.postgres.azure.test" } }]
        : [],
    });
  }
  if (rest.endsWith("/config/web")) return json(200, { properties: { healthCheckPath: "/health" } });
  if (rest.endsWith("/deployments")) return json(200, { value: world.azure.deployments });
  return armError(404, "ResourceNotFound");
}

function coolify({ url, seen, world }: ProviderRequest): Responder {
  if (bearerOf(seen) !== SECRETS.coolify) return json(401, { message: "Unauthenticated." });
  const path = url.pathname.slice("/api/v1".length);
  const { servers, applications, services, databases, deployments } = world.coolify;
  const lists: Record<string, Json[]> = {
    "/servers": servers,
    "/applications": applications,
    "/services": services,
    "/databases": databases,
  };
  if (lists[path]) return json(200, lists[path]);
  if (path === "/teams/current") return json(200, { id: 0, name: "Root Team", personal_team: true });
  const application = applications.find(({ uuid }) => path === `/applications/${uuid}`);
  if (application) return json(200, application);
  const deployed = Object.keys(deployments).find((uuid) => path === `/deployments/applications/${uuid}`);
  if (deployed)
    return json(200, { count: deployments[deployed]?.length, deployments: deployments[deployed] });
  return json(404, { message: "Not found." });
}

function vercelToken({ seen, world }: ProviderRequest): Responder {
  const form = new URLSearchParams(seen.body);
  const { usedCodes, accessTokens, refreshTokens, expiresIn } = world.vercel;
  const refuse = (error: string) => json(400, { error, error_description: "no" });
  if (form.get("client_id") !== "cl_1" || form.get("client_secret") !== SECRETS.vercelClient)
    return json(401, { error: "invalid_client" });
  if (form.get("grant_type") === "authorization_code") {
    const code = form.get("code") ?? "";
    const [, challenge] = code.split(".");
    const isUsed = usedCodes.has(code);
    usedCodes.add(code);
    const made = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (isUsed || made !== challenge) return refuse("invalid_grant");
    if (!form.get("redirect_uri")?.endsWith("/settings/integrations/vercel"))
      return refuse("invalid_request");
  } else if (!refreshTokens.delete(form.get("refresh_token") ?? "")) return refuse("invalid_grant");
  const made = { access_token: token("access"), refresh_token: token("refresh") };
  accessTokens.add(made.access_token);
  refreshTokens.add(made.refresh_token);
  return json(200, {
    token_type: "Bearer",
    expires_in: expiresIn,
    ...made,
    scope: "openid profile offline_access",
  });
}

function vercel({ url, seen, world }: ProviderRequest): Responder {
  const { teams, projects, domains, deployments, accessTokens } = world.vercel;
  const paged = (name: string, all: Json[]) =>
    json(200, { [name]: all, pagination: { count: all.length, next: null, prev: null } });
  if (!accessTokens.has(bearerOf(seen)))
    return json(403, { error: { code: "forbidden", message: "Not authorized", invalidToken: true } });
  const { pathname, searchParams } = url;
  if (pathname === "/v2/user")
    return json(200, { user: { id: "u1", username: "ada", email: "ada@vedette.test" } });
  if (pathname === "/v2/teams") return paged("teams", teams);
  if (pathname === "/v10/projects") {
    // One to a page.
    const all = projects[searchParams.get("teamId") ?? ""] ?? [];
    const from = Number(searchParams.get("until") ?? 0);
    const next = from + 1 < all.length ? from + 1 : null;
    return json(200, { projects: all.slice(from, from + 1), pagination: { count: 1, next, prev: null } });
  }
  const project = /^\/v9\/projects\/([^/]+)\/domains$/.exec(pathname)?.[1];
  if (project) return paged("domains", domains[project] ?? []);
  if (pathname === "/v6/deployments") {
    const target = searchParams.get("target");
    const all = deployments.filter((one) => target === null || one.target === target);
    return paged("deployments", all.slice(0, Number(searchParams.get("limit"))));
  }
  return json(404, { error: { code: "not_found", message: "no" } });
}

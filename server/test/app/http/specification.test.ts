import { describe, expect, onTestFinished, test } from "vitest";
import { insertNotifications } from "../../../src/alerts/queries/notifications.ts";
import type { Provider } from "../../../src/integrations/registry.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { snakeName } from "../../../src/platform/operations/snake-case.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { addLinkedResource } from "../../integrations/linked.ts";
import { AZURE, SECRETS } from "../../integrations/providers.ts";
import { startIntegrating } from "../../integrations/setup.ts";
import { SPECIFIED, type SpecifiedEndpoint } from "./specified-endpoints.ts";

/** The specification's neutral words, and how the providers are called. */
const SEGMENTS: Readonly<Record<string, Provider>> = {
  cloudprovider: "azure",
  deployplatform: "coolify",
  hostingplatform: "vercel",
};

/** What v2 calls shorter than the legacy family does. */
const shorter = (path: string): string => path.replace(/\/monitoring(?=\/(?:history|locations)$)/, "");

/** Where an endpoint of the specification is to answer: as it is written there, and in the other family. */
function addressesOf({ path }: SpecifiedEndpoint): string[] {
  const rest = path.replace(/^\/(?:api|v2)(?=\/)/, "");
  const own = rest.replace(/^\/(\w+)(?=\/)/, (all, word: string) =>
    SEGMENTS[word] ? `/${SEGMENTS[word]}` : all,
  );
  const inFamilies = [rest, own].flatMap((each) => [
    `/api${each}`,
    ...["/v2", "/api/v2"].map((family) => family + shorter(each)),
  ]);
  return [...new Set([path, ...inFamilies])];
}

const shapeOf = (url: string): string => url.replaceAll(/:\w+|\{\w+\}/g, "{}");

type World = Awaited<ReturnType<typeof startWorld>>;

/** An organization in which each thing can be made that an endpoint names. */
async function startWorld(engine: "sqlite" | "postgres") {
  const site = await startHttpTarget();
  onTestFinished(site.close);
  const integrating = await startIntegrating(engine);
  const { server, link } = integrating;
  let count = 0;
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await server.api("POST", path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    const { data } = answer.body;
    return String(data.id ?? data.device?.id ?? data.conversationId);
  };
  const name = () => `Thing ${(count += 1)}`;
  const linked = async (provider: Provider) => String((await link(provider)).id);
  return {
    ...{ server, integrating, site, name, create, linked },
    /** By the word in front of it in a path. */
    make: {
      domains: () => create("/api/domains", { name: name(), url: site.url }),
      devices: () => create("/api/devices", { name: name() }),
      services: () => create("/api/services", service(name())),
      "status-pages": () =>
        create("/api/status-pages", { name: name(), slug: `page-${count}`, isPublic: true }),
      incidents: () => create("/api/incidents", { title: name(), severity: "low" }),
      "api-keys": () => create("/api-keys", { name: name(), scopes: ["read:domains"] }),
      conversations: () =>
        create("/api/chat/conversations", { userMessage: "Hello", assistantMessage: "Hi" }),
      notifications: () => makeNotification(server),
    } satisfies Record<string, () => Promise<string>> as Record<string, () => Promise<string>>,
  };
}

const service = (name: string) => ({
  ...{ name, protocol: "tcp", protocolConfig: { host: "127.0.0.1", port: 9 } },
  ...{ checkInterval: 60, timeout: 5 },
});

async function makeNotification({ ctx, person }: TestServer): Promise<string> {
  const uuid = crypto.randomUUID();
  const wanted = {
    ...{ uuid, organizationId: person.organization.id, monitorId: null, incidentId: null },
    ...({ event: "monitor.flapping", type: "warning", message: "It keeps going down." } as const),
    ...{
      descriptor: msg("notification.flapping", { name: "It" }),
      outageStartedAt: null,
      togetherMessage: null,
    },
    ...{ idempotencyKey: uuid, createdAt: ctx.clock.now() },
  } as const;
  await insertNotifications(ctx.store.db, [wanted]);
  return uuid;
}

/** The path with things of the world in the place of its parameters. */
async function filledIn(world: World, url: string): Promise<string> {
  const { make, linked, server } = world;
  const words = url.split("/");
  let account = "";
  for (const [at, word] of words.entries()) {
    if (!word.startsWith("{")) continue;
    const before = words[at - 1] as string;
    const provider = words
      .map((each) => SEGMENTS[each] ?? each)
      .find((each) => /^(azure|coolify|vercel)$/.test(each));
    if (provider && account === "") words[at] = account = await linked(provider as Provider);
    else if (provider) {
      words[at] = String(await addLinkedResource({ server }, Number(account), provider as Provider));
    } else {
      const id = await (make[before] as () => Promise<string>)();
      words[at] = word === "{slug}" ? await slugOf(server, id) : id;
    }
  }
  return words.join("/");
}

const slugOf = async ({ api }: TestServer, id: string): Promise<string> =>
  (await api("GET", `/api/status-pages/${id}`)).body.data.slug;

/** What a request brings, by method and path as the specification writes it: in camelCase, as it does. */
const BROUGHT: Readonly<Record<string, (world: World) => object | Promise<object>>> = {
  "POST /v2/domains": ({ name, site }) => ({ name: name(), url: site.url }),
  "POST /api/domains": ({ name, site }) => ({ name: name(), url: site.url, checkInterval: 60, timeout: 10 }),
  "PUT /api/domains/{id}": ({ name }) => ({ name: name(), enabled: false }),
  "POST /api/services": ({ name }) => service(name()),
  "PUT /api/services/{id}": ({ name }) => ({ name: name() }),
  "POST /api/cloudprovider/accounts": () => AZURE,
  "POST /api/deployplatform/instances": ({ integrating, name }) => ({
    ...{ name: name(), url: integrating.providers.config.vercelApiUrl, apiKey: SECRETS.coolify },
  }),
  "POST /api/hostingplatform/accounts": () => ({}),
  // What a name server or a port answers, tests of the toolbox say.
  "POST /api/toolbox/dns-lookup": () => ({ domain: "", record_type: "A" }),
  "POST /api/toolbox/port-scanner": () => ({ target: "", scanType: "quick", protocol: "tcp", timeout: 1000 }),
  "POST /api/toolbox/ip-scanner": () => ({ ip: "8.8.8.8" }),
  "POST /api/status-pages": ({ name }) => ({
    name: name(),
    slug: `new-${Math.random().toString(36).slice(2)}`,
  }),
  "PUT /api/status-pages/{id}": ({ name }) => ({ name: name() }),
  "POST /api/status-pages/{id}/domains": async ({ make }) => ({ domainId: await number(make["domains"]) }),
  "POST /api/status-pages/{id}/devices": async ({ make }) => ({ deviceId: await number(make["devices"]) }),
  "POST /api/status-pages/{id}/services": async ({ make }) => ({ serviceId: await number(make["services"]) }),
  "POST /api/incidents": ({ name }) => ({ title: name(), severity: "low" }),
  "PUT /api/incidents/{id}": ({ name }) => ({ title: name() }),
  "POST /api/incidents/{id}/updates": () => ({ message: "We look into it.", status: "investigating" }),
  "POST /api/incidents/{id}/comments": () => ({ content: "Looks like DNS.", isInternal: true }),
  "PUT /api/notifications/settings": () => ({ emailDowntime: false }),
  "POST /api-keys": ({ name }) => ({ name: name(), scopes: ["read:domains"] }),
  "POST /api/chat/conversations": () => ({ userMessage: "Hello", assistantMessage: "Hi" }),
};
const number = async (make: (() => Promise<string>) | undefined): Promise<number> => Number(await make?.());

const QUERIES: Readonly<Record<string, (world: World) => string>> = {
  "/check-domain": () => "?domain=",
  "/api/domains/fetch-title": ({ site }) => `?url=${encodeURIComponent(site.url)}`,
};

/** What else than success is an answer here. */
const ELSE: Readonly<Record<string, readonly number[]>> = {
  // They are sent what they refuse.
  "GET /check-domain": [422],
  "POST /api/toolbox/dns-lookup": [422],
  "POST /api/toolbox/port-scanner": [422],
  // No probe runs here that could do it.
  "POST /api/services/{id}/check": [503],
  // At its further addresses: it is monitored under that name by then.
  "POST /api/cloudprovider/accounts/{accountId}/services/{serviceId}/monitor": [422],
};

/** The same with v2's names. */
const inSnake = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [snakeName(name), inSnake(part)]))
    : value;

async function callEndpoint(world: World, endpoint: SpecifiedEndpoint, url: string) {
  const { method, path } = endpoint;
  const given = await BROUGHT[`${method} ${path}`]?.(world);
  const isV2 = /^(\/api)?\/v2\//.test(url);
  const body = given && (isV2 ? inSnake(given) : given);
  const address = (await filledIn(world, url)) + (QUERIES[path]?.(world) ?? "");
  return world.server.api(method, address, body);
}

eachEngine("the endpoints of the specification", (engine) => {
  test("answer in both families, at every address that the specification or its decisions give them", async () => {
    const world = await startWorld(engine);
    const wrong: string[] = [];
    for (const endpoint of SPECIFIED) {
      const expected = [200, 201, ...(ELSE[`${endpoint.method} ${endpoint.path}`] ?? [])];
      for (const url of addressesOf(endpoint)) {
        const { status, body } = await callEndpoint(world, endpoint, url);
        if (expected.includes(status)) continue;
        wrong.push(`${endpoint.method} ${url}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe("the endpoints of the specification", () => {
  test("are all in the list", () => {
    expect(SPECIFIED.length).toBe(80);
    expect(new Set(SPECIFIED.map(({ method, path }) => `${method} ${path}`)).size).toBe(80);
    for (const { method, path, request, response } of SPECIFIED) {
      expect([method, path]).toEqual([
        expect.stringMatching(/^(GET|POST|PUT|DELETE)$/),
        expect.stringMatching(/^\/[\w/{}-]+$/),
      ]);
      expect([request, response].every((cell) => cell !== "")).toBe(true);
    }
  });

  test("are all described in the API's document, as are both addresses of the tool endpoint", async () => {
    const { server } = await startWorld("sqlite");
    const routes = new Set(server.app.routeList.map(({ method, url }) => `${method} ${shapeOf(url)}`));
    const specified = SPECIFIED.flatMap((endpoint) =>
      addressesOf(endpoint).map((url) => `${endpoint.method} ${shapeOf(url)}`),
    );
    expect(specified.filter((one) => !routes.has(one))).toEqual([]);
    for (const url of ["/api/mcp", "/mcp"]) {
      const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      expect((await server.api("POST", url, call)).status).toBe(200);
    }
  });
});

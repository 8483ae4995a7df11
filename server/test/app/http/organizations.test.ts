import { randomUUID } from "node:crypto";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { insertNotifications } from "../../../src/alerts/queries/notifications.ts";
import type { Provider } from "../../../src/integrations/registry.ts";
import type { ListedRoute } from "../../../src/platform/http/types.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { refusedInputAt } from "../../checks/toolbox/refused-inputs.ts";
import { startTestServer, type TestPerson, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { addLinked } from "../../integrations/linked.ts";
import { integrationBody } from "./request-body.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SPELLINGS = ["organization", "organizationId"] as const;
const NAMES = ["id", "uuid", "slug"] as const;

/** An organization with one of everything, and keys of its own. */
interface Tenant {
  person: TestPerson;
  /** Acts in this organization only. */
  key: string;
  domain: { id: number; uuid: string };
  service: number;
  device: number;
  enrollment: number;
  incident: number;
  notification: string;
  apiKey: number;
  channel: number;
  window: number;
  page: number;
  template: number;
  conversation: number;
  /** Linked accounts, by their provider. */
  accounts: Record<Provider, number>;
  deployment: number;
  webhook: number;
}

let server: TestServer;
/** The caller's own organization, another that they belong to, and one of other people. */
let own: Tenant;
let other: Tenant;
let strange: Tenant;
/** Of the caller: made in `own` for all of their organizations. */
let everywhere: string;
let counter = 0;

async function makeTenant(person: TestPerson): Promise<Tenant> {
  const { store } = server.ctx;
  const key = await server.createKey({ person });
  const created = await server.api("POST", "/api/domains", { url: "http://127.0.0.1:1/" }, { key });
  const service = await server.api(
    "POST",
    "/api/services",
    { name: "Door", protocol: "http", protocolConfig: { url: "http://127.0.0.1:1/" } },
    { key },
  );
  const device = await server.api("POST", "/api/devices", { name: "Machine" }, { key });

  const enrollment = await server.api("POST", "/api/devices/enrollment-tokens", { name: "All" }, { key });
  const apiKey = await server.api("POST", "/api-keys", { name: "K", scopes: ["read:domains"] }, { key });
  const channel = await server.api("POST", "/api/notifications/channels", slack, { key });
  const window = await server.api("POST", "/api/maintenance", upgrade, { key });
  const page = await server.api("POST", "/api/status-pages", newPage(), { key });
  const template = await server.api("POST", "/api/status-pages/templates", newTemplate, { key });
  const conversation = await server.api("POST", "/api/chat/conversations", newExchange("legacy"), { key });
  const owner = { organizationId: person.organization.id };
  const linked = async (provider: Provider) => (await addLinked({ server, owner }, provider)).id;
  const accounts = {
    azure: await linked("azure"),
    coolify: await linked("coolify"),
    vercel: await linked("vercel"),
  };
  const deployment = await server.api("POST", "/api/deployments", { name: "shop" }, { key });
  const webhook = await server.api("POST", "/api/deployments/webhooks", newWebhook, { key });
  const incident = await store.db
    .insertInto("incidents")
    .values({
      uuid: crypto.randomUUID(),
      organization_id: person.organization.id,
      automatic: 0,
      monitor_id: created.body.data.id,
      title: "Shop is down",
      description: "",
      status: "open",
      severity: "high",
      impact: "major",
      started_at: NOW,
      detected_at: NOW,
      created_at: NOW,
      updated_at: NOW,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const notification = crypto.randomUUID();
  await insertNotifications(store.db, [
    {
      uuid: notification,
      organizationId: person.organization.id,
      monitorId: null,
      incidentId: null,
      event: "monitor.flapping",
      type: "warning",
      message: "Shop keeps going down.",
      descriptor: msg("notification.flapping", { name: "Shop" }),
      outageStartedAt: null,
      togetherMessage: null,
      idempotencyKey: notification,
      createdAt: NOW,
    },
  ]);
  return {
    person,
    key,
    domain: created.body.data,
    service: service.body.data.id,
    device: device.body.data.device.id,
    enrollment: enrollment.body.data.id,
    incident: incident.id,
    notification,
    channel: channel.body.data.id,
    window: window.body.data.id,
    page: page.body.data.id,
    template: template.body.data.id,
    conversation: conversation.body.data.id,
    accounts,
    deployment: deployment.body.data.id,
    webhook: webhook.body.data.id,
    apiKey: apiKey.body.data.id,
  };
}

async function start(engine: "sqlite" | "postgres"): Promise<void> {
  server = await startTestServer({ engine, clock: { now: () => NOW } });
  onTestFinished(server.close);
  const elsewhere = await server.createOrganization();
  const membership = { userId: server.person.userId, organizationId: elsewhere.organization.id };
  await insertMember(server.ctx.store.db, { ...membership, role: "owner" }, NOW);
  own = await makeTenant(server.person);
  other = await makeTenant({ ...elsewhere, userId: server.person.userId });
  strange = await makeTenant(await server.createOrganization());
  everywhere = await server.createKey({ allOrganizations: true });
}

const named = ({ person }: Tenant, by: (typeof NAMES)[number]) => String(person.organization[by]);

/** The routes that take the filter; a stream does not end, and has a test of its own. */
const taking = (method: string) =>
  server.app.routeList.filter((route) => route.method === method && !route.alias && takesFilter(route));

const takesFilter = ({ schema, url }: ListedRoute): boolean =>
  !url.endsWith("/events") &&
  Object.keys((schema as { querystring?: { properties?: object } }).querystring?.properties ?? {}).includes(
    "organization",
  );

/** What a route of integrations is about. */
function idOfIntegration(url: string, { accounts, deployment, webhook }: Tenant): number {
  if (url.includes("/webhooks")) return webhook;
  if (url.includes("/deployments")) return deployment;
  if (url.includes("/cloudprovider")) return accounts.azure;
  return url.includes("/deployplatform") ? accounts.coolify : accounts.vercel;
}

/** A route's address with the ids of a tenant's things. */
function addressOf({ url, resource }: ListedRoute, tenant: Tenant): string {
  const ids: Record<string, number | string> = {
    domains: tenant.domain.id,
    services: tenant.service,
    devices: tenant.device,
    incidents: tenant.incident,
    maintenance: tenant.window,
    "status-pages": tenant.page,
    notifications: tenant.notification,
    "api-keys": tenant.apiKey,
    chat: tenant.conversation,
    integrations: idOfIntegration(url, tenant),
  };
  const of = url.includes("/incidents/") ? "incidents" : (resource ?? "");
  const below = url.includes("/channels") ? tenant.channel : ids[of];
  const id = url.includes("/templates") ? tenant.template : below;
  const named = url.includes("/enrollment-tokens") ? tenant.enrollment : id;
  const path = url.replace(/:\w+/, String(named));
  return path.endsWith("/fetch-title") ? `${path}?url=http://127.0.0.1:1/` : path;
}

/** With what the endpoint requests in its query besides. */
const withQuery = (path: string, query: string) =>
  `${path}${path.includes("?") ? "&" : "?"}${query}${path.endsWith("/fetch-title") ? "&url=https://shop.test" : ""}`;

async function answerOf(key: string, method: string, path: string, body?: unknown) {
  const { status, body: answer } = await server.api(method, path, body, { key });
  return { status, answer };
}

eachEngine("an organization that a request names", (engine) => {
  beforeEach(() => start(engine));

  test("is the one that is read, in every operation of both families, however it is named", async () => {
    const routes = taking("GET");
    expect(routes.length).toBeGreaterThan(25);
    for (const route of routes) {
      const path = addressOf(route, other);
      const expected = await answerOf(other.key, "GET", path);
      for (const spelling of SPELLINGS) {
        for (const by of NAMES) {
          const query = `${spelling}=${named(other, by)}`;
          const given = await answerOf(everywhere, "GET", withQuery(path, query));
          expect([route.url, query, given]).toEqual([route.url, query, expected]);
        }
      }
    }
  });

  test("is one by whichever of its names it is given twice, and not two", async () => {
    for (const path of ["/api/domains", "/v2/domains"]) {
      const expected = await answerOf(other.key, "GET", path);
      for (const by of NAMES) {
        const query = `organization=${named(other, "id")}&organizationId=${named(other, by)}`;
        expect(await answerOf(everywhere, "GET", `${path}?${query}`)).toEqual(expected);
      }
      const two = `organization=${named(other, "id")}&organizationId=${named(own, "slug")}`;
      expect((await answerOf(everywhere, "GET", `${path}?${two}`)).status).toBe(422);
      const foreign = `organization=${named(other, "id")}&organizationId=${named(strange, "slug")}`;
      expect((await answerOf(everywhere, "GET", `${path}?${foreign}`)).status).toBe(404);
    }
  });

  test("is the one where something is made, named in the query or in the body", async () => {
    for (const path of ["/api/domains", "/v2/domains", "/api-keys", "/v2/api-keys"]) {
      for (const spelling of SPELLINGS) {
        for (const name of [...NAMES.map((by) => named(other, by)), other.person.organization.id]) {
          for (const place of ["query", "body"]) {
            counter += 1;
            const about = {
              name: `N${counter}`,
              ...(path.includes("domains") ? { url: "https://new.test" } : { scopes: ["read:*"] }),
            };
            const where = { [spelling]: name };
            const made = await (place === "query"
              ? answerOf(everywhere, "POST", `${path}?${spelling}=${name}`, about)
              : answerOf(everywhere, "POST", path, { ...about, ...where }));
            expect([path, where, place, made.status]).toEqual([path, where, place, 201]);
            const read = `/v2${path.replace(/^\/(api|v2)\/|^\//, "/")}/${made.answer.data.id}`;
            expect([path, where, (await answerOf(other.key, "GET", read)).status]).toEqual([
              path,
              where,
              200,
            ]);
            expect((await answerOf(own.key, "GET", read)).status).toBe(404);
          }
        }
      }
    }
  });

  test("is the one where something is changed and deleted", async () => {
    for (const family of ["/api/domains", "/v2/domains"]) {
      const query = `organizationId=${named(other, "uuid")}`;
      const item = `${family}/${other.domain.id}`;
      expect((await answerOf(everywhere, "PUT", `${item}?${query}`, { name: "New" })).status).toBe(200);
      const bulk = { action: "pause", ids: [other.domain.id] };
      const atHome = await answerOf(everywhere, "POST", `${family}/bulk`, bulk);
      expect(atHome.answer.data.failed).toMatchObject([{ id: other.domain.id, status: 404 }]);
      const there = { ...bulk, organization: named(other, "slug") };
      const done = await answerOf(everywhere, "POST", `${family}/bulk`, there);
      expect(done.answer.data.failed).toEqual([]);
    }
    const item = `/api/domains/${other.domain.id}`;
    expect((await answerOf(everywhere, "DELETE", `${item}?organization=${named(own, "id")}`)).status).toBe(
      404,
    );
    expect((await answerOf(everywhere, "DELETE", `${item}?organization=${named(other, "id")}`)).status).toBe(
      200,
    );
  });

  test("is unknown when it is another's, or not the one of a key that acts in its own only", async () => {
    // What an assistant is to do is decided by people, not by keys.
    const routes = ["GET", "POST", "PUT", "DELETE"]
      .flatMap(taking)
      .filter(({ url }) => !url.includes("/calls/"));
    for (const route of routes) {
      const path = addressOf(route, own);
      for (const [key, tenant] of [
        [everywhere, strange],
        [own.key, other],
      ] as const) {
        const { status } = await answerOf(
          key,
          route.method,
          withQuery(path, `organization=${named(tenant, "id")}`),
          bodyFor(route),
        );
        expect([route.method, route.url, status]).toEqual([route.method, route.url, 404]);
      }
    }
    const streams = await server.api("GET", `/v2/events?organizationId=${named(strange, "id")}`, undefined, {
      key: everywhere,
    });
    expect(streams.status).toBe(404);
  });

  test("may be named once only", async () => {
    const query = `organization=${named(own, "id")}&organizationId=${named(other, "id")}`;
    const { status, answer } = await answerOf(everywhere, "GET", `/api/domains?${query}`);
    expect([status, Object.keys(answer.errors)]).toEqual([422, ["organization"]]);
  });
});

eachEngine("an id from the list of another of the caller's organizations", (engine) => {
  beforeEach(() => start(engine));
  const items = (method: string) => taking(method).filter(({ url }) => url.includes(":"));

  test("can be read with the same credentials, with everything below it", async () => {
    expect(items("GET").length).toBeGreaterThan(14);
    for (const route of items("GET")) {
      const path = addressOf(route, other);
      const expected = await answerOf(other.key, "GET", path);
      expect([route.url, expected.status, await answerOf(everywhere, "GET", path)]).toEqual([
        route.url,
        200,
        expected,
      ]);
      const elsewhere = await answerOf(
        everywhere,
        "GET",
        withQuery(path, `organization=${named(own, "id")}`),
      );
      expect([route.url, elsewhere.status]).toEqual([route.url, 404]);
    }
    const trends = `/api/domains/response-time-trends?domain=${other.domain.uuid}`;
    expect((await answerOf(everywhere, "GET", trends)).answer.data).toHaveLength(1);
  });

  test("can be changed and deleted, under that organization's plan", async () => {
    const item = `/v2/domains/${other.domain.uuid}`;
    expect((await answerOf(everywhere, "PUT", item, { name: "Renamed" })).answer.data.name).toBe("Renamed");
    expect((await answerOf(everywhere, "DELETE", item)).status).toBe(200);
    expect((await answerOf(everywhere, "DELETE", `/v2/api-keys/${other.apiKey}`)).status).toBe(200);
    expect((await answerOf(other.key, "GET", "/api/domains")).answer.data).toEqual([]);
  });

  test("is 404 for outsiders and for keys of one organization, and nothing of it changes", async () => {
    const everything = async () =>
      Promise.all(taking("GET").map((route) => answerOf(strange.key, "GET", addressOf(route, strange))));
    const before = await everything();
    for (const route of ["GET", "PUT", "DELETE"].flatMap(items)) {
      for (const [key, tenant] of [
        [everywhere, strange],
        [own.key, strange],
        [own.key, other],
      ] as const) {
        const { status } = await answerOf(key, route.method, addressOf(route, tenant), bodyFor(route));
        expect([route.method, route.url, status]).toEqual([route.method, route.url, 404]);
      }
    }
    const ids = [strange.domain.id, strange.domain.uuid];
    for (const action of ["pause", "delete"]) {
      const { answer } = await answerOf(everywhere, "POST", "/v2/domains/bulk", { action, ids });
      expect(answer.data.changed).toEqual([]);
    }
    expect(await everything()).toEqual(before);
  });
});

const slack = { name: "Slack", type: "slack", config: { url: "http://127.0.0.1:1/" } };

const upgrade = { title: "Upgrade", duration: 3600, everything: true };

/** What is done to a window takes nothing. */
function maintenanceBody(url: string, method: string): object {
  if (method === "PUT") return { title: "Mine now" };
  if (url.endsWith("/preview")) return { duration: 3600 };
  return url.includes(":") ? {} : upgrade;
}

/** A body that the route takes. */
function bodyFor({ schema, resource, url, method, family }: ListedRoute): object | undefined {
  if (!("body" in schema)) return undefined;
  if (url.endsWith("/bulk")) {
    return { action: resource === "incidents" ? "acknowledge" : "pause", ids: [1] };
  }
  if (url.endsWith("/imports")) return { content: "mine.test" };
  if (resource === "toolbox") return refusedInputAt(url);
  if (resource === "domains") return { name: "Mine now", url: "https://mine.test" };
  if (resource === "services") return serviceBody(url);
  if (resource === "devices") return url.endsWith("/regenerate-token") ? {} : { name: "Mine now" };
  if (resource === "incidents") return incidentBody(schema);
  if (resource === "maintenance") return maintenanceBody(url, method);
  if (resource === "status-pages") return pageBody(schema, method);
  if (resource === "integrations") return integrationBody(schema);
  if (url.endsWith("/answers")) return { message: "Why?" };
  if (url.endsWith("/answers/stop")) {
    return { [family === "v2" ? "answer_id" : "answerId"]: randomUUID() };
  }
  if (resource === "chat") return method === "POST" ? newExchange(family) : { title: "Mine now" };
  if (url.endsWith("/settings")) return {};
  if (url.endsWith("/settings/test")) return { type: "email" };
  if (resource === "notifications") return method === "POST" ? slack : { name: "Mine now" };
  return { name: "Mine now", ...(method === "POST" && { scopes: ["read:*"] }) };
}

const newExchange = (family: string) =>
  family === "v2"
    ? { user_message: "Why?", assistant_message: "So." }
    : { userMessage: "Why?", assistantMessage: "So." };

const newWebhook = { name: "Shop", provider: "github" };
const newTemplate = { name: "Down", texts: [{ language: "en", message: "Down." }] };
const subscriber = { kind: "email", address: "a@vedette.test" };

const newPage = () => ({ name: "Status", slug: `status-${process.pid}-${(counter += 1)}` });

/** What the route takes of a page, its arrangement and its components. */
function pageBody(schema: object, method: string): object {
  const { properties } = (schema as { body: { properties: object } }).body;
  const linked = Object.fromEntries(
    ["domain", "service", "device"].flatMap((kind) => [`${kind}Id`, `${kind}_id`]).map((name) => [name, 1]),
  );
  const { name, slug } = newPage();
  const content = "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
  const given = {
    ...linked,
    ...newTemplate,
    ...subscriber,
    name,
    content,
    groups: [],
    ...(method === "POST" && { slug }),
  };
  return Object.fromEntries(Object.entries(given).filter(([field]) => field in properties));
}

/** What the route takes of an incident and its log. */
function incidentBody(schema: object): object {
  const { properties } = (schema as { body: { properties: object } }).body;
  const said = { title: "Mine now", message: "Mine now", content: "Mine now", into: 1 };
  const noUser = { userId: null, user_id: null };
  return Object.fromEntries(Object.entries({ ...said, ...noUser }).filter(([name]) => name in properties));
}

function serviceBody(url: string): object {
  const config = { url: "https://mine.test" };
  const name = "Mine now";
  if (url.startsWith("/v2/")) return { name, protocol: "http", protocol_config: config };
  return { name, protocol: "http", protocolConfig: config };
}

import { randomUUID } from "node:crypto";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import type { ListedRoute } from "../../../src/platform/http/types.ts";
import { refusedInputAt } from "../../checks/toolbox/refused-inputs.ts";
import { startTestServer, type TestPerson, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { integrationBody } from "./request-body.ts";

let server: TestServer;
/** Where the caller is a viewer on the smallest plan, and whose key they use. */
let home: TestPerson;
/** Where they are the owner, on the largest one. */
let other: TestPerson;
let key: string;
let pages = 0;
const domains: Record<number, { id: number; uuid: string }> = {};

async function start(engine: "sqlite" | "postgres"): Promise<void> {
  server = await startTestServer({ engine });
  onTestFinished(server.close);
  other = server.person;
  const [first, hosts] = [await server.createOrganization({ plan: "free" }), server.ctx.store.db];
  home = { ...first, userId: other.userId };
  const membership = { userId: home.userId, organizationId: home.organization.id, role: "viewer" } as const;
  await insertMember(hosts, membership, 0);
  for (const person of [first, other]) {
    const own = await server.createKey({ person });
    const made = await server.api("POST", "/api/domains", { url: "https://shop.test" }, { key: own });
    domains[person.organization.id] = made.body.data;
  }
  key = await server.createKey({ person: home, allOrganizations: true });
}

/** Those whose query or path may say which organization is meant. */
const routes = (isItem: boolean) =>
  server.app.routeList.filter(
    ({ family, alias, loopback, resource, role, url, method }) =>
      !(family === "public" || resource === null || alias || loopback || resource === "organization") &&
      // A viewer may, on any plan.
      !(role === "viewer" && family === "legacy") &&
      url.includes("/:") === isItem &&
      !(isItem && resource !== "domains") &&
      (method !== "GET" || family === "v2"),
  );

async function statusOf({ method, url, schema, resource }: ListedRoute, organization: number, query: string) {
  const path = url.replaceAll(/:\w+/g, String(domains[organization]?.id));
  const own = () => (resource === "integrations" ? integrationBody(schema) : bodyOf(url, organization));
  const body = "body" in schema ? own() : undefined;
  const needed = url.endsWith("/fetch-title") ? "&url=https://renamed.test" : "";
  return (await server.api(method, `${path}${query}${needed}`, body, { key })).status;
}

function bodyOf(url: string, organization: number): object {
  const refused = refusedInputAt(url);
  if (refused) return refused;
  if (url.endsWith("/incidents/bulk")) return { action: "acknowledge", ids: [1] };
  if (url.endsWith("/bulk")) return { action: "pause", ids: [domains[organization]?.id] };
  if (url.endsWith("/settings")) return {};
  if (url.endsWith("/settings/test")) return { type: "email" };
  if (url.endsWith("/imports")) return { content: "renamed.test" };
  if (url.endsWith("/incidents")) return { title: "Renamed" };
  if (url.endsWith("/preview")) return { duration: 3600 };
  if (url.includes("/maintenance")) return { duration: 3600, everything: true };
  if (url.endsWith("/status-pages")) {
    return { name: "Status", slug: `status-${process.pid}-${(pages += 1)}` };
  }
  if (url.endsWith("/templates")) return { name: "T", texts: [{ language: "en", message: "We wait." }] };
  if (url.endsWith("/answers")) return { message: "Why?" };
  if (url.endsWith("/answers/stop")) {
    return { [url.startsWith("/v2/") ? "answer_id" : "answerId"]: randomUUID() };
  }
  if (url.startsWith("/v2/chat")) return { user_message: "Why?", assistant_message: "So." };
  if (url.includes("/devices")) return { name: `${url} renamed` };
  if (url.includes("services")) {
    const config = { host: "renamed.test", port: 443 };
    const field = url.startsWith("/v2/") ? "protocol_config" : "protocolConfig";
    return { name: url, protocol: "tcp", [field]: config };
  }
  if (url.includes("channels")) {
    return { name: url, type: "slack", config: { url: "http://renamed.test/" } };
  }
  if (url.includes("domains")) return { name: `${url} renamed`, url: "https://renamed.test" };
  return { name: "K", scopes: ["read:*"] };
}

eachEngine("role and plan are those of the organization that is meant", (engine) => {
  beforeEach(() => start(engine));

  test("where a request names it", { timeout: 90_000 }, async () => {
    const named = routes(false).filter(({ url }) => !url.endsWith("/organizations"));
    expect(named.length).toBeGreaterThan(10);
    for (const route of named) {
      const [here, there] = [home.organization.id, other.organization.id];
      const reported = [route.method, route.url];
      expect([...reported, await statusOf(route, there, `?organization=${there}`)]).not.toEqual([
        ...reported,
        403,
      ]);
      expect([...reported, await statusOf(route, here, `?organization=${here}`)]).toEqual([...reported, 403]);
    }
  });

  test("where an id says it, and in one's own where nothing does", async () => {
    expect(routes(true).length).toBeGreaterThan(6);
    // A deleted one is found no more.
    for (const route of routes(true).toSorted((a) => (a.method === "DELETE" ? 1 : -1))) {
      const reported = [route.method, route.url];
      expect([...reported, await statusOf(route, home.organization.id, "")]).toEqual([...reported, 403]);
      expect([...reported, await statusOf(route, other.organization.id, "")]).not.toEqual([...reported, 403]);
    }
    for (const path of ["/api/domains", "/api-keys", "/v2/domains"]) {
      const { status, body } = await server.api("POST", path, bodyOf(path, 0), { key });
      expect([path, status, body.success]).toEqual([path, 403, false]);
    }
    const trends = "/v2/domains/response-time-trends";
    expect((await server.api("GET", trends, undefined, { key })).status).toBe(403);
  });

  test("where a body names it, and for organizations themselves", async () => {
    const body = { name: "There", url: "https://there.test", organization: other.organization.slug };
    for (const path of ["/api/domains", "/v2/domains"]) {
      expect((await server.api("POST", path, { ...body, name: path }, { key })).status).toBe(201);
    }
    for (const path of ["/api/organizations", "/v2/organizations"]) {
      const renamed = (id: number) => server.api("PUT", `${path}/${id}`, { name: "Renamed" }, { key });
      expect((await renamed(other.organization.id)).status).toBe(200);
      expect((await renamed(home.organization.id)).status).toBe(403);
    }
  });

  test("and its scopes, which are the same everywhere, before its body", async () => {
    const weak = await server.createKey({ person: home, allOrganizations: true, scopes: ["read:*"] });
    const path = `/api/domains?organization=${other.organization.id}`;
    expect((await server.api("POST", path, "{", { key: weak })).status).toBe(403);
  });

  test("/metrics are those of one's own organization, and need its plan", async () => {
    expect((await server.api("GET", "/metrics", undefined, { key })).status).toBe(403);
    const own = await server.createKey({ person: other });
    expect((await server.api("GET", "/metrics", undefined, { key: own })).status).toBe(200);
  });
});

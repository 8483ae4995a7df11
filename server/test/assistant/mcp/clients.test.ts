import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, onTestFinished } from "vitest";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { batchChanges } from "../../../src/assistant/mcp/updates.ts";
import { endAccess } from "../../../src/platform/access/ended-access.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { rpc } from "./rpc.ts";
import { startStuckTarget } from "./stuck-target.ts";

const INFO = { name: "a test", version: "1.0.0" };

const addressOf = ({ url }: TestServer, path = "/mcp") => new URL(path, url);
const credentials = ({ key }: TestServer) => ({
  requestInit: { headers: { authorization: `Bearer ${key}` } },
});

async function start() {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  return server;
}

async function connectOlder(server: TestServer, path?: string) {
  const client = new OlderClient(INFO);
  await client.connect(new OlderTransport(addressOf(server, path), credentials(server)));
  onTestFinished(() => client.close());
  return client;
}

async function connectNewer(server: TestServer) {
  const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(addressOf(server), credentials(server)));
  onTestFinished(() => client.close());
  return client;
}

it.each(["/mcp", "/api/mcp"])(
  "lists and calls tools for the official client of the 1.x line at %s",
  async (path) => {
    const server = await start();
    const client = await connectOlder(server, path);
    expect(client.getServerVersion()).toMatchObject({ name: "vedette" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["get_dashboard_stats", "list_incidents", "explain_incident", "domain_check"]),
    );
    // It checks the answer by the tool's output schema itself.
    const answer = await client.callTool({ name: "get_dashboard_stats", arguments: {} });
    expect(answer.structuredContent).toMatchObject({ domains: { total: 0 }, incidents: { active: 0 } });
  },
);

it("lists and calls tools for the official client of the 2.x line, in the newest revision", async () => {
  const server = await start();
  const client = await connectNewer(server);
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(100);
  const answer = await client.callTool({ name: "get_domains_status", arguments: {} });
  expect(answer.structuredContent).toMatchObject({ summary: { total: 0 }, domains: [] });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    "triage_incident",
    "weekly_summary",
    "write_public_update",
  ]);
});

it("notifies a client of the 1.x line that a resource has changed which it subscribed to, and of no other", async () => {
  const server = await start();
  const client = await connectOlder(server);
  const reported: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void reported.push(params.uri),
  );
  const ids = await createDomains(server);
  await client.subscribeResource({ uri: `vedette://domains/${ids[1]}` });
  // The stream opens beside the first calls.
  await expect
    .poll(
      async () => {
        for (const id of ids) await rename(server, id);
        return reported;
      },
      { timeout: 10_000, interval: 700 },
    )
    .toContain(`vedette://domains/${ids[1]}`);
  expect(reported).not.toContain(`vedette://domains/${ids[0]}`);
  await client.unsubscribeResource({ uri: `vedette://domains/${ids[1]}` });
});

it("notifies a client of the newest revision that listens, and nothing of other organizations", async () => {
  const server = await start();
  const client = await connectNewer(server);
  const [own] = await createDomains(server);
  const other = await server.createOrganization();
  const otherKey = await server.createKey({ person: other });
  const [foreign] = await createDomains(server, otherKey);
  const reported: string[] = [];
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void reported.push(params.uri),
  );
  const subscription = await client.listen({
    resourceSubscriptions: [`vedette://domains/${own}`, `vedette://domains/${foreign}`],
  });
  await rename(server, foreign as number, otherKey);
  await rename(server, own as number);
  await expect.poll(() => reported, { timeout: 10_000 }).toContain(`vedette://domains/${own}`);
  expect(reported).not.toContain(`vedette://domains/${foreign}`);
  await subscription.close();
});

it("follows nothing in an organization whose plan has no MCP", async () => {
  const server = await start();
  const key = await server.createKey({ plan: "pro" });
  const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream", "mcp-session-id": "a" };
  const session = await fetch(addressOf(server), { headers });
  expect([session.status, await session.text()]).toEqual([403, expect.stringContaining("Expert Plan")]);
  const listening = await rpc(
    server,
    "subscriptions/listen",
    {
      notifications: { resourceSubscriptions: ["vedette://reports/dashboard"] },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": INFO,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
    {
      key,
      headers: {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
        accept: "application/json, text/event-stream",
      },
    },
  );
  expect([listening.status, JSON.stringify(listening.body)]).toEqual([
    403,
    expect.stringContaining("Expert Plan"),
  ]);
});

it("learns that it missed changes by the end of its stream", () => {
  let hasMissed = false;
  const changes = batchChanges(
    () => {},
    () => (hasMissed = true),
  );
  changes.receive(null);
  expect(hasMissed).toBe(true);
});

it("ends a stream when its person leaves any of the organizations that it follows", async () => {
  const server = await start();
  const { ctx, person } = server;
  const { organization } = await server.createOrganization();
  const member = { userId: person.userId, organizationId: organization.id };
  await insertMember(ctx.store.db, { ...member, role: "member" }, Date.now());
  const key = await server.createKey({ person, allOrganizations: true });
  const stream = await fetch(addressOf(server), {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream", "mcp-session-id": "a" },
    signal: AbortSignal.timeout(8_000),
  });
  expect(stream.status).toBe(200);
  await ctx.store.transaction(async (db) => {
    endAccess({ ...ctx, db, after: () => {} }, { of: "member", ...member });
  });
  ctx.live.wake();
  await stream.text();
});

it("stops the work of a call that its client cancels", async () => {
  const server = await start();
  const client = await connectOlder(server);
  const target = await startStuckTarget();
  const cancelling = new AbortController();
  const call = client.callTool(
    { name: "domain_test", arguments: { name: "Slow", url: target.url, timeout: 60, checkInterval: 300 } },
    undefined,
    { signal: cancelling.signal },
  );
  const failure = call.catch((error: unknown) => error);
  await target.connected;
  cancelling.abort();
  expect(await failure).toBeInstanceOf(Error);
  await target.left;
});

let names = 0;

async function createDomains(server: TestServer, key?: string): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < 2; n += 1) {
    const body = { name: `Shop ${++names}`, url: "http://127.0.0.1:9/" };
    const { body: made } = await server.api("POST", "/api/domains", body, key ? { key } : {});
    ids.push(made.data.id);
  }
  return ids;
}

const rename = (server: TestServer, id: number, key?: string) =>
  server.api("PUT", `/api/domains/${id}`, { name: `Shop ${++names}` }, key ? { key } : {});

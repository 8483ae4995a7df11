import { expect, onTestFinished, test } from "vitest";
import { setPlan } from "../../../src/accounts/organizations.ts";
import { insertMember } from "../../../src/accounts/queries/members.ts";
import { defineEventStreams } from "../../../src/app/live/events.ts";
import { deleteKey } from "../../../src/platform/access/queries/api-keys.ts";
import type { NewEvent } from "../../../src/platform/database/events.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { callVerb } from "../../../src/platform/operations/call.ts";
import { type Browser, openBrowser, PASSWORD, signedIn } from "../../accounts/browser.ts";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../harness/server.ts";
import { createTestDatabase, eachEngine } from "../../harness/stores.ts";
import { append, bearer, type EventClient, openEvents, statusEvent } from "./event-source.ts";

/** Nobody looks again whether the key or session is still there: only a notification ends a stream. */
const NEVER = { heartbeatMs: 15_000, recheckMs: 2 ** 30, stallMs: 2 ** 30 };

async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({
    engine: "sqlite",
    routes: (app, ctx) => defineEventStreams(app, ctx, NEVER, ["/api/test/events"]),
    ...options,
  });
  onTestFinished(server.close);
  return server;
}

const open = (server: TestServer, key: string, query = "") =>
  openEvents(`${server.url}/api/test/events${query}`, bearer(key));
const openIn = (server: TestServer, browser: Browser) =>
  openEvents(`${server.url}/api/test/events`, { cookie: `vedette_session=${browser.cookie}` });
const ends = (client: EventClient) => eventually(() => client.ended, Boolean);

/** One event of each type, as far as it matters who may see it. */
const oneOfEach = (organizationId: number): NewEvent[] => [
  ...(
    ["results", "notification", "incident", "monitor.changed", "service.changed", "access.ended"] as const
  ).map((type) => ({
    organizationId,
    type,
    payload: { of: "no one" },
  })),
  { organizationId, type: "of.a.newer.server" as NewEvent["type"], payload: {} },
  statusEvent(organizationId, 1),
];

eachEngine("who sees what on the live stream", (engine) => {
  test("receives only what the key's scopes reach, and its position advances all the same", async () => {
    const server = await start({ engine });
    const { id } = server.person.organization;
    const cases = [
      [["*:*"], ["results", "notification", "incident", "monitor.changed", "service.changed", "status"]],
      [["read:*"], ["results", "notification", "incident", "monitor.changed", "service.changed", "status"]],
      [["read:domains"], ["results", "monitor.changed", "status"]],
      [["read:services"], ["service.changed"]],
      [["write:incidents"], ["incident"]],
      [["read:notifications"], ["notification"]],
      [["read:dashboard", "read:chat"], []],
    ] as const;
    const clients = await Promise.all(
      cases.map(async ([scopes]) => open(server, await server.createKey({ scopes: [...scopes] }))),
    );
    const all = clients[0] as EventClient;
    await append(server, oneOfEach(id));
    await all.waitFor(6);
    // What comes after it was decided comes for all who may see it.
    const key = await server.createKey({ scopes: ["read:dashboard"] });
    const resumed = await openEvents(`${server.url}/api/test/events`, bearer(key, all.lastId));
    await append(server, oneOfEach(id));
    await all.waitFor(12);
    for (const [at, [scopes, types]] of cases.entries()) {
      const events = await (clients[at] as EventClient).waitFor(types.length * 2);
      expect([scopes, events.map(({ event }) => event)]).toEqual([scopes, [...types, ...types]]);
    }
    expect(resumed.events).toEqual([]);
    for (const client of [...clients, resumed]) client.close();
  });

  test("receives incidents and services only where the plan has them", async () => {
    const server = await start({ engine, plan: "free" });
    const client = await open(server, server.key);
    await append(server, oneOfEach(server.person.organization.id));
    const events = await client.waitFor(4);
    expect(events.map(({ event }) => event)).toEqual([
      "results",
      "notification",
      "monitor.changed",
      "status",
    ]);
    client.close();
  });
});

eachEngine("the live stream ends at once", (engine) => {
  test("when its key is deleted, and no other's", async () => {
    const server = await start({ engine });
    const [gone, other] = [
      await open(server, await server.createKey()),
      await open(server, await server.createKey()),
    ];
    const { body } = await server.api("GET", "/api-keys");
    await server.api("DELETE", `/api-keys/${body.data[1].id}`);
    await ends(gone);
    expect(other.ended).toBe(false);
    expect(other.events).toEqual([]);
    other.close();
  });

  test("when its key expires", async () => {
    const server = await start({ engine });
    const key = await server.createKey({ expiresAt: server.ctx.clock.now() + 700 });
    await ends(await open(server, key));
    expect((await open(server, key)).status).toBe(401);
  });

  test("when its key was deleted while it opened", async () => {
    let isHeld = true;
    const server = await start({
      engine,
      routes(app, ctx) {
        app.addHook("preHandler", async (request) => {
          const apiKeyId = request.caller?.apiKeyId;
          if (isHeld && apiKeyId) await deleteKey(ctx.store.db, apiKeyId);
        });
        defineEventStreams(app, ctx, NEVER, ["/api/test/events"]);
      },
    });
    await ends(await open(server, await server.createKey()));
    isHeld = false;
  });

  test("when its session signs out, is ended from another, or the password or second factor changes", async () => {
    const server = await start({ engine });
    const { browser, email } = await signedIn(server);
    const signIn = async () => {
      const other = openBrowser(server);
      await other.send("POST", "/api/auth/sign-in", { email, password: PASSWORD });
      return other;
    };
    const staying = await openIn(server, browser);
    const signedOut = await signIn();
    const first = await openIn(server, signedOut);
    await signedOut.send("POST", "/api/auth/sign-out");
    await ends(first);
    const second = await openIn(server, await signIn());
    const sessions = (await browser.send("GET", "/api/auth/sessions")).body.data;
    const { id } = sessions.find(({ current }: { current: boolean }) => !current);
    await browser.send("DELETE", `/api/auth/sessions/${id}`);
    await ends(second);
    const third = await openIn(server, await signIn());
    await browser.send("DELETE", "/api/auth/sessions");
    await ends(third);
    const fourth = await openIn(server, await signIn());
    const change = { currentPassword: PASSWORD, password: "another horse battery" };
    const answer = await browser.send("PUT", "/api/auth/password", change);
    expect(answer.status).toBe(200);
    await ends(fourth);
    expect(staying.ended).toBe(false);
    staying.close();
  });

  test("when its person is given another role or removed, also where the key is of another organization", async () => {
    const server = await start({ engine });
    const { organization } = server.person;
    const member = await server.createOrganization({ name: "Guest" });
    const membership = { userId: member.userId, organizationId: organization.id, role: "member" } as const;
    await insertMember(server.ctx.store.db, membership, 0);
    const key = await server.createKey({ person: member, allOrganizations: true });
    const there = await open(server, key, `?organization=${organization.id}`);
    const home = await open(server, key);
    const path = `/api/organizations/${organization.id}/members/${member.userId}`;
    expect((await server.api("PUT", path, { role: "viewer" })).status).toBe(200);
    await ends(there);
    const again = await open(server, key, `?organization=${organization.id}`);
    expect((await server.api("DELETE", path)).status).toBe(200);
    await ends(again);
    expect(home.ended).toBe(false);
    home.close();
  });

  test("when the organization's plan changes, and events of the new one follow from then on", async () => {
    const server = await start({ engine, plan: "free" });
    const { organization } = server.person;
    const client = await open(server, server.key);
    await callVerb({ ...server.ctx, operator: true }, setPlan, {
      organization: organization.uuid,
      plan: "pro",
    });
    await ends(client);
    const again = await openEvents(`${server.url}/api/test/events`, bearer(server.key, client.lastId));
    await append(server, oneOfEach(organization.id));
    expect((await again.waitFor(5)).map(({ event }) => event)).toContain("incident");
    again.close();
  });

  test("when a session moves to another organization", async () => {
    const server = await start({ engine });
    const { browser } = await signedIn(server);
    const { body } = await browser.send("POST", "/api/organizations", { name: "Second" });
    const client = await openIn(server, browser);
    await browser.send("PUT", "/api/auth/organization", { organization: String(body.data.id) });
    await ends(client);
  });

  test("on another server of the same database", async () => {
    const { location, remove } = await createTestDatabase(engine);
    const stores = [await openStore(location), await openStore(location)];
    const one = await start({ engine, store: stores[0] });
    const two = await start({ engine, store: stores[1] });
    const client = await open(two, await one.createKey());
    const { body } = await one.api("GET", "/api-keys");
    await one.api("DELETE", `/api-keys/${body.data[0].id}`);
    await ends(client);
    await Promise.all([one.close(), two.close()]);
    await Promise.all(stores.map((store) => store.close()));
    await remove();
  });
});

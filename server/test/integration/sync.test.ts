import { expect, test } from "vitest";
import { followIntegrations } from "../../src/integration/sync.ts";
import { eachEngine } from "../harness/stores.ts";
import { json } from "./providers.ts";
import { startIntegrating } from "./setup.ts";

const INSTANCES = "/api/deployplatform/instances";
const never = new AbortController().signal;

eachEngine("the look at linked accounts", (engine) => {
  test("adds, renames, removes, and follows the state of what they have", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    const { coolify } = providers.world;
    const { id } = await link("coolify");
    const look = async () => {
      await followIntegrations(server.ctx, never);
      clock.pass(5 * 60_000);
      return (await server.api("GET", `${INSTANCES}/${id}`)).body.data;
    };
    expect((await look()).lastSync).toEqual({ added: 5, removed: 0, renamed: 0, changed: 0 });
    const named = async () =>
      (await server.api("GET", `${INSTANCES}/${id}/resources`)).body.data.map(
        ({ name, state, removedAt }: Record<string, string>) => [name, state, removedAt !== null],
      );
    const [shop] = (await server.api("GET", `${INSTANCES}/${id}/resources?search=shop`)).body.data;
    const monitored = await server.api("POST", `${INSTANCES}/${id}/resources/${shop.id}/monitor`);
    expect(monitored.status).toBe(201);
    coolify.applications[1] = { ...coolify.applications[1], name: "queue", status: "running:healthy" };
    coolify.databases.length = 0;
    coolify.services.push({ uuid: "svc2", name: "chat", status: "running", applications: [] });
    expect((await look()).lastSync).toEqual({ added: 1, removed: 1, renamed: 1, changed: 1 });
    coolify.applications.shift();
    expect(await look()).toMatchObject({
      lastSync: { added: 0, removed: 1, renamed: 0, changed: 0 },
      ...{ resources: 5, monitored: 1 },
    });
    // What is monitored stays to say that it is gone.
    expect(await named()).toEqual([
      ["queue", "running:healthy", false],
      ["shop", "running:healthy", true],
      ["localhost", "reachable", false],
      ["chat", "running", false],
      ["wiki", "running", false],
    ]);
  });

  test("comes every five minutes, and from one of several servers", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    await link("coolify");
    const asked = () => providers.requests.filter(({ path }) => path === "/api/v1/servers").length;
    await Promise.all([1, 2, 3].map(() => followIntegrations(server.ctx, never)));
    expect(asked()).toBe(1);
    clock.pass(4 * 60_000);
    await followIntegrations(server.ctx, never);
    expect(asked()).toBe(1);
    clock.pass(60_000);
    await followIntegrations(server.ctx, never);
    expect(asked()).toBe(2);
  });

  test("is made by another server when the one that began it is gone", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    await link("coolify");
    const leaving = new AbortController();
    providers.trouble(/servers/, () => leaving.abort());
    await followIntegrations(server.ctx, leaving.signal);
    providers.trouble(/servers/, null);
    await followIntegrations(server.ctx, never);
    clock.pass(3 * 60_000);
    await followIntegrations(server.ctx, never);
    expect(providers.requests.at(-1)?.path).toBe("/api/v1/databases");
  });

  test("says why it failed, keeps what was known, and goes on by itself", async () => {
    const { server, providers, link, sync, clock } = await startIntegrating(engine);
    const { id } = await link("coolify");
    await sync(id);
    providers.trouble(/applications/, json(500, { message: "open sesame" }));
    await sync(id);
    const failing = (await server.api("GET", `${INSTANCES}/${id}`)).body.data;
    expect([failing.state, failing.failureFact.code, failing.resources]).toEqual([
      "failing",
      "integration.failed",
      5,
    ]);
    expect(failing.failingSince).toBe(new Date(clock.now()).toISOString());
    providers.trouble(/applications/, null);
    clock.pass(5 * 60_000);
    await followIntegrations(server.ctx, never);
    expect((await server.api("GET", `${INSTANCES}/${id}`)).body.data).toMatchObject({
      state: "ok",
      failure: null,
    });
    expect(JSON.stringify(server.problems)).not.toContain("sesame");
  });

  test("waits as long as the provider asks for", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    await link("coolify");
    providers.trouble(/servers/, json(429, {}, { "retry-after": "1200" }));
    await followIntegrations(server.ctx, never);
    const before = providers.requests.length;
    clock.pass(19 * 60_000);
    await followIntegrations(server.ctx, never);
    expect(providers.requests.length).toBe(before);
    clock.pass(60_000);
    await followIntegrations(server.ctx, never);
    expect(providers.requests.length).toBeGreaterThan(before);
  });

  test("of an account that was changed meanwhile is dropped", async () => {
    const { server, providers, link, sync } = await startIntegrating(engine);
    const { id } = await link("coolify");
    providers.trouble(/databases/, (response, seen) => {
      const change = server.api("PUT", `${INSTANCES}/${id}`, { name: "Other" });
      void change.then(() => json(200, [])(response, seen));
    });
    await sync(id);
    const { data } = (await server.api("GET", `${INSTANCES}/${id}`)).body;
    expect([data.name, data.syncedAt]).toEqual(["Other", null]);
  });

  test("comes at once for whoever asks, and not for an organization whose plan has none", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    const { id } = await link("coolify");
    await followIntegrations(server.ctx, never);
    const before = providers.requests.length;
    clock.pass(1_000);
    expect((await server.api("POST", `${INSTANCES}/${id}/sync`)).status).toBe(200);
    await followIntegrations(server.ctx, never);
    expect(providers.requests.length).toBeGreaterThan(before);
  });
});

eachEngine("Monitor on a resource", (engine) => {
  test("makes a domain or a service with its address and health path", async () => {
    const { server, link, sync } = await startIntegrating(engine);
    const { api } = server;
    const monitor = async (path: string, resources: string, name: string) => {
      const all = (await api("GET", `${path}/${resources}`)).body.data;
      const one = all.find((each: { name: string }) => each.name === name);
      const { status, body } = await api("POST", `${path}/${resources}/${one.uuid}/monitor`);
      expect([name, status]).toEqual([name, 201]);
      const { kind, id } = body.data.monitor;
      const { data } = (await api("GET", `/api/${kind}s/${id}`)).body;
      return kind === "domain"
        ? data.url
        : [data.protocol, data.protocolConfig.host, data.protocolConfig.port];
    };
    const azure = await link("azure");
    const coolify = await link("coolify");
    const vercel = await link("vercel");
    for (const { id } of [azure, coolify, vercel]) await sync(id);
    expect(await monitor(`/api/azure/accounts/${azure.id}`, "services", "shop")).toBe(
      "https://shop.azurewebsites.test/health",
    );
    expect(await monitor(`/v2/cloudprovider/accounts/${azure.uuid}`, "services", "db")).toEqual([
      "tcp",
      "db.postgres.azure.test",
      5432,
    ]);
    expect(await monitor(`/v2/coolify/instances/${coolify.uuid}`, "resources", "shop")).toBe(
      "https://shop.coolify.test/healthz",
    );
    expect(await monitor(`${INSTANCES}/${coolify.id}`, "resources", "postgres")).toEqual([
      "tcp",
      "192.0.2.7",
      15432,
    ]);
    expect(await monitor(`${INSTANCES}/${coolify.id}`, "resources", "localhost")).toEqual([
      "icmp",
      "127.0.0.1",
      undefined,
    ]);
    // Its own domain rather than the provider's.
    expect(await monitor(`/api/vercel/accounts/${vercel.id}`, "projects", "site")).toBe("https://site.test");
    expect(await monitor(`/v2/hostingplatform/accounts/${vercel.uuid}`, "projects", "docs")).toBe(
      "https://docs.vercel.app",
    );
  });

  test("is refused where there is nothing to check, or something checks it already", async () => {
    const { server, providers, link, sync } = await startIntegrating(engine);
    const { id } = await link("coolify");
    await sync(id);
    const all = (await server.api("GET", `${INSTANCES}/${id}/resources`)).body.data;
    const at = (name: string) =>
      `${INSTANCES}/${id}/resources/${all.find((one: { name: string }) => one.name === name).id}/monitor`;
    const codeOf = async (path: string) => (await server.api("POST", path)).body.fact?.code;
    expect(await codeOf(at("worker"))).toBe("integration.no_address");
    // Two who click at once get one monitor.
    const clicks = await Promise.all([1, 2, 3].map(() => server.api("POST", at("shop"))));
    expect(clicks.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await server.api("GET", "/api/domains")).body.data).toHaveLength(1);
    providers.trouble(/applications\/app1/, json(503, {}));
    const [{ id: monitorId }] = (await server.api("GET", "/api/domains")).body.data;
    await server.api("DELETE", `/api/domains/${monitorId}`);
    expect((await server.api("POST", at("shop"))).status).toBe(502);
    const key = await server.createKey({ scopes: ["*:integrations"] });
    expect((await server.api("POST", at("wiki"), undefined, { key })).status).toBe(403);
  });
});

import { expect, onTestFinished, test } from "vitest";
import { followIntegrations } from "../../src/integrations/sync.ts";
import { eventually } from "../harness/eventually.ts";
import { eachEngine } from "../harness/stores.ts";
import { addLinked } from "./linked.ts";
import { json, SECRETS, startProviders } from "./providers.ts";
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
    // Until nothing monitors it any more.
    await server.api("DELETE", `/api/domains/${monitored.body.data.monitor.id}`);
    expect((await look()).lastSync).toEqual({ added: 0, removed: 1, renamed: 0, changed: 0 });
    expect((await named()).map(([name]: string[]) => name)).toEqual(["queue", "localhost", "chat", "wiki"]);
  });

  test("takes the monitor that a resource has already, however it is called, and keeps its history", async () => {
    const { server, link, sync } = await startIntegrating(engine);
    const watch = async (account: { id: number }) => {
      await sync(account.id);
      const [shop] = (await server.api("GET", `${INSTANCES}/${account.id}/resources?search=shop`)).body.data;
      return server.api("POST", `${INSTANCES}/${account.id}/resources/${shop.id}/monitor`);
    };
    const first = await link("coolify");
    const { monitor } = (await watch(first)).body.data;
    const renamed = await server.api("PUT", `/api/domains/${monitor.id}`, { name: "Our shop" });
    expect(renamed.status).toBe(200);
    expect((await server.api("DELETE", `${INSTANCES}/${first.id}`)).status).toBe(200);
    const again = await watch(await link("coolify"));
    expect([again.status, again.body.data.monitor]).toMatchObject([
      201,
      { id: monitor.id, name: "Our shop" },
    ]);
    expect((await server.api("GET", "/api/domains")).body.data).toHaveLength(1);
  });

  test("knows what Azure writes in capitals for what it was", async () => {
    const { server, providers, link, sync } = await startIntegrating(engine);
    const { id } = await link("azure");
    await sync(id);
    const ids = async () =>
      (await server.api("GET", `/api/azure/accounts/${id}/services`)).body.data.map(
        (one: { id: number }) => one.id,
      );
    const before = await ids();
    const { sites } = providers.world.azure;
    sites[0] = { ...sites[0], id: sites[0].id.replace("shop-rg", "SHOP-RG") };
    await sync(id);
    expect(await ids()).toEqual(before);
  });

  test("comes every five minutes, and from one of several servers", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    await link("coolify");
    const requestCount = () => providers.requests.filter(({ path }) => path === "/api/v1/servers").length;
    await Promise.all([1, 2, 3].map(() => followIntegrations(server.ctx, never)));
    expect(requestCount()).toBe(1);
    clock.pass(4 * 60_000);
    await followIntegrations(server.ctx, never);
    expect(requestCount()).toBe(1);
    clock.pass(60_000);
    await followIntegrations(server.ctx, never);
    expect(requestCount()).toBe(2);
  });

  test("goes on when the clock was a day ahead for a while", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    const { id } = await link("vercel");
    const day = 24 * 3_600_000;
    const follow = () => followIntegrations(server.ctx, never);
    await follow();
    const [project] = (await server.api("GET", `/api/vercel/accounts/${id}/projects?search=site`)).body.data;
    const path = `/api/vercel/accounts/${id}/projects/${project.id}/monitor`;
    expect((await server.api("POST", path)).status).toBe(201);
    clock.pass(day);
    await follow();
    clock.pass(5 * 60_000 - day);
    const before = providers.requests.length;
    // The process that was about to exchange tokens then is gone.
    const lease = { renewing_until: clock.now() + day };
    await server.ctx.store.db.updateTable("integrations").set(lease).execute();
    providers.world.vercel.accessTokens.clear();
    await follow();
    const requested = providers.requests.slice(before);
    expect(requested.map((one) => one.path)).toContain("/login/oauth/token");
    const [since] = requested.flatMap(({ path: one }) => /since=(\d+)/.exec(one)?.[1] ?? []);
    expect(Number(since)).toBeLessThanOrEqual(clock.now());
  });

  test("of one organization, however slow its providers are, keeps no other one waiting", async () => {
    const { server, providers, link } = await startIntegrating(engine);
    const slow = await startProviders();
    onTestFinished(slow.close);
    const held: (() => void)[] = [];
    slow.override(/servers/, (response, seen) => held.push(() => json(500, {})(response, seen)));
    for (const path of ["1", "2", "3", "4", "5"]) await link("coolify", { url: `${slow.url}/${path}` });
    const other = { organizationId: (await server.createOrganization()).organization.id };
    await addLinked({ server, owner: other }, "coolify");
    const followed = followIntegrations(server.ctx, never);
    await eventually(
      () => providers.requests.map(({ path }) => path),
      (paths) => paths.includes("/api/v1/databases"),
    );
    expect(slow.requests).toHaveLength(2);
    slow.override(/servers/, null);
    for (const answer of held) answer();
    await followed;
    expect(slow.requests.filter(({ path }) => path.endsWith("/api/v1/servers"))).toHaveLength(5);
  });

  test("of an account whose secrets cannot be opened ends no other look", async () => {
    const { server, link } = await startIntegrating(engine);
    const broken = await link("coolify");
    const { id } = await link("coolify");
    const { db } = server.ctx.store;
    await db.updateTable("integrations").set({ secrets: "x" }).where("id", "=", broken.id).execute();
    await expect(followIntegrations(server.ctx, never)).rejects.toThrow();
    const { synced_at: at } = await db
      .selectFrom("integrations")
      .select("synced_at")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(at).toBe(server.ctx.clock.now());
    expect((await server.api("GET", "/api/integrations")).body.data).toHaveLength(2);
  });

  test("is made by another server when the one that began it is gone", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    await link("coolify");
    const leaving = new AbortController();
    providers.override(/servers/, () => leaving.abort());
    await followIntegrations(server.ctx, leaving.signal);
    providers.override(/servers/, null);
    await followIntegrations(server.ctx, never);
    clock.pass(3 * 60_000);
    await followIntegrations(server.ctx, never);
    expect(providers.requests.at(-1)?.path).toBe("/api/v1/databases");
  });

  test("keeps tokens that were exchanged while its process stops: they are given once", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    const { id } = await link("vercel", { expiresAt: clock.now() + 1_000 });
    const leaving = new AbortController();
    const { accessTokens, refreshTokens } = providers.world.vercel;
    providers.override(/login\/oauth\/token/, (response, seen) => {
      leaving.abort();
      refreshTokens.clear();
      accessTokens.add("access-2");
      json(200, { access_token: "access-2", refresh_token: "refresh-2", expires_in: 3600 })(response, seen);
    });
    await followIntegrations(server.ctx, leaving.signal);
    providers.override(/login\/oauth\/token/, null);
    clock.pass(3 * 60_000);
    await followIntegrations(server.ctx, never);
    const { data } = (await server.api("GET", `/api/vercel/accounts/${id}`)).body;
    expect([data.state, data.resources]).toEqual(["ok", 2]);
  });

  test("keeps tokens that were exchanged while the store is away, and saves them once it is back", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    const { id } = await link("vercel", { expiresAt: clock.now() + 1_000 });
    let isAway = false;
    const db = server.ctx.store.db.withPlugin({
      transformQuery({ node }) {
        if (isAway) throw Object.assign(new Error("away"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const transaction = <T>(work: (trx: typeof db) => Promise<T>) =>
      isAway ? Promise.reject(new Error("away")) : server.ctx.store.transaction(work);
    const ctx = { ...server.ctx, store: { ...server.ctx.store, db, transaction } };
    providers.override(/login\/oauth\/token/, (response, seen) => {
      isAway = true;
      providers.world.vercel.refreshTokens.clear();
      providers.world.vercel.accessTokens.add("access-2");
      json(200, { access_token: "access-2", refresh_token: "refresh-2", expires_in: 3600 })(response, seen);
    });
    await expect(followIntegrations(ctx, never)).rejects.toThrow("away");
    providers.override(/login\/oauth\/token/, null);
    await expect(followIntegrations(ctx, never)).rejects.toThrow("away");
    isAway = false;
    await followIntegrations(ctx, never);
    clock.pass(3 * 60_000);
    await followIntegrations(ctx, never);
    const { data } = (await server.api("GET", `/api/vercel/accounts/${id}`)).body;
    expect([data.state, data.resources]).toEqual(["ok", 2]);
    expect(providers.requests.filter(({ path }) => path === "/login/oauth/token")).toHaveLength(1);
  });

  test("keeps resources and deployments where those of one are missing, and requests these again", async () => {
    const { server, providers, link, sync, clock } = await startIntegrating(engine);
    const { coolify } = providers.world;
    const { id } = await link("coolify");
    coolify.applications[1] = { ...coolify.applications[1], fqdn: "https://worker.test" };
    await sync(id);
    for (const name of ["shop", "worker"]) {
      const [one] = (await server.api("GET", `${INSTANCES}/${id}/resources?search=${name}`)).body.data;
      expect((await server.api("POST", `${INSTANCES}/${id}/resources/${one.id}/monitor`)).status).toBe(201);
    }
    const deployed = (uuid: string) => ({
      ...{ deployment_uuid: uuid, commit: "1a2b3c4", status: "finished" },
      created_at: new Date(clock.now()).toISOString(),
    });
    coolify.deployments = { app1: [deployed("d1")], app2: [deployed("d2")] };
    coolify.servers.push({ uuid: "srv2", name: "new", ip: "192.0.2.9", settings: {} });
    providers.override(/deployments\/applications\/app1/, json(500, {}));
    clock.pass(5 * 60_000);
    await followIntegrations(server.ctx, never);
    const names = async () =>
      (await server.api("GET", "/api/deployments")).body.data.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(["worker"]);
    const { data } = (await server.api("GET", `${INSTANCES}/${id}`)).body;
    expect([data.state, data.resources]).toEqual(["ok", 6]);
    // Hours later: nothing has been forgotten.
    for (const hours of [1, 1, 1]) {
      clock.pass(hours * 60 * 60_000);
      await followIntegrations(server.ctx, never);
    }
    providers.override(/deployments\/applications\/app1/, null);
    clock.pass(5 * 60_000);
    await followIntegrations(server.ctx, never);
    expect((await names()).sort()).toEqual(["shop", "worker"]);
  });

  test("requests the deployments of every monitored resource in turn", async () => {
    const { server, providers, link, sync, clock } = await startIntegrating(engine);
    const { coolify } = providers.world;
    const { id } = await link("coolify");
    coolify.applications = Array.from({ length: 60 }, (_, at) => ({
      ...{ uuid: `many${at}`, name: `n${at}`, fqdn: `https://n${at}.test`, status: "running" },
    }));
    await sync(id);
    const { db } = server.ctx.store;
    await server.api("POST", "/api/domains", { url: "https://all.test" });
    const all = db.selectFrom("monitors").select("id").orderBy("id", "desc").limit(1);
    await db
      .updateTable("integration_resources")
      .set({ watcher_id: (await all.executeTakeFirstOrThrow()).id })
      .execute();
    for (const minutes of [5, 5]) {
      clock.pass(minutes * 60_000);
      await followIntegrations(server.ctx, never);
    }
    const requested = providers.requests.flatMap(
      ({ path }) => /applications\/(many\d+)/.exec(path)?.[1] ?? [],
    );
    expect(new Set(requested).size).toBe(60);
  });

  test("says why it failed, keeps what was known, and goes on by itself", async () => {
    const { server, providers, link, sync, clock } = await startIntegrating(engine);
    const { id } = await link("coolify");
    await sync(id);
    providers.override(/applications/, json(500, { message: "open sesame" }));
    await sync(id);
    const failing = (await server.api("GET", `${INSTANCES}/${id}`)).body.data;
    expect([failing.state, failing.failureFact.code, failing.resources]).toEqual([
      "failing",
      "integration.failed",
      5,
    ]);
    expect(failing.failingSince).toBe(new Date(clock.now()).toISOString());
    providers.override(/applications/, null);
    clock.pass(5 * 60_000);
    await followIntegrations(server.ctx, never);
    expect((await server.api("GET", `${INSTANCES}/${id}`)).body.data).toMatchObject({
      state: "ok",
      failure: null,
    });
    expect(JSON.stringify(server.problems)).not.toContain("sesame");
  });

  test("logs no code that is the token which was sent", async () => {
    const { server, providers, link, sync } = await startIntegrating(engine);
    const { id } = await link("coolify", { apiKey: "open-sesame-91c3" });
    providers.override(/servers/, (response, seen) =>
      json(500, { error: seen.headers.authorization?.replace("Bearer ", "") })(response, seen),
    );
    await sync(id);
    expect(JSON.stringify(server.problems)).toContain("integration.failed");
    expect(JSON.stringify(server.problems)).not.toContain("sesame");
  });

  test("waits as long as the provider requests", async () => {
    const { server, providers, link, clock } = await startIntegrating(engine);
    await link("coolify");
    providers.override(/servers/, json(429, {}, { "retry-after": "1200" }));
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
    providers.override(/databases/, (response, seen) => {
      const change = server.api("PUT", `${INSTANCES}/${id}`, {
        name: "Other",
        apiKey: SECRETS.coolify,
      });
      void change.then(() => json(200, [])(response, seen));
    });
    await sync(id);
    const { data } = (await server.api("GET", `${INSTANCES}/${id}`)).body;
    expect([data.name, data.syncedAt]).toEqual(["Other", null]);
  });

  test("that ends badly says nothing of an account that was linked again meanwhile", async () => {
    const { server, providers, link, sync } = await startIntegrating(engine);
    const { id } = await link("coolify");
    providers.override(/databases/, (response, seen) => {
      const change = server.api("PUT", `${INSTANCES}/${id}`, { apiKey: SECRETS.coolify });
      void change.then(() => json(401, {})(response, seen));
    });
    await sync(id);
    const { data } = (await server.api("GET", `${INSTANCES}/${id}`)).body;
    expect([data.state, data.failure]).toEqual(["ok", null]);
    providers.override(/databases/, null);
    await followIntegrations(server.ctx, never);
    expect((await server.api("GET", `${INSTANCES}/${id}`)).body.data.resources).toBe(5);
  });

  test("comes at once on demand, and not for an organization whose plan has none", async () => {
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
    providers.override(/applications\/app1/, json(503, {}));
    const [{ id: monitorId }] = (await server.api("GET", "/api/domains")).body.data;
    await server.api("DELETE", `/api/domains/${monitorId}`);
    expect((await server.api("POST", at("shop"))).status).toBe(502);
    const key = await server.createKey({ scopes: ["*:integrations"] });
    expect((await server.api("POST", at("wiki"), undefined, { key })).status).toBe(403);
  });
});

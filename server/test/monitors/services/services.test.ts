import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { NOW, SECOND, serve, serveWithChanges, setCertificate } from "../domains/factories.ts";
import { HTTP_SERVICE, makeService } from "./factories.ts";

eachEngine("POST /api/services", (engine) => {
  test("201: takes what the specification shows, and the engine is notified", async () => {
    const { server, changedIds } = await serveWithChanges({ engine });
    const { status, body } = await server.api("POST", "/api/services", {
      name: "Shop",
      protocol: "http",
      protocolConfig: { host: "shop.test", port: 8080, path: "/health" },
      checkInterval: 30,
      timeout: 5,
    });
    expect([status, body.message]).toEqual([201, "Service created."]);
    expect(body.data).toMatchObject({
      protocol: "http",
      target: "http://shop.test:8080/health",
      protocolConfig: { url: "http://shop.test:8080/health" },
      checkInterval: 30,
      timeout: 5,
      consecutiveFailures: 0,
      lastCheck: null,
    });
    expect(changedIds).toEqual([body.data.id]);
  });

  test.each([
    [{ host: "shop.test" }, "https://shop.test"],
    [{ host: "shop.test", port: 443 }, "https://shop.test"],
    [{ host: "shop.test", port: 80, path: "health" }, "http://shop.test/health"],
    [{ host: "2001:db8::1", port: 8443 }, "https://[2001:db8::1]:8443"],
    [{ url: "münchen.test" }, "https://münchen.test"],
  ])("201: %j is %s", async (protocolConfig, target) => {
    const server = await serve({ engine });
    expect(await makeService(server, { protocolConfig })).toMatchObject({ target });
  });

  test("422: names every bad field, those of the configuration too", async () => {
    const { api } = await serve({ engine });
    const bad = {
      name: " ",
      protocol: "http",
      protocolConfig: { url: "ftp://shop.test", authType: "bearer", bodyBytes: -1 },
      checkInterval: 1,
    };
    const { status, body } = await api("POST", "/api/services", bad);
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual([
      "checkInterval",
      "name",
      "protocolConfig.bodyBytes",
      "protocolConfig.url",
    ]);
    const { body: later } = await api("POST", "/api/services", {
      ...HTTP_SERVICE,
      protocolConfig: { url: "https://shop.test", authType: "bearer" },
    });
    expect(Object.keys(later.errors)).toEqual(["protocolConfig.authConfig.token"]);
  });

  test("422: an empty request, and an unknown protocol", async () => {
    const { api } = await serve({ engine });
    const empty = await api("POST", "/api/services", {});
    expect(empty.body.errors).toEqual({
      name: ["The name field is required."],
      protocol: ["The protocol field is required."],
      protocolConfig: ["The protocolConfig field is required."],
    });
    const unknown = await api("POST", "/v2/services", { name: "A", protocol: "gopher", protocol_config: {} });
    expect(unknown.body.errors.protocol).toEqual([
      expect.stringContaining("The selected protocol is invalid. It must be one of: http"),
    ]);
  });

  test("422: a target that must not be checked", async () => {
    const { api } = await serve({ engine });
    const protocolConfig = { url: "http://169.254.169.254/" };
    const { body } = await api("POST", "/api/services", { ...HTTP_SERVICE, protocolConfig });
    expect(Object.keys(body.errors)).toEqual(["protocolConfig.url"]);
  });

  test("422: the same target under the same name; another name, and a domain, may have it", async () => {
    const server = await serve({ engine });
    await makeService(server);
    const again = await server.api("POST", "/v2/services", {
      name: "Shop",
      protocol: "http",
      protocol_config: { url: "HTTPS://SHOP.test:443/health" },
    });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ["name"]]);
    await makeService(server, { name: "Shop, once more" });
    const domain = { name: "Shop", url: "https://shop.test/health" };
    expect((await server.api("POST", "/api/domains", domain)).status).toBe(201);
  });

  test("403: when domains and services together reach the plan's number", async () => {
    const server = await serve({ engine, plan: "pro" });
    await makeService(server);
    await server.ctx.store.db
      .updateTable("monitor_counts")
      .set({ count: 100 })
      .where("organization_id", "=", server.person.organization.id)
      .execute();
    const more = { ...HTTP_SERVICE, name: "One too many" };
    const { status, body } = await server.api("POST", "/api/services", more);
    expect([status, body.message]).toEqual([403, expect.stringContaining("monitors (domains and services)")]);
  });
});

eachEngine("services", (engine) => {
  test("403: need a plan that has them, in v2 the largest, and the scope services", async () => {
    const server = await serve({ engine });
    const statusOf = async (key: string, path: string, method = "GET", body?: object) =>
      (await server.api(method, path, body, { key })).status;
    const free = await server.createKey({ plan: "free" });
    const pro = await server.createKey({ plan: "pro" });
    const domainsOnly = await server.createKey({ scopes: ["*:domains"] });
    const reading = await server.createKey({ scopes: ["read:services"] });
    expect([await statusOf(free, "/api/services"), await statusOf(pro, "/api/services")]).toEqual([403, 200]);
    expect(await statusOf(pro, "/v2/services")).toBe(403);
    expect(await statusOf(domainsOnly, "/v2/services")).toBe(403);
    expect(await statusOf(reading, "/v2/services")).toBe(200);
    expect(await statusOf(reading, "/api/services", "POST", HTTP_SERVICE)).toBe(403);
  });

  test("200: the address that takes heartbeats is shown to those who may change the monitor", async () => {
    const server = await serve({ engine });
    const { id, protocolConfig } = await makeService(server, { protocol: "heartbeat", protocolConfig: {} });
    expect(protocolConfig.token).toMatch(/^[\w-]{22,}$/);
    const tokenFor = async (key?: string) => {
      const own = key === undefined ? {} : { key };
      return (await server.api("GET", `/api/services/${id}`, undefined, own)).body.data.protocolConfig.token;
    };
    expect(await tokenFor()).toBe(protocolConfig.token);
    const reader = await server.createKey({ person: server.person, scopes: ["read:*"] });
    expect(await tokenFor(reader)).toBeUndefined();
  });

  test("404: are not found as domains, nor by another organization, nor the other way round", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server);
    const domain = await server.api("POST", "/api/domains", { url: "https://shop.test" });
    const outsider = await server.createKey({ plan: "expert" });
    for (const [path, key] of [
      [`/api/domains/${id}`, undefined],
      [`/api/services/${domain.body.data.id}`, undefined],
      [`/api/services/${id}`, outsider],
      ["/api/services/nonsense", undefined],
    ] as const) {
      expect([path, (await server.api("GET", path, undefined, key ? { key } : {})).status]).toEqual([
        path,
        404,
      ]);
    }
  });

  test("are listed apart from domains, whole or by the page, and counted on the dashboard", async () => {
    const server = await serve({ engine });
    const { api } = server;
    await api("POST", "/api/domains", { url: "https://shop.test" });
    for (const name of ["A", "B", "C"]) await makeService(server, { name });
    const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
    const all = await api("GET", "/api/services");
    expect([namesOf(all.body), all.body.pagination]).toEqual([["C", "B", "A"], undefined]);
    const page = await api("GET", "/api/services?page=2&limit=2&sort=name");
    expect([namesOf(page.body), page.body.pagination.total]).toEqual([["C"], 3]);
    const usual = await api("GET", "/api/services?page=1");
    expect([namesOf(usual.body), usual.body.pagination.limit]).toEqual([["C", "B", "A"], 20]);
    const v2 = await api("GET", "/v2/services?search=b");
    expect([namesOf(v2.body), v2.body.pagination.per_page]).toEqual([["B"], 15]);
    const stats = await api("GET", "/api/dashboard/stats");
    expect(stats.body.data).toMatchObject({ services: { total: 3, up: 0, down: 0 }, domains: { total: 1 } });
  });

  test("leave audit rows under their own resource and name", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server);
    await server.api("PUT", `/api/services/${id}`, { enabled: false });
    await server.api("DELETE", `/api/services/${id}`);
    const rows = await server.ctx.store.db
      .selectFrom("audit_log")
      .select(["action", "resource", "subject"])
      .where("resource", "=", "services")
      .where("organization_id", "=", server.person.organization.id)
      .orderBy("id")
      .execute();
    expect(rows).toEqual(
      ["create", "update", "delete"].map((verb) => ({
        action: `${verb} services`,
        resource: "services",
        subject: "Shop",
      })),
    );
  });
});

eachEngine("PUT /api/services/{id}", (engine) => {
  const bearer = { url: "https://shop.test", authType: "bearer", authConfig: { token: "open-sesame" } };

  test("200: replaces the configuration, but keeps a secret that is not sent again", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server, { protocolConfig: { ...bearer, method: "HEAD" } });
    const protocolConfig = { url: "https://shop.test/b", authType: "bearer" };
    const { status, body } = await server.api("PUT", `/api/services/${id}`, { protocolConfig });
    expect([status, body.data.protocolConfig]).toEqual([200, protocolConfig]);
    const { secrets } = await server.ctx.store.db
      .selectFrom("monitors")
      .select("secrets")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(server.ctx.secrets.open(secrets as string))).toEqual({ authConfig: bearer.authConfig });
  });

  test("422: does not send a stored secret to another server", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server, { protocolConfig: bearer });
    const protocolConfig = { url: "https://thief.test", authType: "bearer" };
    const { status, body } = await server.api("PUT", `/api/services/${id}`, { protocolConfig });
    expect([status, Object.keys(body.errors)]).toEqual([422, ["protocolConfig.authConfig"]]);
  });

  test("422: validates a configuration by the stored protocol", async () => {
    const server = await serve({ engine });
    const { id } = await makeService(server);
    const v2 = await server.api("PUT", `/v2/services/${id}`, { protocol_config: { method: "HEAD" } });
    expect([v2.status, Object.keys(v2.body.errors)]).toEqual([422, ["protocol_config.url"]]);
  });

  test("200: other settings leave the configuration as it is", async () => {
    const server = await serve({ engine });
    const { id, protocolConfig } = await makeService(server);
    const { body } = await server.api("PUT", `/api/services/${id}`, { tags: ["eu"], recheckDelay: 0 });
    expect(body.data).toMatchObject({ protocolConfig, tags: ["eu"], recheckDelay: 0 });
  });

  test("200: without TLS it has no certificate any more", async () => {
    const server = await serve({ engine });
    const tls = { host: "mail.test", port: 993, tls: true };
    const { id } = await makeService(server, { protocol: "tcp", protocolConfig: tls });
    await setCertificate(server.ctx.store, id, { valid: true, expiresAt: NOW + SECOND });
    const put = async (protocolConfig: object) =>
      (await server.api("PUT", `/api/services/${id}`, { protocolConfig })).body.data.certificateStatus;
    expect(await put({ ...tls, expect: "* OK" })).toBe("expiring_soon");
    expect(await put({ ...tls, tls: false })).toBe("none");
  });
});

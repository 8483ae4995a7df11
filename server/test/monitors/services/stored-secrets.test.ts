import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { serve } from "../domains/factories.ts";
import { makeService } from "./factories.ts";

const CONFIG = { host: "db.test", database: "shop", user: "watcher", query: "SELECT 1", expect: "1" };

eachEngine("a service's stored password", (engine) => {
  const made = async () => {
    const server = await serve({ engine });
    const protocolConfig = { ...CONFIG, password: "open-sesame" };
    const { id } = await makeService(server, { protocol: "postgres", protocolConfig });
    return { ...server, path: `/api/services/${id}` };
  };

  test.each([
    ["host", { host: "thief.test" }],
    ["port", { port: 5433 }],
    ["database", { database: "accounts" }],
    ["user", { user: "owner" }],
    ["tls", { tls: false }],
    ["ignoreCertificate", { ignoreCertificate: true }],
    ["query", { query: "SELECT secret FROM accounts" }],
    ["query", { query: undefined }],
  ])("422: is not used with another %s: %j", async (name, change) => {
    const { api, path } = await made();
    const protocolConfig = { ...CONFIG, ...change };
    const { status, body } = await api("PUT", path, { protocolConfig });
    const sentence = `A stored password is used only with the settings that it was sent with, and ${name} changed. Send it again in this request.`;
    expect([status, body.errors]).toEqual([422, { "protocolConfig.password": [sentence] }]);
    const again = await api("PUT", path, { protocolConfig: { ...protocolConfig, password: "open-sesame" } });
    expect(again.status).toBe(200);
  });

  test("422: says so of every setting that changed, in the words of v2", async () => {
    const { api, path } = await made();
    const protocol_config = { ...CONFIG, ignore_certificate: true, user: "owner" };
    const { body } = await api("PUT", path.replace("/api", "/v2"), { protocol_config });
    expect(body.errors["protocol_config.password"]).toEqual([
      expect.stringContaining("and user, ignore_certificate changed."),
    ]);
  });

  test.each([
    ["what was read", {}],
    ["what is usual anyway", { port: 5432, tls: true, ignoreCertificate: false }],
    ["another expectation", { expect: "2" }],
  ])("200: stays with %s", async (_, change) => {
    const { api, path } = await made();
    const { status } = await api("PUT", path, { protocolConfig: { ...CONFIG, ...change } });
    expect(status).toBe(200);
  });
});

/** A kind whose configuration has request headers, and what its other fields may become. */
const WITH_HEADERS = [
  {
    protocol: "websocket",
    own: { host: "push.test" },
    elsewhere: [{ host: "thief.test" }, { port: 8443 }, { tls: false }, { ignoreCertificate: true }],
    there: [{}, { path: "/other" }, { expect: "pong" }, { send: "ping" }],
  },
  {
    protocol: "http",
    own: { url: "https://push.test" },
    elsewhere: [
      { url: "https://thief.test" },
      { url: "https://push.test:8443" },
      { ignoreCertificate: true },
    ],
    there: [{}, { url: "https://push.test/other" }, { method: "POST" }],
  },
];

eachEngine("a service's stored headers", (engine) => {
  const HEADERS = {
    Authorization: "Bearer open-sesame",
    "X-Upstream": "Bearer open-sesame",
    "X-Tenant": "north",
  };
  const MASKED = { Authorization: "********", "X-Upstream": "********", "X-Tenant": "north" };

  test.each(WITH_HEADERS)("of $protocol go nowhere else by being sent back masked", async (kind) => {
    const { protocol, own, elsewhere, there } = kind;
    const server = await serve({ engine });
    const { api } = server;
    const made = await makeService(server, { protocol, protocolConfig: { ...own, headers: HEADERS } });
    expect(made.protocolConfig.headers).toEqual(MASKED);
    const path = `/api/services/${made.id}`;
    for (const change of elsewhere) {
      const sent = { protocolConfig: { ...own, ...change, headers: MASKED } };
      const { status, body } = await api("PUT", path, sent);
      const fields = ["Authorization", "X-Upstream"].map((name) => `protocolConfig.headers.${name}`);
      expect([change, status, Object.keys(body.errors ?? {}).sort()]).toEqual([change, 422, fields]);
      // What is only tried would send them just as well.
      expect([change, (await api("POST", `${path}/test`, sent)).status]).toEqual([change, 422]);
    }
    for (const change of there) {
      const { status } = await api("PUT", path, { protocolConfig: { ...own, ...change, headers: MASKED } });
      expect([change, status]).toEqual([change, 200]);
    }
    const row = await server.ctx.store.db
      .selectFrom("monitors")
      .select("secrets")
      .where("id", "=", made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(server.ctx.secrets.open(row.secrets ?? ""))).toMatchObject({ headers: HEADERS });
    const again = { ...own, ...elsewhere[0], headers: HEADERS };
    expect((await api("PUT", path, { protocolConfig: again })).status).toBe(200);
  });
});

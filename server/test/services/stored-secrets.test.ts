import { expect, test } from "vitest";
import { serve } from "../domains/factories.ts";
import { eachEngine } from "../harness/stores.ts";
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

import { expect, onTestFinished, test } from "vitest";
import type { checkFields } from "../../../src/monitors/schemas/domain-input.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startHttpTarget } from "../../harness/targets.ts";
import { serve } from "../domains/factories.ts";
import { makeService } from "./factories.ts";

/** Every setting of an HTTP check, otherwise than usual. */
const SETTINGS: Record<keyof typeof checkFields, unknown> = {
  isApi: true,
  method: "POST",
  headers: { Accept: "application/json", "X-Api-Key": "s3cret-canary" },
  body: '{"ping":1}',
  authType: "basic",
  authConfig: { username: "vedette", password: "s3cret-canary" },
  assertions: [
    { type: "status", codes: "200-204, 401" },
    { type: "json", path: "$.status", operator: "eq", value: "ok" },
    { type: "response_time", degradedAboveMs: 500, downAboveMs: 2000 },
  ],
  bodyBytes: 1024,
  followRedirects: true,
  maxRedirects: 3,
  requireTls: true,
  hostHeader: "shop.example:8443",
  serverName: "shop.example",
  legacyRenegotiation: true,
  ignoreCertificate: true,
  certificateExpiryDays: 30,
};

eachEngine("HTTP as a service", (engine) => {
  test("takes every setting that a domain has, and shows it as a domain does", async () => {
    const server = await serve({ engine });
    const url = "https://shop.test/api";
    const domain = await server.api("POST", "/api/domains", { name: "Shop", url, ...SETTINGS });
    expect([domain.status, domain.body.errors]).toEqual([201, undefined]);
    const service = await makeService(server, { protocolConfig: { url, ...SETTINGS } });
    for (const field of Object.keys(SETTINGS).filter((name) => name !== "authConfig")) {
      expect([field, service.protocolConfig[field]]).toEqual([field, domain.body.data[field]]);
    }
    const read = await server.api("GET", `/api/services/${service.id}`);
    expect(read.body.data.protocolConfig).toEqual(service.protocolConfig);
    expect(JSON.stringify([service, read.body])).not.toContain("s3cret-canary");
    const v2 = await server.api("GET", `/v2/services/${service.uuid}`);
    expect(v2.body.data.protocol_config).toMatchObject({ is_api: true, certificate_expiry_days: 30 });
  });

  test("refuses what a domain refuses, under the configuration's name", async () => {
    const server = await serve({ engine });
    const url = "https://shop.test";
    const bad: Record<string, unknown>[] = [
      { method: "TRACE" },
      { headers: { "bad name": "x" } },
      { authType: "bearer" },
      { assertions: [{ type: "json", path: "status", operator: "eq", value: 1 }] },
      { bodyBytes: -1 },
      { certificateExpiryDays: 0 },
      { followRedirects: "sometimes" },
      { maxRedirects: 21 },
      { hostHeader: "shop.example/path" },
      { hostHeader: "a b" },
      { hostHeader: "shop.example\r\nX-Evil: 1" },
      { serverName: "shop.example:443/" },
      { serverName: "192.0.2.1" },
      { serverName: "[2001:db8::1]" },
    ];
    for (const settings of bad) {
      const domain = await server.api("POST", "/api/domains", { url, ...settings });
      const protocolConfig = { url, ...settings };
      const service = await server.api("POST", "/api/services", {
        name: "Shop",
        protocol: "http",
        protocolConfig,
      });
      const fields = Object.keys(domain.body.errors ?? {}).map((field) => `protocolConfig.${field}`);
      expect([settings, domain.status, service.status]).toEqual([settings, 422, 422]);
      expect([settings, Object.keys(service.body.errors)]).toEqual([settings, fields]);
    }
  });

  test("requests what a domain requests, and judges it alike", async () => {
    const target = await startHttpTarget();
    onTestFinished(() => target.close());
    const server = await serve({ engine });
    const reported = async (settings: object) => {
      const domain = await server.api("POST", "/api/domains/test", { url: target.url, ...settings });
      const protocolConfig = { url: target.url, ...settings };
      const body = { name: "Shop", protocol: "http", protocolConfig };
      const service = await server.api("POST", "/api/services/test", body);
      const [one, other] = [domain, service].map(({ body: { data } }) => [
        data.state,
        data.statusCode,
        data.reason,
      ]);
      expect([settings, other]).toEqual([settings, one]);
      return data(service);
    };
    const data = (answer: { body: { data: { state: string } } }) => answer.body.data.state;
    expect(await reported({})).toBe("up");
    expect(await reported({ assertions: [{ type: "status", codes: "404" }] })).toBe("down");
    expect(
      await reported({ assertions: [{ type: "keyword", operator: "present", value: "not there" }] }),
    ).toBe("down");
  });
});

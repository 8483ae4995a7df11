import { expect, test } from "vitest";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { makeDomain, makeLocation, NOW, serve } from "./factories.ts";

const EVERYTHING = {
  url: "http://MÜNCHEN.test:8080/health#top",
  name: "  Health ",
  checkInterval: 30,
  timeout: 5,
  enabled: false,
  isApi: true,
  authType: "basic",
  authConfig: { username: "me", password: "hunter2" },
  method: "POST",
  headers: { Accept: "application/json", "X-Api-Key": "k3y" },
  body: '{"ping":true}',
  assertions: [
    { type: "status", codes: "200-299,418" },
    { type: "json", path: "$.ok", operator: "eq", value: true },
    { type: "response_time", degradedAboveMs: 500, downAboveMs: 2000 },
  ],
  bodyBytes: 4096,
  followRedirects: true,
  maxRedirects: 20,
  requireTls: true,
  hostHeader: "shop.test:8080",
  serverName: "shop.test",
  legacyRenegotiation: true,
  ignoreCertificate: true,
  certificateExpiryDays: 30,
  locations: ["local"],
  confirmations: 3,
  recoveries: 4,
  recheckDelay: 15,
  severity: "critical",
  description: "The shop.\nOn call: +49 30 1234",
  objective: 99.9,
  objectiveDays: 90,
  tags: ["eu", "api"],
};

/** What is read back: the URL as typed, no secret. */
const { authConfig: _, ...readable } = EVERYTHING;
const EVERYTHING_READ = {
  ...readable,
  url: "http://MÜNCHEN.test:8080/health",
  name: "Health",
  headers: { Accept: "application/json", "X-Api-Key": "********" },
};

const SNAKE = {
  url: EVERYTHING.url,
  name: "Health",
  check_interval: 30,
  is_api: true,
  auth_type: "basic",
  auth_config: EVERYTHING.authConfig,
  headers: EVERYTHING.headers,
  assertions: [{ type: "response_time", degraded_above_ms: 500, down_above_ms: 2000 }],
  body_bytes: 0,
  follow_redirects: true,
  certificate_expiry_days: 30,
  recheck_delay: 7,
};

const storedRow = (server: TestServer, id: number) =>
  server.ctx.store.db.selectFrom("monitors").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

eachEngine("the settings of a domain", (engine) => {
  test("are read back as they were sent, but for secrets, in the legacy family", async () => {
    const server = await serve({ engine });
    await makeLocation(server.ctx.store, "local");
    const created = await server.api("POST", "/api/domains", EVERYTHING);
    expect([created.status, created.body]).toMatchObject([201, { success: true, data: EVERYTHING_READ }]);
    const read = await server.api("GET", `/api/domains/${created.body.data.uuid}`);
    expect(read.body.data).toEqual(created.body.data);
    expect(JSON.stringify([created.body, read.body])).not.toMatch(/hunter2|k3y/);
  });

  test("are read back as they were sent, in snake_case, in the v2 family", async () => {
    const server = await serve({ engine });
    const created = await server.api("POST", "/v2/domains", SNAKE);
    const { auth_config: _, ...rest } = SNAKE;
    const expected = { ...rest, url: EVERYTHING_READ.url, headers: EVERYTHING_READ.headers };
    expect([created.status, created.body.data]).toMatchObject([201, expected]);
    const read = await server.api("GET", `/v2/domains/${created.body.data.id}`);
    expect(read.body.data).toEqual(created.body.data);
  });

  test("are stored with every credential encrypted, and reach the check whole", async () => {
    const server = await serve({ engine });
    await makeLocation(server.ctx.store, "local");
    const { id } = await makeDomain(server, EVERYTHING);
    const row = await storedRow(server, id);
    expect(JSON.stringify(row)).not.toMatch(/hunter2|k3y|ping/);
    expect(row).toMatchObject({
      id,
      type: "http",
      target: "http://xn--mnchen-3ya.test:8080/health",
      revision: 1,
    });
    const { authConfig, headers, body, method, assertions } = EVERYTHING;
    const config = { ...JSON.parse(row.config), ...JSON.parse(server.ctx.secrets.open(row.secrets ?? "")) };
    expect(config).toEqual({
      url: row.target,
      authConfig,
      headers,
      body,
      method,
      assertions,
      authType: "basic",
      isApi: true,
      bodyBytes: 4096,
      followRedirects: true,
      maxRedirects: 20,
      requireTls: true,
      hostHeader: "shop.test:8080",
      serverName: "shop.test",
      legacyRenegotiation: true,
      ignoreCertificate: true,
      certificateExpiryDays: 30,
    });
  });

  test.each(["/api/domains", "/v2/domains"])("change one by one at %s, and the rest stays", async (path) => {
    const server = await serve({ engine });
    await makeLocation(server.ctx.store, "local");
    const { id } = await makeDomain(server, EVERYTHING);
    const before = (await server.api("GET", `${path}/${id}`)).body.data;
    const changes = path === "/api/domains" ? LEGACY_CHANGES : V2_CHANGES;
    let expected = before;
    for (const change of changes) {
      expected = { ...expected, ...change };
      const answer = await server.api("PUT", `${path}/${id}`, change);
      expect([answer.status, answer.body.data]).toMatchObject([200, change]);
    }
    const after = (await server.api("GET", `${path}/${id}`)).body.data;
    const derived = { state: "unknown", monitor: before.monitor, pivot: after.pivot };
    expect({ ...after, ...derived }).toEqual({ ...expected, ...derived });
    expect((await storedRow(server, id)).revision).toBe(1 + changes.length);
  });

  test("keep a credential that is sent back hidden", async () => {
    const server = await serve({ engine });
    const { id } = await makeDomain(server, { headers: { Authorization: "Bearer abc" } });
    const shown = (await server.api("GET", `/api/domains/${id}`)).body.data.headers;
    await server.api("PUT", `/api/domains/${id}`, { headers: { ...shown, Accept: "*/*" } });
    const { secrets } = await storedRow(server, id);
    expect(JSON.parse(server.ctx.secrets.open(secrets ?? ""))).toEqual({
      headers: { Authorization: "Bearer abc", Accept: "*/*" },
    });
  });

  test("a new URL starts without the certificate and icon of the old one", async () => {
    const server = await serve({ engine });
    const { db } = server.ctx.store;
    const { id } = await makeDomain(server);
    const row = {
      monitor_id: id,
      valid: 1,
      expires_at: NOW,
      issuer: "",
      fingerprint: "",
      report: "{}",
      seen_at: 1,
    } as const;
    await db.insertInto("certificates").values(row).execute();
    await server.api("PUT", `/api/domains/${id}`, { name: "Other" });
    const certificates = db.selectFrom("certificates").select("issuer").where("monitor_id", "=", id);
    expect(await certificates.execute()).toHaveLength(1);
    await server.api("PUT", `/api/domains/${id}`, { url: "https://other.test" });
    expect(await certificates.execute()).toHaveLength(0);
  });
});

eachEngine("the recheck delay of a domain", (engine) => {
  const MESSAGE = "The recheck delay (40 seconds) must not be longer than the check interval (30 seconds).";

  test("is bounded by the interval, and the field that was sent is the one that is named", async () => {
    const server = await serve({ engine });
    const both = await server.api("POST", "/api/domains", {
      url: "http://a.test",
      checkInterval: 30,
      recheckDelay: 40,
    });
    expect([both.status, both.body.errors]).toEqual([422, { recheckDelay: [MESSAGE] }]);
    const { id } = await makeDomain(server, { checkInterval: 60, recheckDelay: 40 });
    const shorter = await server.api("PUT", `/v2/domains/${id}`, { check_interval: 30 });
    expect([shorter.status, shorter.body.errors]).toEqual([422, { check_interval: [MESSAGE] }]);
    const longer = await server.api("PUT", `/v2/domains/${id}`, { check_interval: 30, recheck_delay: 30 });
    expect([longer.status, longer.body.data.recheck_delay]).toEqual([200, 30]);
  });
});

eachEngine("what a domain takes between two bounds", (engine) => {
  test.each([
    ["recheckDelay", "recheck_delay", 3600],
    ["bodyBytes", "body_bytes", 1_048_576],
  ])("%s is refused beyond them, in both families", async (legacy, v2, most) => {
    const server = await serve({ engine });
    const { id, uuid } = await makeDomain(server, { checkInterval: 7200 });
    const families = [
      { field: legacy, path: "/api/domains", own: String(id), rest: { checkInterval: 7200 } },
      { field: v2, path: "/v2/domains", own: uuid, rest: { check_interval: 7200 } },
    ];
    for (const { field, path, own, rest } of families) {
      const create = (value: unknown) =>
        server.api("POST", path, {
          url: "http://a.test",
          name: `${field} ${value}`,
          ...rest,
          [field]: value,
        });
      const update = (value: unknown) => server.api("PUT", `${path}/${own}`, { [field]: value });
      for (const [change, done] of [
        [create, 201],
        [update, 200],
      ] as const) {
        for (const value of [0, most]) {
          const answer = await change(value);
          expect([answer.status, answer.body.data[field]]).toEqual([done, value]);
        }
        for (const value of [-1, most + 1, 0.5, String(most)]) {
          const answer = await change(value);
          expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
        }
      }
    }
  });
});

const LEGACY_CHANGES = [
  { name: "Renamed" },
  { url: "http://MÜNCHEN.test:8080/status" },
  { checkInterval: 120 },
  { timeout: 20 },
  { enabled: true },
  { isApi: false },
  { authType: "none" },
  { method: "GET" },
  { headers: { Accept: "text/plain" } },
  { body: "" },
  { assertions: [] },
  { bodyBytes: 0 },
  { followRedirects: false },
  { ignoreCertificate: false },
  { certificateExpiryDays: 7 },
  { confirmations: 1 },
  { recoveries: 1 },
  { recheckDelay: 0 },
  { severity: "low" },
  { tags: [] },
];

const V2_CHANGES = [
  { name: "Renamed" },
  { check_interval: 120 },
  { is_api: false },
  { auth_type: "none" },
  { assertions: [{ type: "response_time", down_above_ms: 900 }] },
  { body_bytes: 1_048_576 },
  { certificate_expiry_days: 7 },
];

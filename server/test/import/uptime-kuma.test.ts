import { describe, expect, test } from "vitest";
import { problemOf, read } from "./read.ts";

/** A monitor as the backup has it, with everything that the form of Kuma fills in. */
const monitor = (more: object) => ({
  id: 1,
  name: "Shop",
  description: null,
  pathName: "Shop",
  parent: null,
  childrenIDs: [],
  url: "https://shop.test",
  method: "GET",
  hostname: null,
  port: null,
  maxretries: 1,
  weight: 2000,
  active: true,
  type: "http",
  timeout: 48,
  interval: 60,
  retryInterval: 60,
  resendInterval: 0,
  keyword: null,
  invertKeyword: false,
  expiryNotification: false,
  ignoreTls: false,
  upsideDown: false,
  packetSize: 56,
  maxredirects: 10,
  accepted_statuscodes: ["200-299"],
  dns_resolve_type: "A",
  dns_resolve_server: "1.1.1.1",
  proxyId: null,
  notificationIDList: { 1: true },
  tags: [],
  authMethod: null,
  headers: null,
  body: null,
  httpBodyEncoding: "json",
  databaseConnectionString: null,
  databaseQuery: null,
  ...more,
});

const backup = (...monitors: object[]) =>
  JSON.stringify({ version: "1.23.16", notificationList: [{ id: 1 }], monitorList: monitors }, null, 4);
const only = (more: object) => read(backup(monitor(more))).entries[0];

const usual = {
  line: null,
  name: "Shop",
  checkInterval: 60,
  timeout: 48,
  confirmations: 2,
  recoveries: 1,
  recheckDelay: 60,
};
const status = (codes: string) => ({ type: "status", codes });

describe("the backup of Uptime Kuma", () => {
  test("is recognised, and what is not imported of it is named", () => {
    const { format, notes, entries } = read(backup(monitor({})));
    expect([format, notes]).toEqual(["kuma", ["import.notifications"]]);
    expect(entries).toEqual([
      { ...usual, kind: "domain", url: "https://shop.test", assertions: [status("200-299")] },
    ]);
  });

  test("gives a page all of its request", () => {
    const entry = only({
      method: "POST",
      headers: '{"X-Team": "web"}',
      body: '{"a": 1}',
      authMethod: "basic",
      basic_auth_user: "me",
      basic_auth_pass: "secret",
      accepted_statuscodes: ["200", "401-403"],
      ignoreTls: true,
      maxredirects: 0,
      active: false,
      tags: [
        { name: "env", value: "prod" },
        { name: "web", value: "" },
      ],
    });
    expect(entry).toEqual({
      ...usual,
      kind: "domain",
      url: "https://shop.test",
      method: "POST",
      headers: { "X-Team": "web", "Content-Type": "application/json" },
      body: '{"a": 1}',
      authType: "basic",
      authConfig: { username: "me", password: "secret" },
      ignoreCertificate: true,
      followRedirects: false,
      enabled: false,
      assertions: [status("200,401-403")],
      tags: ["env: prod", "web"],
    });
  });

  const page = (assertion: object) => ({
    url: "https://shop.test",
    assertions: [status("200-299"), assertion],
  });
  test.each<[string, object, object]>([
    [
      "keyword",
      { type: "keyword", keyword: "ok" },
      page({ type: "keyword", operator: "present", value: "ok" }),
    ],
    [
      "inverted keyword",
      { type: "keyword", keyword: "error", invertKeyword: true },
      page({ type: "keyword", operator: "absent", value: "error" }),
    ],
    [
      "json-query",
      { type: "json-query", jsonPath: "queue.depth", jsonPathOperator: "<", expectedValue: "5" },
      page({ type: "json", path: "$.queue.depth", operator: "lt", value: 5 }),
    ],
    [
      "port",
      { type: "port", hostname: "db.test", port: 5432 },
      { protocol: "tcp", protocolConfig: { host: "db.test", port: 5432 } },
    ],
    ["ping", { type: "ping", hostname: "a.test" }, { protocol: "icmp", protocolConfig: { host: "a.test" } }],
    [
      "dns",
      { type: "dns", hostname: "shop.test", dns_resolve_type: "MX", port: 53 },
      {
        protocol: "dns",
        protocolConfig: { hostname: "shop.test", recordType: "MX", server: "1.1.1.1", port: 53 },
      },
    ],
    [
      "push",
      { type: "push", pushToken: "abc" },
      { protocol: "heartbeat", protocolConfig: {}, confirmations: 1, notes: ["import.heartbeat"] },
    ],
    [
      "postgres",
      {
        type: "postgres",
        databaseConnectionString: "postgres://me:secret@db.test/shop",
        databaseQuery: "SELECT 1",
      },
      {
        protocol: "postgres",
        protocolConfig: {
          host: "db.test",
          user: "me",
          password: "secret",
          database: "shop",
          tls: false,
          query: "SELECT 1",
        },
      },
    ],
    [
      "mysql",
      { type: "mysql", databaseConnectionString: "mysql://me@db.test:3307/shop", radiusPassword: "secret" },
      {
        protocol: "mysql",
        protocolConfig: {
          host: "db.test",
          port: 3307,
          user: "me",
          password: "secret",
          database: "shop",
          tls: false,
        },
      },
    ],
    [
      "redis",
      { type: "redis", databaseConnectionString: "redis://:secret@c.test:6379" },
      { protocol: "redis", protocolConfig: { host: "c.test", port: 6379, password: "secret" } },
    ],
    [
      "redis that accepts any certificate",
      { type: "redis", databaseConnectionString: "rediss://c.test:6380", ignoreTls: true },
      {
        protocol: "redis",
        protocolConfig: { host: "c.test", port: 6380, tls: true, ignoreCertificate: true },
      },
    ],
    [
      "mongodb",
      { type: "mongodb", databaseConnectionString: "mongodb://m.test:27017" },
      { protocol: "mongodb", protocolConfig: { host: "m.test", port: 27_017, tls: false } },
    ],
    [
      "mqtt",
      {
        type: "mqtt",
        hostname: "b.test",
        port: 1883,
        mqttUsername: "me",
        mqttPassword: "x",
        mqttTopic: "t",
        mqttSuccessMessage: "on",
      },
      {
        protocol: "mqtt",
        protocolConfig: { host: "b.test", port: 1883, user: "me", password: "x", topic: "t", expect: "on" },
      },
    ],
    [
      "grpc-keyword that asks for the health",
      {
        type: "grpc-keyword",
        grpcUrl: "g.test:50051",
        grpcServiceName: "grpc.health.v1.Health",
        grpcEnableTls: true,
      },
      { protocol: "grpc", protocolConfig: { host: "g.test", port: 50_051, tls: true } },
    ],
  ])("knows the type %s", (_, given, expected) => {
    expect(only(given)).toMatchObject(expected);
  });

  test.each([
    [{ upsideDown: true }, "import.upside_down"],
    [{ authMethod: "ntlm" }, "import.auth"],
    [{ type: "json-query", jsonPath: "$sum(items.price)" }, "import.json_path"],
    [{ type: "grpc-keyword", grpcServiceName: "shop.Orders" }, "import.grpc"],
    [{ type: "docker" }, "import.kind"],
    [{ type: "steam" }, "import.kind"],
    [{ type: "__proto__" }, "import.kind"],
    [{ type: "postgres", databaseConnectionString: "host=db password=secret" }, "import.address"],
  ])("says why a monitor cannot be made: %o", (given, code) => {
    expect(only(given)).toMatchObject({ name: "Shop", problem: code });
  });

  test("notes what becomes something else", () => {
    const entry = only({ interval: 5, maxretries: 20, proxyId: 3 });
    expect(entry).toMatchObject({
      checkInterval: 10,
      confirmations: 10,
      timeout: 9,
      notes: ["import.changed", "import.changed", "import.setting"],
    });
  });

  test("takes groups over with their members, which get their names as tags", () => {
    const { entries } = read(
      backup(
        monitor({ id: 7, type: "group", name: "EU", timeout: 48 }),
        monitor({ id: 8, parent: 7 }),
        monitor({ id: 9, parent: 7, type: "docker", name: "Box" }),
        monitor({ id: 10, parent: null, name: "Other" }),
      ),
    );
    expect(entries[0]).toMatchObject({
      name: "EU",
      protocol: "group",
      protocolConfig: { members: ["Shop"] },
      notes: ["import.member"],
    });
    expect(entries[0]).not.toHaveProperty("timeout");
    expect(entries[1]).toMatchObject({ tags: ["EU"] });
    expect(entries[3]).not.toHaveProperty("tags");
  });

  test("says on which line the JSON breaks off", () => {
    expect(problemOf('{\n "monitorList": [\n', "kuma")).toBe("import.syntax");
  });

  test("takes for a monitor only what is one", () => {
    expect(read('{"monitorList": [null, 5, [], {}]}').entries.map(({ problem }) => problem)).toEqual([
      "import.nothing",
      "import.nothing",
      "import.nothing",
      "import.kind",
    ]);
  });
});

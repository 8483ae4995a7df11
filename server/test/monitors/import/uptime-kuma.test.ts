import { describe, expect, test } from "vitest";
import { KNOWN_KINDS } from "../../../src/monitors/import/file-reader.ts";
import { readFile } from "../../../src/monitors/import/read-file.ts";
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
  expiryNotification: true,
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
      page({ type: "json", path: "$.queue.depth", operator: "lt", value: 5, compareAs: "text" }),
    ],
    [
      "json-query that compares texts",
      { type: "json-query", jsonPath: "$.version", jsonPathOperator: "==", expectedValue: "2.10" },
      page({ type: "json", path: "$.version", operator: "eq", value: "2.10", compareAs: "text" }),
    ],
    [
      "json-query over a plain text",
      { type: "json-query", jsonPath: "$", jsonPathOperator: "contains", expectedValue: "01234" },
      page({ type: "json", path: "$", operator: "contains", value: "01234", compareAs: "text" }),
    ],
    [
      "json-query over names in backticks",
      { type: "json-query", jsonPath: "`a-b`[0].c", expectedValue: "true" },
      page({ type: "json", path: "$.a-b[0].c", operator: "eq", value: "true", compareAs: "text" }),
    ],
    [
      "http with a token",
      { authMethod: "bearer", bearer_token: "s3cret" },
      { authType: "bearer", authConfig: { token: "s3cret" } },
    ],
    [
      "http with a header that signs in, which goes first",
      {
        authMethod: "basic",
        basic_auth_user: "me",
        headers: '{"authorization": "Bearer x"}',
      },
      { headers: { authorization: "Bearer x" } },
    ],
    [
      "http with a body of a GET",
      { body: "a=1", httpBodyEncoding: "form" },
      { body: "a=1", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
    ],
    ["description", { description: " Ada's \n" }, { description: "Ada's" }],
    [
      "websocket with headers, login and subprotocol",
      {
        type: "websocket-upgrade",
        url: "wss://a.test/live",
        headers: '{"X-Team": "web"}',
        authMethod: "basic",
        basic_auth_user: "me",
        basic_auth_pass: "x",
        ignoreTls: true,
        wsSubprotocol: "a, b",
        accepted_statuscodes: ["1000"],
      },
      {
        protocol: "websocket",
        protocolConfig: {
          ...{ host: "a.test", tls: true, path: "/live", ignoreCertificate: true },
          headers: { "X-Team": "web", Authorization: "Basic bWU6eA==", "Sec-WebSocket-Protocol": "a,b" },
        },
      },
    ],
    [
      "dns with a condition",
      {
        type: "dns",
        hostname: "shop.test",
        conditions: [{ type: "expression", variable: "record", operator: "equals", value: "192.0.2.1" }],
      },
      { protocol: "dns", protocolConfig: { hostname: "shop.test", server: "1.1.1.1", expect: "192.0.2.1" } },
    ],
    [
      "mysql with a condition",
      {
        type: "mysql",
        databaseConnectionString: "mysql://me@db.test/shop",
        databaseQuery: "SELECT 1",
        conditions: [{ type: "expression", variable: "result", operator: "equals", value: "1" }],
      },
      { protocolConfig: { query: "SELECT 1", expect: "1" } },
    ],
    [
      "grpc-keyword that requests the health of one service",
      {
        type: "grpc-keyword",
        grpcUrl: "g.test:50051",
        grpcServiceName: "grpc.health.v1.Health",
        grpcMethod: "Check",
        grpcBody: '{"service": "shop.Orders"}',
        keyword: "SERVING",
      },
      { protocolConfig: { host: "g.test", port: 50_051, tls: false, service: "shop.Orders" } },
    ],
    [
      "port over TLS",
      { type: "port", hostname: "a.test", port: 993, smtpSecurity: "secure" },
      { protocolConfig: { host: "a.test", port: 993, tls: true } },
    ],
    [
      "ping of several requests",
      { type: "ping", hostname: "a.test", ping_count: 4 },
      { protocolConfig: { count: 4 } },
    ],
    [
      "retries ten minutes apart",
      { interval: 600, maxretries: 3, retryInterval: 600 },
      { confirmations: 4, recheckDelay: 600 },
    ],
    [
      "retries further apart than the checks, so that the alarm comes after half an hour too",
      { interval: 60, maxretries: 3, retryInterval: 600 },
      { checkInterval: 200, confirmations: 10, recheckDelay: 200, notes: ["import.retries"] },
    ],
    [
      "one retry after several checks",
      { interval: 20, timeout: 10, maxretries: 1, retryInterval: 60 },
      { checkInterval: 20, confirmations: 4, recheckDelay: 20, notes: ["import.retries"] },
    ],
    [
      "a keyword of JSON, which Kuma searches without its space",
      { type: "keyword", keyword: '"ok":true' },
      {
        ...page({ type: "keyword", operator: "present", value: '"ok":true' }),
        notes: ["import.keyword_json"],
      },
    ],
    ["retries without an interval of their own", { interval: 90, retryInterval: 0 }, { recheckDelay: 90 }],
    ["no timeout", { timeout: 0, interval: 20 }, { timeout: 16 }],
    [
      "push with retries",
      { type: "push", maxretries: 2, retryInterval: 300 },
      { protocol: "heartbeat", protocolConfig: { grace: 600 }, confirmations: 1 },
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
      "grpc-keyword that requests the health",
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
    [{ authMethod: "oauth2-cc" }, "import.auth"],
    [{ authMethod: "mtls" }, "import.auth"],
    [{ type: "websocket-upgrade", url: "wss://a.test", authMethod: "oauth2-cc" }, "import.auth"],
    [{ type: "websocket-upgrade", url: "wss://a.test", authMethod: "mtls" }, "import.auth"],
    [{ type: "websocket-upgrade", url: "https://a.test" }, "import.address"],
    [
      { type: "port", hostname: "a.test", port: 1, expectedTlsAlert: "certificate_required" },
      "import.opposite",
    ],
    [
      { type: "grpc-keyword", grpcServiceName: "a.Health", keyword: "SERVING", invertKeyword: true },
      "import.opposite",
    ],
    ...[{ keyword: "NOT_SERVING" }, { keyword: "UNKNOWN" }, { keyword: "NOT_", invertKeyword: false }].map(
      (more): [object, string] => [
        { type: "grpc-keyword", grpcUrl: "g.test:1", grpcServiceName: "a.Health", ...more },
        "import.opposite",
      ],
    ),
    [{ type: "grpc-keyword", grpcServiceName: "a.Health", grpcMethod: "Watch" }, "import.grpc"],
    [{ type: "mqtt", hostname: "wss://b.test" }, "import.kind"],
    [{ type: "json-query", jsonPath: "a-b" }, "import.json_path"],
    [{ type: "json-query", jsonPath: "$sum(items.price)" }, "import.json_path"],
    [{ type: "grpc-keyword", grpcServiceName: "shop.Orders" }, "import.grpc"],
    [{ type: "docker" }, "import.kind"],
    [{ type: "steam" }, "import.kind"],
    [{ type: "__proto__" }, "import.kind"],
    [{ type: "postgres", databaseConnectionString: "host=db password=secret" }, "import.address"],
  ])("says why a monitor cannot be made: %o", (given, code) => {
    expect(only(given)).toMatchObject({ name: "Shop", problem: code });
  });

  const named = (more: object) => {
    const file = readFile({ content: backup(monitor(more)), variables: {}, kinds: KNOWN_KINDS });
    return file.entries[0]?.notes.map(
      ({ code, params }) => params?.["setting"] ?? params?.["condition"] ?? code,
    );
  };

  test("signs in only where Uptime Kuma does, with a password alone, too", () => {
    const login = { basic_auth_user: "me", basic_auth_pass: "secret" };
    for (const authMethod of [null, "", "null", "none"])
      expect(only({ ...login, authMethod })).not.toHaveProperty("authType");
    // Older versions have no method.
    expect(only({ ...login, authMethod: undefined })).toMatchObject({ authType: "basic" });
    const header = "Basic OnNlY3JldA==";
    const alone = { authMethod: "basic", basic_auth_pass: "secret" };
    expect(only(alone)).toMatchObject({ headers: { Authorization: header } });
    expect(only({ ...alone, type: "websocket-upgrade", url: "wss://a.test" })).toMatchObject({
      protocolConfig: { headers: { Authorization: header } },
    });
  });

  test("evaluates the conditions of MQTT instead of its message", () => {
    const monitored = {
      type: "mqtt",
      hostname: "b.test",
      port: 1883,
      mqttTopic: "t",
      mqttSuccessMessage: "on",
    };
    const conditions = [{ type: "expression", variable: "message", operator: "contains", value: "x" }];
    const entry = only({ ...monitored, conditions });
    expect(entry).toMatchObject({ notes: ["import.condition"] });
    expect(entry?.["protocolConfig"]).not.toHaveProperty("expect");
  });

  test.each<[string, string, object, string[]]>([
    ["postgres", "postgres://h.test/db?sslmode=no-verify", { tls: true, ignoreCertificate: true }, []],
    ["postgres", "postgres://h.test/db?sslmode=prefer", { tls: true }, []],
    ["postgres", "postgres://h.test/db?ssl=1", { tls: true }, []],
    ["postgres", "postgres://h.test/db?sslmode=disable", { tls: false }, []],
    [
      "postgres",
      "postgres://h.test/db?sslmode=verify-full&sslrootcert=/ca.pem&options=-c",
      { tls: true },
      ["sslrootcert", "options"],
    ],
    [
      "mysql",
      'mysql://h.test/db?ssl={"rejectUnauthorized":false}',
      { tls: true, ignoreCertificate: true },
      [],
    ],
    ["mysql", 'mysql://h.test/db?ssl={"ca":"x"}&charset=utf8', { tls: true }, ["ssl.ca", "charset"]],
    ["mysql", "mysql://h.test/db?ssl=Amazon%20RDS", { tls: true }, ["ssl"]],
    [
      "mongodb",
      "mongodb://u:p@h.test/db?authSource=admin&tls=true&tlsInsecure=true&replicaSet=r&authMechanism=PLAIN",
      { tls: true, ignoreCertificate: true, authDatabase: "admin" },
      ["replicaSet", "authMechanism"],
    ],
  ])("connects by %s as %s says, or names what it cannot", (type, databaseConnectionString, config, left) => {
    const given = { type, databaseConnectionString };
    expect(only(given)).toMatchObject({ protocolConfig: config });
    if (!("ignoreCertificate" in config))
      expect(only(given)?.["protocolConfig"]).not.toHaveProperty("ignoreCertificate");
    expect(named(given)).toEqual(left.map((one) => `databaseConnectionString: ${one}`));
  });

  test("notes what becomes something else", () => {
    const entry = only({ interval: 5, maxretries: 20, retryInterval: 5, proxyId: 3 });
    expect(entry).toMatchObject({
      checkInterval: 10,
      confirmations: 10,
      recheckDelay: 5,
      timeout: 9,
      notes: ["import.setting", ...Array(3).fill("import.changed")],
    });
  });

  test("reads conditions that are stored as a text", () => {
    const conditions = JSON.stringify([
      { type: "expression", variable: "record", operator: "equals", value: "192.0.2.1" },
    ]);
    expect(only({ type: "dns", hostname: "shop.test", dns_resolve_type: "A", conditions })).toMatchObject({
      protocolConfig: { expect: "192.0.2.1" },
    });
    expect(only({ type: "ping", hostname: "a.test", conditions })).toMatchObject({
      notes: ["import.condition"],
    });
    expect(only({ type: "ping", hostname: "a.test", conditions: "{" })).toMatchObject({
      notes: ["import.condition"],
    });
  });

  const expression = (variable: string, operator: string, value: string) => ({
    ...{ type: "expression", variable, operator, value },
  });
  test.each<[object, string[]]>([
    [{ expiryNotification: false }, ["import.certificate_warning"]],
    [{ expiryNotification: false, url: "http://a.test" }, []],
    [{ resendInterval: 3, ipFamily: "ipv6" }, ["resendInterval", "ipFamily"]],
    [{ cacheBust: true, saveResponse: 1 }, ["cacheBust", "saveResponse"]],
    [{ domainExpiryNotification: true }, ["domainExpiryNotification"]],
    [{ headers: '{"Host": "b.test"}', maxredirects: 3 }, []],
    [{ maxredirects: 30 }, ["maxredirects"]],
    ...[
      { keyword: "error", invertKeyword: true },
      { keyword: "healthy", invertKeyword: false },
    ].map((more): [object, string[]] => [
      { type: "grpc-keyword", grpcUrl: "g.test:1", grpcServiceName: "Health", ...more },
      [`keyword: ${more.keyword}`],
    ]),
    [
      {
        type: "grpc-keyword",
        grpcUrl: "g.test:1",
        grpcServiceName: "Health",
        keyword: "NOT",
        invertKeyword: 1,
      },
      [],
    ],
    [{ headers: "not JSON" }, ["headers"]],
    [
      { type: "ping", hostname: "a.test", packetSize: 1400, ping_per_request_timeout: 5 },
      ["packetSize", "ping_per_request_timeout"],
    ],
    [{ type: "ping", hostname: "a.test", ping_count: 20 }, ["ping_count"]],
    [
      { type: "grpc-keyword", grpcUrl: "g.test:1", grpcServiceName: "Health", grpcMetadata: "{}" },
      ["grpcMetadata"],
    ],
    [
      {
        type: "mongodb",
        databaseConnectionString: "mongodb://m.test",
        databaseQuery: '{"ping":1}',
        jsonPath: "ok",
        expectedValue: "1",
      },
      ["databaseQuery", "jsonPath", "expectedValue"],
    ],
    [
      {
        type: "mqtt",
        hostname: "b.test",
        port: 1883,
        mqttTopic: "t",
        mqttCheckType: "json-query",
        jsonPath: "a",
        expectedValue: "1",
      },
      ["jsonPath", "expectedValue"],
    ],
    [
      {
        type: "websocket-upgrade",
        url: "wss://a.test",
        wsIgnoreSecWebsocketAcceptHeader: true,
        accepted_statuscodes: ["1001"],
      },
      ["accepted_statuscodes: 1001", "wsIgnoreSecWebsocketAcceptHeader"],
    ],
    [{ type: "port", hostname: "a.test", port: 25, smtpSecurity: "starttls" }, ["smtpSecurity: starttls"]],
    [{ type: "tailscale-ping", hostname: "a.test" }, ["tailscale"]],
    [{ type: "dns", hostname: "a.test", dns_resolve_server: "1.1.1.1, 9.9.9.9" }, ["9.9.9.9"]],
    [
      {
        type: "dns",
        hostname: "a.test",
        dns_resolve_type: "MX",
        conditions: [expression("record", "equals", "mx.a.test")],
      },
      ["record equals mx.a.test"],
    ],
    [
      {
        type: "postgres",
        databaseConnectionString: "postgres://me@db.test/shop",
        conditions: [
          expression("result", "equals", "1"),
          { type: "group", children: [expression("result", "contains", "2")] },
        ],
      },
      ["result equals 1", "result contains 2"],
    ],
  ])("names what it cannot have: %o", (given, expected) => {
    expect(named(given)).toEqual(expected);
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
      protocolConfig: { members: [{ name: "Shop", key: "8" }] },
      notes: ["import.member"],
    });
    expect(entries[0]).not.toHaveProperty("timeout");
    expect(entries[1]).toMatchObject({ tags: ["EU"] });
    expect(entries[3]).not.toHaveProperty("tags");
  });

  test("leaves paused what is in a paused group, however deep", () => {
    const { entries } = read(
      backup(
        monitor({ id: 1, type: "group", name: "EU", active: 0 }),
        monitor({ id: 2, type: "group", name: "Shops", parent: 1, active: 1 }),
        monitor({ id: 3, parent: 2, active: 1 }),
        monitor({ id: 4, parent: 4, name: "Itself", active: 1 }),
      ),
    );
    expect(entries.map((entry) => "enabled" in entry && entry.enabled)).toEqual([false, false, false, false]);
    expect(entries.map((entry) => "enabled" in entry)).toEqual([true, true, true, false]);
  });

  test("requests TLS of no mail server that Kuma did not request it of", () => {
    const { entries } = read(backup(monitor({ type: "smtp", hostname: "mx.test", port: 25 })));
    expect(entries[0]).toMatchObject({ protocol: "smtp", protocolConfig: { security: "none" } });
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

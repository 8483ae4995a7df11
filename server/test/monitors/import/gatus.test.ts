import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { KNOWN_KINDS } from "../../../src/monitors/import/file-reader.ts";
import { readFile } from "../../../src/monitors/import/read-file.ts";
import { bounded, read } from "./read.ts";

const endpoint = (more: object) =>
  stringify({ endpoints: [{ name: "Shop", url: "https://shop.test", conditions: [], ...more }] });
const only = (more: object, variables = {}) => read(endpoint(more), variables, "gatus").entries[0];
const usual = { line: 2, name: "Shop", checkInterval: 60, confirmations: 1, recoveries: 1 };
const status = (codes: string) => ({ type: "status", codes });
const json = (path: string, operator: string, value?: string | number, compareAs = "integer") => ({
  ...{ type: "json", path, operator, compareAs },
  ...(value !== undefined && { value }),
});

describe("the configuration of Gatus", () => {
  test("is recognised, with the line of each endpoint, and what is not imported of it is named", () => {
    const file = read(`
alerting:
  slack:
    webhook-url: "https://hooks.test/x"
defaults: &defaults
  interval: 5m
  client: { timeout: 3s, insecure: true }
endpoints:
  - name: front-end
    group: core
    url: "https://shop.test/health"
    <<: *defaults
    method: post
    headers:
      X-Team: web
    body: '{"a": 1}'
    enabled: false
    alerts:
      - type: slack
    conditions:
      - "[STATUS] == 200"
      - "[BODY].status == UP"
      - "[RESPONSE_TIME] < 300"
`);
    expect([file.format, file.notes]).toEqual(["gatus", ["alerting"]]);
    expect(file.entries).toEqual([
      {
        line: 9,
        kind: "domain",
        name: "front-end",
        url: "https://shop.test/health",
        checkInterval: 300,
        timeout: 3,
        tags: ["core"],
        enabled: false,
        confirmations: 3,
        recoveries: 2,
        recheckDelay: 300,
        method: "POST",
        headers: { "X-Team": "web" },
        body: '{"a": 1}',
        ignoreCertificate: true,
        assertions: [
          status("200"),
          { type: "json", path: "$.status", operator: "eq", value: "UP", compareAs: "integer" },
          { type: "response_time", downAboveMs: 299 },
        ],
        notes: ["import.setting"],
      },
    ]);
  });

  test("is recognised in braces, too", () => {
    const content = 'endpoints: [{name: A, url: "https://a.test", conditions: ["[STATUS] == 200"]}]';
    expect(read(content)).toMatchObject({ format: "gatus", entries: [{ name: "A" }] });
  });

  test.each<[string, object]>([
    ["[STATUS] == any(200, 429)", status("200,429")],
    ["[STATUS] < 300", status("100-299")],
    ["[STATUS] >= 200", status("200-599")],
    ["[STATUS] != 500", status("100-499,501-599")],
    ["[BODY] == pat(*welcome back*)", { type: "keyword", operator: "present", value: "welcome back" }],
    ["[BODY] != pat(*error*)", { type: "keyword", operator: "absent", value: "error" }],
    ["[STATUS] == pat(2*)", status("200-299")],
    ["[STATUS] != any(500, 502)", status("100-499,501,503-599")],
    ["200 == [STATUS]", status("200")],
    ["400 > [status]", status("100-399")],
    ["[BODY].items[0].price > 4.5", json("$.items[0].price", "gt", 4.5)],
    ["[BODY].ok == true", json("$.ok", "eq", "true")],
    ["[BODY].version == 2.10", json("$.version", "eq", "2.10")],
    ["[BODY].code != 01234", { ...json("$.code", "ne", "01234"), allowMissing: true }],
    ["[BODY].age < 5m", json("$.age", "lt", 300_000)],
    ["[BODY][0].1st.user-name == x", json("$[0]['1st'].user-name", "eq", "x")],
    ["has([BODY].errors) == true", json("$.errors", "exists")],
    ["has([BODY].errors) == false", json("$.errors", "missing")],
    ["has([BODY]) == true", json("$", "ne", "")],
    ["len([BODY].items) > 5", json("$.items", "gt", 5, "length")],
    ["len([BODY]) != 0", json("$", "ne", 0, "length")],
    ["[BODY] == OK", json("$", "eq", "OK")],
    ["[BODY] == pat(OK*)", json("$", "matches", "OK*")],
    ["[BODY] == pat(a*b)", json("$", "matches", "a*b")],
    ["[BODY].name == pat(*john*)", json("$.name", "contains", "john", "text")],
    ["[BODY].name != pat(john*)", { ...json("$.name", "not_matches", "john*"), allowMissing: true }],
    ["[RESPONSE_TIME] <= 500ms", { type: "response_time", downAboveMs: 500 }],
  ])("has the condition %s as an assertion", (condition, assertion) => {
    const { assertions, notes } = only({ conditions: [condition] }) ?? {};
    expect([assertions, notes]).toEqual([
      assertion && "codes" in assertion ? [assertion] : [status("100-599"), assertion],
      undefined,
    ]);
  });

  test("has its variables with braces and without, and $$ for a dollar", () => {
    const said = { headers: { Authorization: "Bearer $TOKEN", "X-Price": "$$5 $ ${CUR}" } };
    const lacking = read(endpoint(said), { CUR: "EUR" }, "gatus");
    expect([lacking.missing, lacking.entries[0]?.["problem"]]).toEqual([["TOKEN"], "import.variables"]);
    expect(only(said, { TOKEN: "s3cret", CUR: "EUR" })).toMatchObject({
      headers: { Authorization: "Bearer s3cret", "X-Price": "$5 $ EUR" },
    });
  });

  test("is content with any answer where no condition is on the status", () => {
    expect(only({ conditions: ["[CONNECTED] == true", "[CERTIFICATE_EXPIRATION] > 48h"] })).toEqual({
      ...usual,
      kind: "domain",
      url: "https://shop.test",
      certificateExpiryDays: 2,
      assertions: [status("100-599")],
      notes: ["import.certificate_days"],
    });
  });

  test("says what becomes of a certificate's end, and of its hours", () => {
    const noted = (given: object) =>
      full({ endpoints: [{ name: "A", ...given }] }).entries[0]?.notes.map(({ params }) => params);
    const condition = "[CERTIFICATE_EXPIRATION] > 30h";
    expect(noted({ url: "https://a.test", conditions: [condition] })).toEqual([{ condition, days: 2 }]);
    expect(noted({ url: "https://a.test", conditions: ["[CERTIFICATE_EXPIRATION] > 0"] })).toMatchObject([
      { days: 1 },
    ]);
    expect(noted({ url: "tls://a.test:443", conditions: [condition] })).toEqual([
      { setting: condition, from: "30 h", to: "48 h" },
    ]);
    expect(noted({ url: "tls://a.test:443", conditions: ["[CERTIFICATE_EXPIRATION] > 48h"] })).toEqual([]);
  });

  test.each([
    "[IP] == 127.0.0.1",
    "[DOMAIN_EXPIRATION] > 720h",
    "[BODY].a == [BODY].b",
    "[BODY].items[*].id != 0",
    "[STATUS] == any(200",
    "[BODY].x == any(a, b)",
    "[BODY] == pat(a?b)",
    "[RESPONSE_TIME] > 5",
    "nonsense",
  ])("notes a condition that it cannot have: %s", (condition) => {
    expect(only({ conditions: [condition] })).toMatchObject({
      assertions: [status("200-399")],
      notes: ["import.condition", "import.any_status"],
    });
  });

  test.each<[object, object]>([
    [
      {
        url: "tcp://db.test:6379",
        body: "PING",
        conditions: ["[CONNECTED] == true", "[BODY] == pat(*PONG*)"],
      },
      { protocol: "tcp", protocolConfig: { host: "db.test", port: 6379, send: "PING", expect: "PONG" } },
    ],
    [{ url: "icmp://a.test" }, { protocol: "icmp", protocolConfig: { host: "a.test" } }],
    [
      {
        url: "8.8.8.8",
        dns: { "query-name": "shop.test.", "query-type": "a" },
        conditions: ["[DNS_RCODE] == NOERROR", "[BODY] == 192.0.2.1"],
      },
      {
        protocol: "dns",
        protocolConfig: { hostname: "shop.test", recordType: "A", server: "8.8.8.8", expect: "192.0.2.1" },
      },
    ],
    [
      {
        url: "8.8.8.8",
        dns: { "query-name": "shop.test", "query-type": "A" },
        conditions: ["[DNS_RCODE] == NOERROR"],
      },
      {
        protocol: "dns",
        protocolConfig: { hostname: "shop.test", recordType: "A", server: "8.8.8.8" },
        notes: ["import.record"],
      },
    ],
    [
      { url: "starttls://mail.test:587", conditions: ["[CERTIFICATE_EXPIRATION] > 72h"] },
      { protocol: "tls", protocolConfig: { host: "mail.test", port: 587, starttls: "smtp", minDays: 3 } },
    ],
    [
      { url: "tls://mail.test:465", client: { insecure: true } },
      { protocol: "tls", protocolConfig: { host: "mail.test", port: 465 }, notes: ["import.setting"] },
    ],
    [
      { url: "ssh://a.test:22", conditions: ["[STATUS] == 0"] },
      { protocol: "ssh", protocolConfig: { host: "a.test", port: 22 } },
    ],
    [
      { url: "wss://a.test/", body: "hi", conditions: ["[BODY] == hello"] },
      {
        protocol: "websocket",
        protocolConfig: { host: "a.test", tls: true, path: "/", send: "hi", expect: "hello" },
      },
    ],
    [
      { url: "grpcs://g.test:443" },
      { protocol: "grpc", protocolConfig: { host: "g.test", port: 443, tls: true } },
    ],
  ])("knows what is at %o", (given, expected) => {
    const entry = only(given);
    expect(entry).toMatchObject({ kind: "service", name: "Shop", ...expected });
    expect(entry).not.toHaveProperty("problem");
  });

  test.each(["sctp://a.test:1", "whois://a.test"])("says that it has nothing for %s", (url) => {
    expect(only({ url })).toMatchObject({ name: "Shop", problem: "import.kind" });
  });

  test("requests what it takes from its environment, and takes it where it is given", () => {
    const secret = { headers: { Authorization: "Bearer ${TOKEN}", "X-Price": "$$5" } };
    const file = read(endpoint(secret), {}, "gatus");
    expect([file.missing, file.entries[0]?.["problem"]]).toEqual([["TOKEN"], "import.variables"]);
    const filled = only(secret, { TOKEN: "abc" });
    expect(filled).toMatchObject({ headers: { Authorization: "Bearer abc", "X-Price": "$5" } });
    expect(filled).not.toHaveProperty("problem");
  });

  const full = (content: object, variables = {}) =>
    readFile({ content: stringify(content), variables, format: "gatus", kinds: KNOWN_KINDS });
  const named = (more: object) =>
    full({
      endpoints: [{ name: "Shop", url: "https://shop.test", conditions: ["[STATUS] == 200"], ...more }],
    })
      .entries.map(bounded)[0]
      ?.notes.map(({ code, params }) => params?.["setting"] ?? params?.["condition"] ?? code);

  test.each<[object, string[]]>([
    [{ client: { network: "ip6", "proxy-url": "http://p.test" } }, ["client.network", "client.proxy-url"]],
    [{ client: { network: "ip", oauth2: {} } }, []],
    [
      { ui: { "hide-url": true }, "maintenance-windows": [{ start: "23:00" }] },
      ["ui", "maintenance-windows"],
    ],
    [{ nonsense: 1 }, ["nonsense"]],
    [{ interval: 60 }, ["interval"]],
    [{ headers: { Host: "b.test" } }, []],
    [{ url: "wss://a.test/", conditions: [], headers: { Host: "b.test" } }, ["headers.Host"]],
    [{ method: "POST", body: "[RANDOM_STRING_8]" }, ["import.placeholder"]],
    [{ url: "icmp://a.test", body: "x", headers: { A: "b" }, conditions: [] }, ["body", "headers"]],
    [
      { url: "tcp://a.test:1", conditions: ["[BODY] == pat(*a*)", "[BODY] == pat(*b*)"] },
      ["[BODY] == pat(*b*)"],
    ],
    [{ url: "tcp://a.test:1", conditions: ["[BODY] == a"] }, ["[BODY] == a"]],
    [
      { url: "tcp://a.test:1", conditions: ["[STATUS] == 200", "[RESPONSE_TIME] < 5"] },
      ["[STATUS] == 200", "[RESPONSE_TIME] < 5"],
    ],
    [{ client: { timeout: "500ms" } }, ["timeout"]],
    [{ interval: "5s" }, ["checkInterval"]],
  ])("names what it cannot have: %o", (given, expected) => {
    expect(named(given)).toEqual(expected);
  });

  test.each<[object, object]>([
    [
      { url: "wss://a.test/", headers: { "X-Team": "web" } },
      { protocolConfig: { headers: { "X-Team": "web" } } },
    ],
    [{ headers: { Host: "b.test" } }, { hostHeader: "b.test" }],
    [{ enabled: "no" }, { enabled: false }],
    [
      { graphql: true, body: "{ a }", method: "POST" },
      { body: '{"query":"{ a }"}', headers: { "Content-Type": "application/json" } },
    ],
    [
      { body: "[ENDPOINT_NAME] of [ENDPOINT_GROUP] at [ENDPOINT_URL]", group: "g" },
      { body: "Shop of g at https://shop.test" },
    ],
    [
      { url: "grpc://g.test:1", conditions: ["[BODY].status == SERVING"] },
      { protocol: "grpc", protocolConfig: { host: "g.test" } },
    ],
    [{ url: "icmp://a.test", conditions: ["[STATUS] == 0"] }, { protocol: "icmp" }],
    [{ url: "icmp://2001:db8::1" }, { protocol: "icmp", protocolConfig: { host: "2001:db8::1" } }],
  ])("has %o", (given, expected) => {
    const entry = only(given);
    expect(entry).toMatchObject(expected);
    expect(entry).not.toHaveProperty("problem");
    expect(entry).not.toHaveProperty("notes");
  });

  test.each<[object]>([
    [{ conditions: ["[CONNECTED] == false"] }],
    [{ conditions: ["[CONNECTED] != true"] }],
    [{ conditions: ["[STATUS] == 0"] }],
    [{ url: "tcp://a.test:1", conditions: ["[CONNECTED] == false"] }],
    [
      {
        url: "8.8.8.8",
        dns: { "query-name": "a.test", "query-type": "A" },
        conditions: ["[DNS_RCODE] == NXDOMAIN"],
      },
    ],
    [
      {
        url: "8.8.8.8",
        dns: { "query-name": "a.test", "query-type": "A" },
        conditions: ["[DNS_RCODE] != NOERROR"],
      },
    ],
    [{ conditions: ["[STATUS] < 100"] }],
    [{ conditions: ["[STATUS] == any(0, -1)"] }],
    [{ url: "tcp://a.test:1", conditions: ["[CONNECTED] == pat(f*)"] }],
    ...["any(NXDOMAIN, SERVFAIL)", "pat(NX*)"].map((right): [object] => [
      {
        url: "8.8.8.8",
        dns: { "query-name": "a.test", "query-type": "A" },
        conditions: [`[DNS_RCODE] == ${right}`],
      },
    ]),
    [{ url: "grpc://a.test:1", conditions: ["[BODY].status == NOT_SERVING"] }],
    [{ url: "grpc://a.test:1", conditions: ["[BODY].status != any(SERVING, UNKNOWN)"] }],
  ])("makes no monitor of the opposite: %o", (given) => {
    expect(only(given)).toMatchObject({ problem: "import.opposite" });
  });

  test("counts failures as the first of an endpoint's alerts does, an interval apart", () => {
    const alerting = { slack: { "default-alert": { "failure-threshold": 5, "success-threshold": 4 } } };
    const of = (...alerts: object[]) => {
      const endpoint = {
        name: "A",
        url: "https://a.test",
        interval: "2m",
        conditions: ["[STATUS] == 200"],
        alerts,
      };
      const { confirmations, recoveries, recheckDelay } =
        full({ alerting, endpoints: [endpoint] }).entries[0]?.body ?? {};
      return [confirmations, recoveries, recheckDelay];
    };
    expect(of()).toEqual([1, 1, undefined]);
    expect(of({ type: "slack" })).toEqual([5, 4, 120]);
    expect(of({ type: "discord" })).toEqual([3, 2, 120]);
    expect(of({ type: "slack" }, { type: "discord", "failure-threshold": 2 })).toEqual([2, 2, 120]);
    expect(of({ type: "slack", enabled: false })).toEqual([1, 1, undefined]);
  });

  test("requests the values of what is used, and no others", () => {
    const content = {
      alerting: { slack: { "webhook-url": "${SLACK}" } },
      endpoints: [
        {
          name: "A",
          url: "https://a.test",
          enabled: "${ON}",
          conditions: ["[STATUS] == ${CODE}"],
          client: { oauth2: { "client-secret": "$SECRET" } },
          alerts: [
            {
              type: "custom",
              enabled: "${ALERTED}",
              description: "${TEXT}",
              "provider-override": { url: "$HOOK" },
            },
          ],
          ui: { badge: "${BADGE}" },
        },
        { name: "B", url: "icmp://a.test", headers: { A: "${UNUSED}" }, conditions: ["[CONNECTED] == true"] },
      ],
    };
    const read = full(content);
    expect(read.missing).toEqual(["ON", "CODE"]);
    expect(read.entries[1]?.problem).toBeNull();
    const filled = full(content, { ON: "false", CODE: "204" }).entries[0];
    expect(filled).toMatchObject({ problem: null, body: { enabled: false, assertions: [status("204")] } });
  });

  test("names external endpoints and suites one by one, and waits for what says how long it may be silent", () => {
    const { entries } = read(
      `
external-endpoints:
  - name: backup
    group: jobs
    token: x
    heartbeat:
      interval: 30m
    alerts:
      - { type: email, failure-threshold: 2, success-threshold: 4 }
  - name: notified
    token: y
suites:
  - name: checkout
    endpoints: []
`,
    );
    expect(entries).toEqual([
      {
        ...{ line: 3, kind: "service", name: "backup", protocol: "heartbeat", protocolConfig: {} },
        ...{ checkInterval: 1800, tags: ["jobs"], confirmations: 2, recoveries: 4 },
        notes: ["import.heartbeat", "import.setting"],
      },
      ...[
        {
          line: 10,
          kind: "service",
          name: "notified",
          protocol: "heartbeat",
          protocolConfig: {},
          problem: "import.external",
        },
      ],
      { line: 13, kind: "domain", name: "checkout", problem: "import.suite" },
    ]);
  });

  test("takes for an endpoint only what is one", () => {
    expect(read("endpoints: [null, 5, [a]]\n", {}, "gatus").entries.map(({ problem }) => problem)).toEqual(
      Array(3).fill("import.nothing"),
    );
  });
});

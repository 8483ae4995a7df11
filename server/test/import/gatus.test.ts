import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { read } from "./read.ts";

const endpoint = (more: object) =>
  stringify({ endpoints: [{ name: "Shop", url: "https://shop.test", conditions: [], ...more }] });
const only = (more: object, variables = {}) => read(endpoint(more), variables, "gatus").entries[0];
const usual = { line: 2, name: "Shop", checkInterval: 60, confirmations: 1, recoveries: 1 };
const status = (codes: string) => ({ type: "status", codes });

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
        confirmations: 1,
        recoveries: 1,
        method: "POST",
        headers: { "X-Team": "web" },
        body: '{"a": 1}',
        ignoreCertificate: true,
        assertions: [
          status("200"),
          { type: "json", path: "$.status", operator: "eq", value: "UP" },
          { type: "response_time", downAboveMs: 299 },
        ],
        notes: ["import.setting"],
      },
    ]);
  });

  test.each<[string, object]>([
    ["[STATUS] == any(200, 429)", status("200,429")],
    ["[STATUS] < 300", status("100-299")],
    ["[STATUS] >= 200", status("200-599")],
    ["[STATUS] != 500", status("100-499,501-599")],
    ["[BODY] == pat(*welcome back*)", { type: "keyword", operator: "present", value: "welcome back" }],
    ["[BODY] != pat(*error*)", { type: "keyword", operator: "absent", value: "error" }],
    ["[BODY].items[0].price > 4.5", { type: "json", path: "$.items[0].price", operator: "gt", value: 4.5 }],
    ["[BODY].ok == true", { type: "json", path: "$.ok", operator: "eq", value: true }],
    ["has([BODY].errors) == true", { type: "json", path: "$.errors", operator: "exists" }],
    ["[BODY].name == pat(*john*)", { type: "json", path: "$.name", operator: "contains", value: "john" }],
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
    });
  });

  test.each([
    "[IP] == 127.0.0.1",
    "[DOMAIN_EXPIRATION] > 720h",
    "len([BODY].items) > 5",
    "[BODY].items[*].id != 0",
    "[STATUS] == any(200",
    "[BODY].x == any(a, b)",
    "[BODY] == pat(a*b)",
    "[RESPONSE_TIME] > 5",
    "nonsense",
  ])("notes a condition that it cannot have: %s", (condition) => {
    expect(only({ conditions: [condition] })).toMatchObject({ notes: ["import.condition"] });
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

  test("asks for what it takes from its environment, and takes it where it is given", () => {
    const secret = { headers: { Authorization: "Bearer ${TOKEN}", "X-Price": "$$5" } };
    const file = read(endpoint(secret), {}, "gatus");
    expect([file.missing, file.entries[0]?.["problem"]]).toEqual([["TOKEN"], "import.variables"]);
    const filled = only(secret, { TOKEN: "abc" });
    expect(filled).toMatchObject({ headers: { Authorization: "Bearer abc", "X-Price": "$5" } });
    expect(filled).not.toHaveProperty("problem");
  });

  test("takes for an endpoint only what is one", () => {
    expect(read("endpoints: [null, 5, [a]]\n", {}, "gatus").entries.map(({ problem }) => problem)).toEqual(
      Array(3).fill("import.nothing"),
    );
  });
});

import { describe, expect, test } from "vitest";
import type { Assertion } from "../../src/checks/http/http-assertion-config.ts";
import type { HttpConfig } from "../../src/checks/http/http-config.ts";
import { changeHttp } from "../../src/monitors/http-settings.ts";
import { isCredentialHeader } from "../../src/monitors/stored-secrets.ts";
import { inEnglish } from "../../src/platform/i18n/english.ts";
import type { MessageDescriptor } from "../../src/platform/i18n/message.ts";
import { HIDDEN } from "../../src/platform/monitor-defaults.ts";

type Check = Omit<HttpConfig, "url">;

/** A change of some fields; what was stored stays. */
function apply(base: Check, sent: Check) {
  const problems: Record<string, string[]> = {};
  const stored = { url: "https://a.test", ...base };
  const report = (field: string, what: MessageDescriptor) =>
    void (problems[field] ??= []).push(inEnglish(what));
  const { url: _, ...check } = changeHttp({ stored, retained: stored, sent }, report).config;
  return { check, problems };
}

const bearer: Check = { authType: "bearer", authConfig: { token: "t0ken" } };

describe("authentication", () => {
  test.each([
    ["basic", { username: "me", password: "pw" }],
    ["basic", { username: "me", password: "" }],
    ["bearer", { token: "t0ken" }],
    ["header", { name: "X-Key", value: "k" }],
  ] as const)("%s takes %j", (authType, authConfig) => {
    expect(apply({}, { authType, authConfig })).toEqual({ check: { authType, authConfig }, problems: {} });
  });

  test.each([
    ["basic", {}, ["authConfig.password", "authConfig.username"]],
    ["basic", { username: "", password: "pw" }, ["authConfig.username"]],
    ["basic", { username: "a:b", password: "pw" }, ["authConfig.username"]],
    ["bearer", { username: "me" }, ["authConfig.token"]],
    ["header", { name: "X-Key", value: "" }, ["authConfig.value"]],
  ] as const)("%s refuses %j", (authType, authConfig, fields) => {
    expect(Object.keys(apply({}, { authType, authConfig }).problems).sort()).toEqual(fields);
  });

  test("keeps nothing of another type's secret", () => {
    const { check } = apply(bearer, { authType: "basic", authConfig: { username: "me", password: "pw" } });
    expect(check.authConfig).toEqual({ username: "me", password: "pw" });
  });

  test("keeps its secret when other things change", () => {
    expect(apply(bearer, { method: "HEAD" }).check).toEqual({ ...bearer, method: "HEAD" });
  });

  test("of the same type may change one half of its secret", () => {
    const base: Check = { authType: "basic", authConfig: { username: "me", password: "old" } };
    const { check, problems } = apply(base, { authConfig: { password: "new" } });
    expect([check.authConfig, problems]).toEqual([{ username: "me", password: "new" }, {}]);
  });

  test("of another type needs its own secret", () => {
    expect(apply(bearer, { authType: "header" }).problems).toHaveProperty(["authConfig.name"]);
  });

  test("none forgets the secret", () => {
    expect(apply(bearer, { authType: "none" }).check).toEqual({ authType: "none" });
  });

  test("a secret without a type is refused rather than forgotten", () => {
    expect(apply({}, { authConfig: { token: "x" } }).problems).toHaveProperty("authConfig");
  });

  test("and an Authorization header cannot both be sent", () => {
    expect(apply(bearer, { headers: { authorization: "x" } }).problems).toHaveProperty("headers");
    expect(apply({}, { headers: { authorization: "x" } }).problems).toEqual({});
  });
});

describe("headers", () => {
  test.each(["Authorization", "cookie", "X-Api-Key", "X-Auth-Token", "X-Session-Id", "X-Hub-Signature"])(
    "%s carries a credential",
    (name) => expect(isCredentialHeader(name)).toBe(true),
  );

  test.each(["Accept", "User-Agent", "Content-Type", "X-Request-Id"])("%s does not", (name) =>
    expect(isCredentialHeader(name)).toBe(false),
  );

  test.each(["Bearer t0ken", "basic dTpw", "eyJhbGciOiJ.eyJzdWIi.c2ln"])("of any name with %s do", (value) =>
    expect(isCredentialHeader("X-Upstream", value)).toBe(true),
  );

  test("sent back hidden keep their value, in any case of the name", () => {
    const { check } = apply({ headers: { "X-Api-Key": "k" } }, { headers: { "x-api-key": HIDDEN, A: "b" } });
    expect(check.headers).toEqual({ "x-api-key": "k", A: "b" });
  });

  test("sent hidden without a stored value are refused", () => {
    expect(apply({}, { headers: { "X-Api-Key": HIDDEN } }).problems).toHaveProperty(["headers.X-Api-Key"]);
  });

  test("given twice in different case are refused", () => {
    expect(apply({}, { headers: { A: "1", a: "2" } }).problems).toHaveProperty(["headers.a"]);
  });
});

describe("conditions that no response can meet", () => {
  const status = (codes: string) => ({ type: "status", codes }) as const;
  const keyword = (operator: "present" | "absent", value: string) =>
    ({ type: "keyword", operator, value }) as const;
  const json = (more: object) =>
    ({ type: "json", path: "$.a", operator: "eq", value: "x", ...more }) as Assertion;
  const taken: [Assertion[], Check?][] = [
    [[status("200"), status("200-299")]],
    [[keyword("present", "ok"), keyword("absent", "ok!")]],
    [[keyword("absent", "error")], { method: "HEAD" }],
    [[json({ value: null })]],
    [[json({ operator: "ne", value: null, compareAs: "text" })]],
    [[json({ value: null, compareAs: "text" })]],
    [[json({ value: null, compareAs: "integer" })]],
    [[json({ operator: "lte", value: 0, compareAs: "length" })]],
    [[json({ value: "two", compareAs: "length", allowMissing: true })]],
    [[json({ operator: "lt", value: 0, compareAs: "length", allowMissing: true })]],
    [[json({ path: "$.b", operator: "missing" }), json({ operator: "exists" })]],
    [[{ type: "header", name: "A", operator: "contains", value: " x" }]],
  ];
  test.each(taken)("are not these: %j %j", (assertions, more = {}) => {
    expect(apply({}, { ...more, assertions }).problems).toEqual({});
  });

  const refused: [Assertion[], string, RegExp, Check?][] = [
    [[status("399-200")], "assertions.0", /no status code/],
    [[status("600-999")], "assertions.0", /no status code/],
    [[status("200"), status("404")], "assertions.1", /no status code/],
    [[keyword("present", "all ok"), keyword("absent", "ok")], "assertions.1", /demands the opposite/],
    [[keyword("present", "ok")], "assertions.0", /HEAD request has no body/, { method: "HEAD" }],
    [[json({})], "assertions.0", /HEAD request has no body/, { method: "HEAD" }],
    [[json({ path: "$", operator: "missing" })], "assertions.0", /always there/],
    [[json({ operator: "exists" }), json({ operator: "missing" })], "assertions.1", /demands the opposite/],
    [[json({ value: "05", compareAs: "length" })], "assertions.0", /a length is/],
    [
      [json({ path: "$", value: "two", compareAs: "length", allowMissing: true })],
      "assertions.0",
      /a length is/,
    ],
    [[json({ value: "two", compareAs: "length" })], "assertions.0", /a length is/],
    [[json({ value: 1.5, compareAs: "length" })], "assertions.0", /a length is/],
    [[json({ operator: "lt", value: 0, compareAs: "length" })], "assertions.0", /a length is/],
    [
      [json({ path: "$", value: "OK\n", compareAs: "integer" })],
      "assertions.0",
      /never begin or end with a space/,
    ],
    [
      [{ type: "header", name: "A", operator: "eq", value: "x " }],
      "assertions.0",
      /never begin or end with a space/,
    ],
  ];
  test.each(refused)("are refused at their place: %j", (assertions, field, sentence, more = {}) => {
    const { problems } = apply({}, { ...more, assertions });
    expect(Object.keys(problems)).toEqual([field]);
    expect(problems[field]?.[0]).toMatch(sentence);
  });

  test("are found where the method changes, and left alone where neither does", () => {
    const stored = { assertions: [keyword("present", "ok")] };
    expect(Object.keys(apply(stored, { method: "HEAD" }).problems)).toEqual(["assertions.0"]);
    expect(apply({ ...stored, method: "HEAD" }, { bodyBytes: 5 }).problems).toEqual({});
  });
});

describe("assertions", () => {
  test.each([
    [{ type: "response_time" }, "assertions.0"],
    [{ type: "json", path: "$.a", operator: "eq" }, "assertions.0.value"],
    [{ type: "json", path: "$.a", operator: "gt", value: "5" }, "assertions.0.value"],
    [{ type: "json", path: "$.a", operator: "lt", value: "90071992547409930.5" }, "assertions.0.value"],
    [{ type: "header", name: "A", operator: "contains" }, "assertions.0.value"],
  ] as const)("%j is refused", (assertion, field) => {
    expect(Object.keys(apply({}, { assertions: [assertion] }).problems)).toEqual([field]);
  });

  test.each([
    { type: "response_time", downAboveMs: 500 },
    { type: "json", path: "$.a", operator: "exists" },
    { type: "json", path: "$.a", operator: "eq", value: null },
    { type: "json", path: "$.a", operator: "lte", value: 5 },
    { type: "header", name: "A", operator: "exists" },
    { type: "keyword", operator: "absent", value: "error" },
    { type: "json", path: "$.a", operator: "gt", value: "9007199254740993" },
    { type: "json", path: "$.a", operator: "lte", value: "-9007199254740993" },
  ] as const)("%j is taken", (assertion) => {
    expect(apply({}, { assertions: [assertion] }).problems).toEqual({});
  });
});

test.each(["10", "0x7f.1", "2130706433:80", "1.2"])(
  "the Host header %s is not made an address of",
  (hostHeader) => {
    expect(Object.keys(apply({}, { hostHeader }).problems)).toEqual(["hostHeader"]);
  },
);

test.each(["192.0.2.1", "192.0.2.1:8080", "[2001:db8::1]:80", "10.shop.test"])(
  "the Host header %s is taken",
  (hostHeader) => {
    expect(apply({}, { hostHeader })).toEqual({ check: { hostHeader }, problems: {} });
  },
);

test("an empty body removes the stored one", () => {
  expect(apply({ body: "x" }, { body: "" }).check).toEqual({});
});

import Schema from "typebox/schema";
import { describe, expect, test } from "vitest";
import { type HttpConfig, httpConfigSchema } from "../../../src/checks/http/http-config.ts";
import { composeRequest, RequestError } from "../../../src/checks/http/http-request.ts";
import { activeKind, checkKind, checkKinds } from "../../../src/checks/registry.ts";
import { check, startHttpTarget } from "../factories.ts";

const url = "http://127.0.0.1/";
const accepted = (config: unknown) => Schema.Check(httpConfigSchema, config);

describe("authentication", () => {
  const sent = async (config: Partial<HttpConfig>, user = "") => {
    const target = await startHttpTarget();
    await check({ url: target.url.replace("//", `//${user}`), ...config });
    return target.requests[0];
  };

  test("basic, bearer, a header of one's own, and none", async () => {
    const basic = await sent({ authType: "basic", authConfig: { username: "me", password: "pä:ss" } });
    expect(basic?.headers.authorization).toBe(`Basic ${Buffer.from("me:pä:ss").toString("base64")}`);
    const bearer = await sent({ authType: "bearer", authConfig: { token: "t0k" } });
    expect(bearer?.headers.authorization).toBe("Bearer t0k");
    const header = await sent({ authType: "header", authConfig: { name: "X-Key", value: "k" } });
    expect(header?.headers["x-key"]).toBe("k");
    expect((await sent({ authType: "none" }))?.headers).not.toHaveProperty("authorization");
  });

  test("a user in the URL is basic authentication, and not part of the requested URL", async () => {
    const request = await sent({}, "me:p%40ss@");
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
    expect(request?.raw).not.toContain("me:p");
  });
});

describe("requests", () => {
  test("carry method, headers and body", async () => {
    const target = await startHttpTarget();
    const headers = { "X-Mine": "caf\xe9", "user-agent": "mine" };
    await check({ url: target.url, method: "PATCH", headers, body: '{"ü":1}' });
    expect(target.requests[0]).toMatchObject({
      method: "PATCH",
      body: '{"ü":1}',
      headers: {
        "x-mine": "caf\xe9",
        "user-agent": "mine",
        "content-type": "application/json",
        "content-length": "8",
      },
    });
  });

  test("that may have a body say its length even when it is empty", async () => {
    const target = await startHttpTarget();
    for (const method of ["POST", "PUT", "PATCH", "GET", "DELETE"] as const)
      await check({ url: target.url, method });
    const lengths = target.requests.map(({ headers }) => headers["content-length"]);
    expect(lengths).toEqual(["0", "0", "0", undefined, undefined]);
    for (const { headers } of target.requests) expect(headers).not.toHaveProperty("content-type");
  });

  test("cannot be made to carry line breaks, whatever the configuration says", async () => {
    const target = await startHttpTarget();
    const evil = "x\r\nx-evil: 1";
    const configs: Partial<HttpConfig>[] = [
      { headers: { "x-a": evil } },
      { headers: { [evil]: "a" } },
      { headers: { "x-a": "a\nb" } },
      { headers: { "x-a": "a\0b" } },
      { headers: { Host: "elsewhere.test" } },
      { headers: { "Transfer-Encoding": "chunked" } },
      { headers: { "HTTP2-Settings": "AAMAAABkAAQAAP__" } },
      { authType: "header" as const, authConfig: { name: "http2-settings", value: "x" } },
      { method: evil as "GET" },
      { authType: "bearer" as const, authConfig: { token: evil } },
      { authType: "header" as const, authConfig: { name: evil, value: "x" } },
    ];
    for (const config of configs) {
      expect(await check({ url: target.url, ...config })).toMatchObject({
        verdict: "failed",
        reasonCode: "internal",
      });
      expect(accepted({ url, ...config })).toBe(false);
    }
    await check(`${target.url}a\r\nb c?d\r\n: e`);
    expect(target.requests.map((request) => request.path)).toEqual(["/ab%20c?d:%20e"]);
  });

  test("to anything but http and https are not made", async () => {
    for (const other of ["ftp://a.test/", "file:///etc/passwd", "nonsense", ""]) {
      expect(await check(other)).toMatchObject({ verdict: "failed", reasonCode: "internal" });
    }
    expect(() => composeRequest(new URL(url), "get", [], null)).toThrow(RequestError);
  });
});

describe("the schema of a check", () => {
  test("takes what makes sense", () => {
    expect(accepted({ url })).toBe(true);
    expect(
      accepted({
        url: "HTTPS://example.test",
        method: "POST",
        headers: { "X-Te": "1", Hosts: "2" },
        body: "{}",
        isApi: true,
        authType: "basic",
        authConfig: { username: "a", password: "b" },
        assertions: [
          { type: "status", codes: "200-299,401" },
          { type: "keyword", operator: "absent", value: "error" },
          { type: "json", path: "$.a[0]['b c']", operator: "exists" },
          { type: "header", name: "server", operator: "eq", value: "x" },
          { type: "response_time", degradedAboveMs: 500 },
        ],
        followRedirects: false,
        ignoreCertificate: true,
        certificateExpiryDays: 30,
      }),
    ).toBe(true);
  });

  test("refuses what does not", () => {
    for (const config of [
      {},
      { url: "ftp://a.test" },
      { url, method: "TRACE" },
      { url, body: "x".repeat(65_537) },
      { url, headers: { "a b": "1" } },
      { url, headers: { connection: "close" } },
      { url, assertions: [{ type: "status", codes: "2xx" }] },
      { url, assertions: [{ type: "json", path: "$..a", operator: "eq", value: 1 }] },
      { url, assertions: [{ type: "regexp", value: "a" }] },
      { url, certificateExpiryDays: 0 },
      { url, surprise: true },
    ]) {
      expect(accepted(config), JSON.stringify(config).slice(0, 80)).toBe(false);
    }
  });

  test("the registry knows each kind by its own type, and no other", () => {
    for (const [type, kind] of Object.entries(checkKinds)) expect(kind.type).toBe(type);
    expect(checkKind("http")).toBe(checkKinds.http);
    expect(checkKind("toString")).toBeNull();
    expect([activeKind("http"), activeKind("toString")]).toEqual([checkKinds.http, null]);
  });

  test("its target is its URL", () => {
    expect(checkKinds.http.target({ url: "https://example.com/a?b" })).toBe("https://example.com/a?b");
  });
});

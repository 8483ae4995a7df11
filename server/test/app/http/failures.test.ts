import { connect } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { PassThrough } from "node:stream";
import { Type } from "typebox";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../../src/app/http/server.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { unavailable } from "../../../src/platform/errors.ts";
import { defineRoute } from "../../../src/platform/http/define-route.ts";
import { eventually } from "../../harness/eventually.ts";
import { startProxy } from "../../harness/proxy.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { createTestDatabase, eachEngine } from "../../harness/stores.ts";

async function start(options: Partial<TestServerOptions> = {}) {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(server.close);
  return server;
}

/** Routes that fail on purpose, and one that answers with more than it declares. */
const routes: TestServerOptions["routes"] = (app, ctx) => {
  const route = { method: "GET", family: "legacy", resource: "domains", summary: "For a test" } as const;
  const response = Type.Object({ shown: Type.String() });
  defineRoute(app, ctx, {
    ...route,
    url: "/api/test/broken",
    response,
    handler: () => Promise.reject(new Error("secret: select * from users")),
  });
  defineRoute(app, ctx, {
    ...route,
    url: "/api/test/untellable",
    response,
    handler: () => Promise.reject(Object.assign(new Error("secret"), { validation: [{}] })),
  });
  defineRoute(app, ctx, {
    ...route,
    url: "/api/test/upstream",
    response,
    handler: () => Promise.reject(unavailable(7, "inside")),
  });
  defineRoute(app, ctx, {
    ...route,
    url: "/api/test/generous",
    response,
    handler: async () => ({ data: { shown: "yes", hidden: "no" }, extra: 1 }),
  });
  defineRoute(app, ctx, {
    ...route,
    method: "POST",
    url: "/api/test/echo",
    response: Type.Object({ name: Type.String() }),
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 5 }),
      kind: Type.Optional(Type.String()),
    }),
    handler: async (_own, { body }) => ({ data: body }),
  });
};

describe("what a failure says", () => {
  test("an unknown address answers 404 in the failure envelope", async () => {
    const server = await start();
    for (const path of ["/api/nothing", "/v2/nothing", "/api/domains/1/2/3"]) {
      const { status, body } = await server.api("GET", path);
      expect([status, body]).toEqual([
        404,
        { success: false, message: "Resource not found.", fact: { code: "request.not_found" } },
      ]);
    }
  });

  test("a failure that cannot be reported answers 500 in the envelope as well", async () => {
    const server = await start({ routes });
    const { status, body } = await server.api("GET", "/api/test/untellable");
    const request_id = expect.stringMatching(/^[\w-]{36}$/);
    expect([status, body]).toEqual([
      500,
      { success: false, message: "Server Error", fact: { code: "request.error" }, request_id },
    ]);
    expect(server.problems).toHaveLength(1);
  });

  test("a fault of ours answers 500 with the request's id, which is also in the log, and nothing else", async () => {
    const lines: string[] = [];
    const stream = new PassThrough().on("data", (chunk) => lines.push(String(chunk)));
    const server = await start({ routes, log: createLogger("info", stream) });
    const answer = await server.api("GET", "/api/test/broken");
    const id = answer.headers.get("x-request-id");
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      success: false,
      message: "Server Error",
      fact: { code: "request.error" },
      request_id: id,
    });
    const logged = lines
      .join("")
      .split("\n")
      .find((line) => line.includes("secret: select"));
    expect(logged).toContain(id as string);
    expect(lines.join("")).not.toContain(server.key);
  });

  test("an outside system's failure answers with Retry-After and keeps its cause to itself", async () => {
    const server = await start({ routes });
    const answer = await server.api("GET", "/api/test/upstream");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("7");
    expect(JSON.stringify(answer.body)).not.toContain("inside");
  });

  test("an answer carries only what its schema declares", async () => {
    const server = await start({ routes });
    const { body } = await server.api("GET", "/api/test/generous");
    expect(body).toEqual({ success: true, message: "OK", data: { shown: "yes" } });
  });

  test("a body may carry unknown fields; they are ignored", async () => {
    const server = await start({ routes });
    const { status, body } = await server.api("POST", "/api/test/echo", { name: "ada", more: 1 });
    expect([status, body.data]).toEqual([200, { name: "ada" }]);
  });

  test("no body at all is an empty one, whatever the content type says", async () => {
    const server = await start({ routes });
    const empty = {
      success: false,
      message: "The given data was invalid.",
      errors: { name: ["The name field is required."] },
      fact: { code: "input.invalid" },
      facts: { name: [{ code: "input.required", params: { field: "name" } }] },
    };
    const json = { "content-type": "application/json" };
    expect((await server.api("POST", "/api/test/echo")).body).toEqual(empty);
    expect((await server.api("POST", "/api/test/echo", undefined, { headers: json })).body).toEqual(empty);
  });

  test("a body that is no object, or tries to reach a prototype, is refused", async () => {
    const server = await start({ routes });
    const list = await server.api("POST", "/api/test/echo", []);
    expect([list.status, list.body.errors]).toEqual([422, { body: ["The body field must be an object."] }]);
    const prototype = await server.api("POST", "/api/test/echo", '{"name":"a","__proto__":{"x":1}}');
    expect([prototype.status, Object.values(prototype.body.facts).flat()]).toMatchObject([
      422,
      [{ code: "input.reserved_name" }],
    ]);
  });

  test("bytes that are not HTTP are answered with 400 and the connection is closed", async () => {
    const server = await start();
    const { port } = new URL(server.url);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write("NONSENSE\r\n\r\n"));
      let got = "";
      socket
        .on("data", (chunk) => (got += chunk))
        .on("close", () => resolve(got))
        .on("error", reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"success":false');
  });
});

const isCreated = (answer: { status: number }) => answer.status === 201;

async function lockedFile(): Promise<void> {
  const { location, remove } = await createTestDatabase("sqlite");
  const store = await openStore(location);
  const server = await start({ store });
  const other = new DatabaseSync((location as { file: string }).file);
  other.exec("begin immediate");
  const create = () => server.api("POST", "/api/domains", { url: "https://shop.test" });
  const answer = await create();
  expect([answer.status, answer.body]).toEqual([
    503,
    { success: false, message: "Service Unavailable", fact: { code: "request.unavailable" } },
  ]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await server.api("GET", "/api/health")).body.status).toBe("ok");
  other.close();
  expect((await eventually(create, isCreated)).status).toBe(201);
  await server.close();
  await store.close();
  await remove();
}

async function lostServer(): Promise<void> {
  const { location, remove } = await createTestDatabase("postgres");
  const proxy = await startProxy((location as { url: string }).url);
  const store = await openStore({ url: proxy.url });
  const server = await start({ engine: "postgres", store });
  proxy.cut();
  const answer = await server.api("GET", "/api/organizations");
  expect([answer.status, answer.body]).toEqual([
    503,
    { success: false, message: "Service Unavailable", fact: { code: "request.unavailable" } },
  ]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await server.api("GET", "/api/health")).body.status).toBe("ok");
  const ready = await server.api("GET", "/api/health?ready=1");
  expect([ready.status, ready.body.store, ready.body.engine]).toEqual([503, "unavailable", "ok"]);
  proxy.restore();
  expect((await server.api("GET", "/api/health?ready=1")).status).toBe(200);
  expect((await server.api("GET", "/api/organizations")).status).toBe(200);
  await server.close();
  await store.close();
  proxy.close();
  await remove();
}

eachEngine("without a store that works", (engine) => {
  test(
    "the API answers 503 with Retry-After while liveness stays 200, and all is well again afterwards",
    engine === "sqlite" ? lockedFile : lostServer,
  );
});

describe("every answer", () => {
  test("carries the caller's request id if it is a harmless one, else a new one", async () => {
    const server = await start();
    const idOf = async (given: string) =>
      (await server.api("GET", "/api/health", undefined, { headers: { "x-request-id": given } })).headers.get(
        "x-request-id",
      );
    expect(await idOf("abc-DEF_123")).toBe("abc-DEF_123");
    expect(await idOf("x".repeat(65))).toMatch(/^[\w-]{36}$/);
    expect(await idOf("a b")).toMatch(/^[\w-]{36}$/);
    expect((await server.api("GET", "/nothing")).headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  });

  test("forbids other sites to frame, script or read it", async () => {
    const server = await start();
    const { headers } = await server.api("GET", "/api/organizations", undefined, {
      headers: { origin: "https://evil.test" },
    });
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("content-security-policy")).not.toContain("script-src");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("is compressed when it is large and the client can take it", async () => {
    const server = await start();
    const response = await fetch(`${server.url}/openapi.json`, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(((await response.json()) as { openapi: string }).openapi).toBe("3.1.0");
  });
});

import { request } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { rpc } from "./rpc.ts";
import { startStuckTarget } from "./stuck-target.ts";

async function start(options: Partial<Parameters<typeof startTestServer>[0]> = {}) {
  const server = await startTestServer({ engine: "sqlite", ...options });
  onTestFinished(server.close);
  return server;
}

/** A POST of this very text. */
async function post(server: TestServer, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${server.key}`, ...headers },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? null : JSON.parse(text) };
}

const message = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const PING = JSON.stringify(message("ping"));

describe("a plain JSON-RPC client", () => {
  it("whose message has text that nothing may hold is answered with the field, and for which of its messages", async () => {
    const server = await start();
    const call = message("tools/call", { name: "search", arguments: { query: "a\u0000b" } }, "mine");
    const short = await post(server, JSON.stringify(call));
    expect(short).toMatchObject({
      status: 422,
      body: {
        id: "mine",
        error: { code: -32_602, message: expect.stringContaining("params.arguments.query") },
      },
    });
    const long = await post(server, JSON.stringify(call) + " ".repeat(40_000));
    expect(long.body).toEqual(short.body);
    const reserved = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"__proto__":{}}}`;
    expect((await post(server, reserved)).body).toMatchObject({
      id: 7,
      error: { code: -32_602, message: expect.stringContaining("__proto__") },
    });
  });

  it.each([
    ["application/json", { accept: "application/json" }],
    ["anything", { accept: "*/*" }],
    ["JSON and streams, of what is not a tool call", { accept: "application/json, text/event-stream" }],
  ])("that accepts %s gets plain JSON", async (_, headers) => {
    const server = await start();
    const answer = await post(server, JSON.stringify(message("tools/list")), headers);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    expect(answer.body.result.tools[0].name).toBe("list_incidents");
  });

  it("that says nothing of what it accepts gets plain JSON of a tool call", async () => {
    const server = await start();
    const { port } = new URL(server.url);
    const body = JSON.stringify(message("tools/call", { name: "get_dashboard_stats" }));
    const headers = { "content-type": "application/json", authorization: `Bearer ${server.key}` };
    // fetch would send an Accept header by itself.
    const answer = await new Promise<{ type: string | undefined; text: string }>((done, fail) => {
      const sent = request({ port, path: "/mcp", method: "POST", headers }, (response) => {
        let text = "";
        response.on("data", (part) => (text += part));
        response.on("end", () => done({ type: response.headers["content-type"], text }));
      });
      sent.on("error", fail);
      sent.end(body);
    });
    expect(answer.type).toMatch(/^application\/json/);
    expect(JSON.parse(answer.text).result.structuredContent.domains.total).toBe(0);
  });
});

describe("JSON-RPC's errors", () => {
  it.each<[string, number, number, string]>([
    ["no JSON", 400, -32_700, "{"],
    ["a wrong version", 400, -32_600, JSON.stringify({ ...message("ping"), jsonrpc: "1.0" })],
    ["no method", 400, -32_600, JSON.stringify({ jsonrpc: "2.0", id: 1 })],
    ["a method that is no text", 400, -32_600, JSON.stringify(message(7 as never))],
    ["an id that is an object", 400, -32_600, JSON.stringify(message("ping", {}, {}))],
    ["a text", 400, -32_600, '"ping"'],
    ["params that are a list", 400, -32_602, JSON.stringify(message("ping", [] as never))],
    ["an empty batch", 400, -32_600, "[]"],
    ["a batch of 21", 400, -32_600, `[${Array(21).fill(PING).join(",")}]`],
    ["a batch of one id twice", 400, -32_600, `[${PING},${PING}]`],
    ["100,000 levels", 400, -32_600, `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["40 levels of arguments", 400, -32_600, JSON.stringify(message("ping", nested(40)))],
    ["__proto__", 422, -32_602, '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}'],
    ["an unknown method", 200, -32_601, JSON.stringify(message("tools/destroy"))],
    ["an unknown tool", 200, -32_602, JSON.stringify(message("tools/call", { name: "constructor" }))],
    ["a tool whose name is a number", 200, -32_602, JSON.stringify(message("tools/call", { name: 1 }))],
    ["an unknown prompt", 200, -32_602, JSON.stringify(message("prompts/get", { name: "toString" }))],
    [
      "a resource that is not there",
      200,
      -32_602,
      JSON.stringify(message("resources/read", { uri: "vedette://domains/999999" })),
    ],
    [
      "a resource of another scheme",
      200,
      -32_602,
      JSON.stringify(message("resources/read", { uri: "file:///etc/passwd" })),
    ],
    ["an unknown cursor", 200, -32_602, JSON.stringify(message("resources/list", { cursor: "x" }))],
  ])("answers %s with %i and %i", async (_, status, code, body) => {
    const server = await start();
    const answer = await post(server, body);
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  });

  it("says of a batch of 10 MB that it is too large, and how large it may be", async () => {
    const server = await start();
    const answer = await post(server, `[${Array(200_000).fill(PING).join(",")}]`);
    expect([answer.status, answer.body.error]).toEqual([
      413,
      { code: -32_600, message: "The body is too large: at most 256 KB." },
    ]);
  });

  it("requests JSON", async () => {
    const server = await start();
    const answer = await post(server, PING, { "content-type": "text/plain" });
    expect([answer.status, answer.body.error.code]).toEqual([415, -32_600]);
  });

  it("answers each of a small batch, and says nothing of notifications", async () => {
    const server = await start();
    const batch = [
      message("ping", {}, 1),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      message("x", {}, "b"),
    ];
    const answer = await post(server, JSON.stringify(batch));
    expect(answer.body).toHaveLength(2);
    expect(answer.body).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", id: 1, result: {} },
        expect.objectContaining({ id: "b", error: expect.objectContaining({ code: -32_601 }) }),
      ]),
    );
  });

  it("takes a notification without an answer", async () => {
    const server = await start();
    const answer = await post(
      server,
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    );
    expect([answer.status, answer.body]).toEqual([202, null]);
  });

  it.each(["GET", "DELETE", "PUT"])("has nothing for %s without a session", async (method) => {
    const server = await start();
    const answer = await server.api(method, "/mcp");
    expect([answer.status, answer.headers.get("allow")?.includes("POST")]).toEqual([405, true]);
  });
});

function nested(levels: number): object {
  let inner: object = {};
  for (let level = 0; level < levels; level += 1) inner = { inner };
  return inner;
}

describe("credentials", () => {
  it.each(["initialize", "ping", "tools/list", "prompts/list", "resources/templates/list"])(
    "are not needed for %s",
    async (method) => {
      const server = await start();
      const hello = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "x", version: "1" },
      };
      const answer = await rpc(server, method, method === "initialize" ? hello : {}, { key: null });
      expect(answer.body).toHaveProperty("result");
    },
  );

  it.each(["tools/call", "resources/list", "resources/read", "prompts/get", "subscriptions/listen"])(
    "are needed for %s, and the 401 says where they come from",
    async (method) => {
      const server = await start();
      const answer = await rpc(server, method, { name: "get_dashboard_stats" }, { key: null });
      expect([answer.status, answer.body.error.message]).toEqual([401, "Unauthenticated."]);
      expect(answer.headers.get("www-authenticate")).toContain(
        `resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`,
      );
    },
  );

  it("may not be a cookie: no page can have a browser call a tool", async () => {
    const server = await start();
    const headers = { cookie: "vedette_session=whatever" };
    const answer = await rpc(server, "tools/call", { name: "get_dashboard_stats" }, { key: null, headers });
    expect(answer.status).toBe(401);
  });

  it("must be right, also for what needs none", async () => {
    const server = await start();
    expect((await rpc(server, "ping", {}, { key: `vdt_${"x".repeat(43)}` })).status).toBe(401);
    expect((await rpc(server, "ping", {}, { key: `vda_${"x".repeat(43)}` })).status).toBe(401);
  });
});

describe("Origin and Host", () => {
  const statusOf = (server: TestServer, headers: Record<string, string>) =>
    new Promise<number>((done, fail) => {
      const { port } = new URL(server.url);
      const sent = request(
        { port, path: "/mcp", method: "POST", headers: { "content-type": "application/json", ...headers } },
        (response) => {
          response.resume();
          done(response.statusCode ?? 0);
        },
      );
      sent.on("error", fail);
      sent.end(PING);
    });

  it.each([
    ["another Host, as when a name was made to mean this machine", 403, { host: "evil.example" }],
    ["another site's Origin", 403, { origin: "https://evil.example" }],
    ["an Origin of this name at another port", 403, { origin: "http://127.0.0.1:1" }],
    ["the Origin null", 403, { origin: "null" }],
    ["neither", 200, {}],
  ])("refuses, where only this machine is served, %s (%i)", async (_, status, headers) => {
    expect(await statusOf(await start(), headers as Record<string, string>)).toBe(status);
  });

  it("takes the published name alone, where there is one", async () => {
    const server = await start({ config: { publicUrl: "https://monitoring.example" } });
    expect(await statusOf(server, { host: "monitoring.example" })).toBe(200);
    expect(await statusOf(server, { host: "monitoring.example", origin: "https://monitoring.example" })).toBe(
      200,
    );
    expect(await statusOf(server, { host: "other.example" })).toBe(403);
    expect(await statusOf(server, { host: "monitoring.example", origin: "https://other.example" })).toBe(403);
  });
});

describe("limits", () => {
  it("take a tool's name that is no text for one that is wrong", async () => {
    const server = await start();
    const call = message("tools/call", { name: { toString: 1, valueOf: 1 } });
    expect((await post(server, JSON.stringify(call))).body.error.code).toBe(-32_602);
  });

  it("count a tool as the endpoint of its verb, with 429 and when to come back", async () => {
    const server = await start({ config: { rateLimits: true } });
    const call = () =>
      rpc(server, "tools/call", { name: "look_up_dns", arguments: { domain: "x".repeat(300) } });
    for (let n = 0; n < 60; n += 1) expect((await call()).status).toBe(200);
    const answer = await call();
    expect([answer.status, answer.body.error.message]).toEqual([429, "Too Many Attempts."]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await rpc(server, "tools/call", { name: "get_dashboard_stats" })).status).toBe(200);
  });

  it("count notifications as well, of anonymous clients and of callers", async () => {
    const server = await start({ config: { rateLimits: true } });
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const batch = JSON.stringify(Array.from({ length: 20 }, () => cancelled));
    const statuses = async (times: number, headers: Record<string, string>) => {
      const all = new Set<number>();
      for (let n = 0; n < times; n += 1) all.add((await post(server, batch, headers)).status);
      return [...all];
    };
    expect(await statuses(61, {})).toEqual([202, 429]);
    const asOutsider = () =>
      fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: batch,
      });
    for (let n = 0; n < 6; n += 1) expect((await asOutsider()).status).toBe(202);
    expect((await asOutsider()).status).toBe(429);
  });

  it("give a person back what clients that went away had under way", async () => {
    const server = await start();
    for (let round = 0; round < 3; round += 1) {
      const target = await startStuckTarget();
      const leaving = new AbortController();
      const call = { name: "Slow", url: target.url, timeout: 60, checkInterval: 300 };
      const batch = Array.from({ length: 20 }, (_, id) =>
        message("tools/call", { name: "domain_test", arguments: call }, id),
      );
      const sent = fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${server.key}` },
        body: JSON.stringify(batch),
        signal: leaving.signal,
      }).then(
        ({ status }) => status,
        () => "gone",
      );
      await target.connected;
      leaving.abort();
      expect(await sent).toBe("gone");
      await expect
        .poll(async () => (await rpc(server, "tools/call", { name: "get_dashboard_stats" })).status)
        .toBe(200);
    }
  });
});

eachEngine("twenty calls under way", (engine) => {
  it("are a person's most, however many come together, and no one else's", async () => {
    const sockets = new Set<Socket>();
    const target = createServer((socket) => void sockets.add(socket.on("error", () => {})));
    await new Promise<void>((listening) => target.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void target.close());
    const server = await start({ engine });
    const { port } = target.address() as AddressInfo;
    const given = { name: "Slow", url: `http://127.0.0.1:${port}/`, timeout: 60, checkInterval: 300 };
    // What a cancellation does takes a while on PostgreSQL: the call beside it runs later than it is let in.
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "other" } };
    const statuses: number[] = [];
    const calls = Array.from({ length: 60 }, async (_, id) => {
      const call = message("tools/call", { name: "domain_test", arguments: given }, id);
      statuses.push((await post(server, JSON.stringify([cancelled, call]))).status);
    });
    await expect.poll(() => sockets.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(20);
    await expect.poll(() => statuses.length + sockets.size, { timeout: 20_000 }).toBe(60);
    expect(statuses).toEqual(Array(40).fill(429));
    const other = await server.createKey({ person: await server.createOrganization() });
    expect((await rpc(server, "tools/call", { name: "get_dashboard_stats" }, { key: other })).status).toBe(
      200,
    );
    target.close();
    for (const socket of sockets) socket.destroy();
    await Promise.all(calls);
    expect(statuses.slice(40)).toEqual(Array(20).fill(200));
    const batch = Array.from({ length: 20 }, (_, id) =>
      message("tools/call", { name: "get_dashboard_stats" }, id),
    );
    expect((await post(server, JSON.stringify(batch))).body).toHaveLength(20);
  });
});

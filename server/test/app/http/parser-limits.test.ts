import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../../src/app/http/server.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { serverWithHeartbeat, TOKEN } from "../../monitors/heartbeats/heartbeat-setup.ts";
import { converse, rawRequest, sendRaw } from "../../platform/http/raw-client.ts";

async function start(more: Partial<TestServerOptions> = {}) {
  const server = await startTestServer({ engine: "sqlite", alone: true, ...more });
  onTestFinished(server.close);
  const made = { requests: 0, chunks: 0 };
  server.app.server.on("request", (request: IncomingMessage) => {
    made.requests += 1;
    const push = request.push.bind(request);
    request.push = (chunk: unknown) => {
      made.chunks += 1;
      return push(chunk);
    };
  });
  /** Parsers go from one connection to the next. */
  const areOthersFine = async () => {
    const signIn = () =>
      server.api(
        "POST",
        "/api/auth/sign-in",
        { email: "ada@example.com" },
        { headers: { connection: "close" } },
      );
    return new Set((await Promise.all(Array.from({ length: 10 }, signIn))).map(({ status }) => status));
  };
  return { server, made, areOthersFine };
}

const CHUNKED = rawRequest(
  "POST /api/auth/sign-in",
  "Content-Type: application/json",
  "Transfer-Encoding: chunked",
  "Connection: close",
);
const chunks = (count: number, text: string) => `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);

test("of the requests that a connection sends without waiting, twenty are answered and the rest cost nothing", async () => {
  const { server, made, areOthersFine } = await start();
  const { text } = await sendRaw(server.url, rawRequest("GET /api/health").repeat(500));
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(20);
  expect(text.match(/^connection: close/gim)).toHaveLength(1);
  expect(made.requests).toBe(20);
  expect(await areOthersFine()).toEqual(new Set([422]));
});

const SIGN_IN = '{"email":"ada@example.com"}';
const post = (...headers: string[]) =>
  rawRequest("POST /api/auth/sign-in", "Content-Type: application/json", ...headers);
const POST = `${post(`Content-Length: ${SIGN_IN.length}`)}${SIGN_IN}`;
const POST_CHUNKED = `${post("Transfer-Encoding: chunked")}${chunks(1, SIGN_IN)}0\r\n\r\n`;
const GET = rawRequest("GET /api/health");

test.each([
  ["25 with bodies", POST.repeat(25), 422],
  ["25 with bodies in chunks", POST_CHUNKED.repeat(25), 422],
  ["20 without and one with a body", GET.repeat(20) + POST, 200],
  ["20 without and one with a body in chunks", GET.repeat(20) + POST_CHUNKED, 200],
  ["19 without, and those with a body from the twentieth on", GET.repeat(19) + POST.repeat(6), 200],
])("of %s, the first twenty are answered", async (_name, bytes, first) => {
  const { server, made, areOthersFine } = await start();
  const { status, text, error } = await sendRaw(server.url, bytes);
  expect([status, error]).toEqual([first, null]);
  // With bodies a few may have been answered before the last of them came: only those that wait are counted.
  const answered = text.match(/HTTP\/1\.1 (?:200|422) /g)?.length;
  expect(answered).toBeGreaterThanOrEqual(20);
  expect(answered).toBe(made.requests);
  expect(text.match(/^connection: close/gim)).toHaveLength(1);
  expect(await areOthersFine()).toEqual(new Set([422]));
});

test("requests one after the other over one connection are answered, however many there are", async () => {
  const { server, made } = await start();
  const few = rawRequest("GET /api/health").repeat(9);
  const { text } = await sendRaw(server.url, `${few}${rawRequest("GET /api/health", "Connection: close")}`);
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(10);
  for (let n = 0; n < 40; n += 1) expect((await server.api("GET", "/api/health")).status).toBe(200);
  expect(made.requests).toBe(50);
});

test.each([
  ["of a byte each", chunks(20_000, "[")],
  ["that become tiny", chunks(1, " ".repeat(60_000)) + chunks(20_000, "[")],
])(
  "a body of chunks %s is refused once that is known, and the rest of it costs nothing",
  async (_name, body) => {
    const { server, made, areOthersFine } = await start();
    const { status, json } = await sendRaw(server.url, CHUNKED + body);
    expect([status, json]).toMatchObject([400, { success: false, fact: { code: "request.unreadable" } }]);
    expect(made.chunks).toBeLessThanOrEqual(2_000);
    expect(await areOthersFine()).toEqual(new Set([422]));
  },
);

test("a body of many small chunks is read whole", async () => {
  const { server } = await start();
  const body = chunks(2_900, " ".repeat(20)) + chunks(1, '{"email":"ada@example.com"}');
  expect(await sendRaw(server.url, `${CHUNKED}${body}0\r\n\r\n`)).toMatchObject({
    status: 422,
    json: { facts: { password: [{ code: "input.required" }] } },
  });
});

describe("a heartbeat that sends its log in chunks", () => {
  const heartbeat = (uuid: string) =>
    rawRequest(`POST /api/heartbeats/${uuid}/${TOKEN}`, "Transfer-Encoding: chunked", "Connection: close");

  test("line by line is counted, however many lines there are", async () => {
    const on = await serverWithHeartbeat("sqlite");
    let received = 0;
    let onReceived = () => {};
    on.server.app.server.on("request", (request: IncomingMessage) => {
      const push = request.push.bind(request);
      request.push = (chunk: unknown) => {
        received += 1;
        setImmediate(() => onReceived());
        return push(chunk);
      };
    });
    const answer = await converse(on.server.url, async (socket) => {
      socket.setNoDelay(true).write(heartbeat(on.uuid));
      for (let sent = 0; sent < 1_200; sent += 20) {
        const { promise, resolve } = Promise.withResolvers<void>();
        onReceived = () => received >= sent + 20 && resolve();
        socket.write(chunks(20, "line 1\n"));
        await promise;
      }
      socket.write("0\r\n\r\n");
    });
    expect([answer.status, answer.json?.data]).toMatchObject([200, { counted: true }]);
    expect(await on.state()).toBe("up");
  });

  test.each([
    ["in tiny chunks at once", chunks(20_000, "[")],
    ["that are malformed", `${chunks(3, "a line\n")}no size\r\n`],
  ])("%s is counted as far as it came", async (_name, body) => {
    const on = await serverWithHeartbeat("sqlite");
    const answer = await sendRaw(on.server.url, heartbeat(on.uuid) + body);
    expect([answer.status, answer.json?.data]).toMatchObject([200, { counted: true }]);
    expect(answer.text).toMatch(/^connection: close/im);
    expect(await on.state()).toBe("up");
  });
});

test.each([
  ["is whole JSON", `${chunks(20_000, " ")}0\r\n\r\n`],
  ["goes on", chunks(20_000, " ")],
])("a refused body that %s leaves no warning in the log", async (_name, body) => {
  const lines: string[] = [];
  const stream = new PassThrough().on("data", (line: Buffer) => lines.push(String(line)));
  const { server } = await start({ log: createLogger("warn", stream) });
  expect((await sendRaw(server.url, CHUNKED + body)).status).toBe(400);
  expect((await server.api("GET", "/api/health")).status).toBe(200);
  expect(lines).toEqual([]);
});

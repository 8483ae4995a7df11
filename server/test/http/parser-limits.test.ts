import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { rawRequest, sendRaw } from "./raw-client.ts";

async function start() {
  const server = await startTestServer({ engine: "sqlite", alone: true });
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

import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../harness/server.ts";
import { converse, rawRequest as request, sendRaw } from "./raw-client.ts";

async function start(more: Partial<TestServerOptions> = {}) {
  const server = await startTestServer({ engine: "sqlite", ...more });
  onTestFinished(server.close);
  return server;
}

const CREATE = '{"url":"http://127.0.0.1:1/","name":"Shop"}';

/** POST /api/domains with so many bytes of body to come. */
const head = (server: TestServer, length: number, ...more: string[]) =>
  request(
    "POST /api/domains",
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    `Authorization: Bearer ${server.key}`,
    ...more,
  );

const statuses = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => Number(line.slice(-3)));

/** Another client, which sends no body: by the time that it was cut off, the rate of all was looked at. */
async function cutAnother(server: TestServer): Promise<void> {
  const { status } = await converse(server.url, (socket) => void socket.write(head(server, 9)));
  expect(status).toBe(408);
}

describe("a request that takes too long", () => {
  const SLOW = { requestMs: 700, headersMs: 300, checkMs: 20 };
  const MESSAGE = "The request took too long to arrive.";
  const drip = (socket: Socket, byte: string) => {
    const timer = setInterval(() => socket.write(byte), 20);
    socket.on("close", () => clearInterval(timer));
  };

  test("to send its header is cut off with 408", async () => {
    const server = await start({ limits: { ...SLOW, requestMs: 60_000 } });
    const answer = await converse(server.url, (socket) => {
      socket.write("GET / HTTP/1.1\r\nHost: a\r\nX: ");
      drip(socket, "a");
    });
    expect([answer.status, answer.json]).toEqual([
      408,
      { success: false, message: MESSAGE, fact: { code: "request.slow" } },
    ]);
  });

  test("to say anything at all is cut off", async () => {
    const server = await start({ limits: { ...SLOW, requestMs: 60_000 } });
    expect((await converse(server.url, () => {})).status).toBe(408);
  });

  test.each([
    ["is cut off after its time, however steadily it comes", { ...SLOW, slowAfterMs: 60_000 }],
    [
      "is cut off sooner when it comes too slowly",
      { slowAfterMs: 100, leastBytesPerSecond: 500, checkMs: 20 },
    ],
  ])("to send its body %s, with 408 in the envelope", async (_name, limits) => {
    const server = await start({ limits });
    const answer = await converse(server.url, (socket) => {
      socket.write(`${head(server, 99_999)}{"name":"`);
      drip(socket, "a");
    });
    expect([answer.status, answer.json]).toEqual([
      408,
      { success: false, message: MESSAGE, fact: { code: "request.slow" } },
    ]);
    expect(answer.text).toMatch(/\r\nx-request-id: [\w-]{36}\r\n/i);
    expect(server.problems).toEqual([]);
  });

  test("is cut off without a second answer when it was answered before", async () => {
    const server = await start({ limits: { ...SLOW, dropIdleMs: 60_000 } });
    const answer = await converse(server.url, (socket) => {
      socket.write(request("POST /api/domains", "Content-Length: 99999"));
      drip(socket, "a");
    });
    expect(answer.text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 401"]);
  });

  test("is not one that was here in time and is read late", async () => {
    const held = Promise.withResolvers<void>();
    const server = await start({
      limits: { slowAfterMs: 50, leastBytesPerSecond: 500, checkMs: 10 },
      routes: (app) => {
        app.addHook("onRequest", ({ method }) => (method === "POST" ? held.promise : Promise.resolve()));
      },
    });
    const key = `Authorization: Bearer ${server.key}`;
    const slow = request("PUT /api/domains/1", "Content-Type: application/json", "Content-Length: 9", key);
    const answer = await converse(server.url, (socket) => {
      socket.write(`${request("POST /nothing", "Content-Length: 2")}{}`);
      socket.once("data", () => socket.write(request("GET /api/health", "Connection: close")));
      // One that is slow, and came later, has been cut off by then.
      void sendRaw(server.url, `${slow}{`).then(({ status }) => status === 408 && held.resolve());
    });
    expect(answer.text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 200"]);
  });

  test.each([
    ["is no HTTP", "FOO / HTTP/1.1\r\n\r\n"],
    ["requests a tunnel", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n"],
    [
      "was cut off for its time",
      request("POST /api/auth/sign-in", "Content-Type: application/json", "Transfer-Encoding: chunked"),
    ],
  ])("is dropped for so long only when it %s, however steadily more comes", async (_name, bytes) => {
    const server = await start({ limits: { ...SLOW, requestMs: 300, dropMs: 500, dropIdleMs: 60_000 } });
    const answer = await converse(
      server.url,
      (socket) => {
        socket.write(bytes);
        drip(socket, "a");
      },
      true,
    );
    expect(answer.text.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
  });

  test("does not mean an answer that does: streams go on", async () => {
    const server = await start({ limits: { ...SLOW, requestMs: 300 } });
    const leaving = new AbortController();
    const stream = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${server.key}` },
      signal: leaving.signal,
    });
    // Meanwhile another connection reaches the limit.
    await converse(server.url, () => {});
    await converse(server.url, () => {});
    await server.api("POST", "/api/domains", { url: "http://127.0.0.1:1/", name: "A" });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    let got = "";
    await eventually(
      async () => (got += Buffer.from((await reader.read()).value ?? []).toString()),
      (text) => text.includes("monitor.changed"),
    );
    leaving.abort();
  });
});

describe("the rate of a body", () => {
  const limits = { slowAfterMs: 60, leastBytesPerSecond: 500, checkMs: 5, requestMs: 60_000 };

  test("is not limited in its first seconds", async () => {
    const server = await start({
      limits: { ...limits, slowAfterMs: 60_000, leastBytesPerSecond: 1e9, headersMs: 100 },
    });
    const { text } = await converse(server.url, async (socket) => {
      socket.write(head(server, CREATE.length, "Connection: close"));
      // Says nothing, and is cut off after a hundred milliseconds of looking.
      await converse(server.url, () => {});
      socket.write(CREATE);
    });
    expect(statuses(text)).toEqual([201]);
  });

  test("is its average: it may pause when much has come", async () => {
    const server = await start({ limits });
    const padding = " ".repeat(100_000);
    const { text } = await converse(server.url, async (socket) => {
      const begun = once(server.app.server, "request");
      socket.write(head(server, padding.length + CREATE.length, "Connection: close"));
      await begun;
      socket.write(padding);
      await cutAnother(server);
      socket.write(CREATE);
    });
    expect(statuses(text)).toEqual([201]);
  });

  test("is that of one request, whatever came over its connection before", async () => {
    const server = await start({ limits });
    const padding = " ".repeat(200_000);
    const { text } = await converse(server.url, (socket) => {
      socket.write(`${head(server, padding.length + CREATE.length)}${padding}${CREATE}`);
      socket.once("data", () => socket.write(head(server, 9)));
    });
    expect(statuses(text)).toEqual([201, 408]);
  });

  test("is of no account once it was answered: the rest is dropped at any rate", async () => {
    const server = await start({ limits: { ...limits, dropIdleMs: 60_000 } });
    const { text } = await converse(server.url, (socket) => {
      socket.write(request("POST /api/domains", "Content-Length: 5"));
      socket.once("data", async () => {
        await cutAnother(server);
        socket.write(`12345${request("GET /api/health", "Connection: close")}`);
      });
    });
    expect(statuses(text)).toEqual([401, 200]);
  });
});

import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../../harness/server.ts";
import { converse, sendRaw } from "./raw-client.ts";

const HEAD = "HTTP/1.1\r\nHost: a\r\n";
const CHUNKED = `${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const ID = /^[\w-]{36}$/;

async function start(publicUrl: string | null = null) {
  const server = await startTestServer({ engine: "sqlite", config: { publicUrl } });
  onTestFinished(server.close);
  return server;
}

describe("a request that cannot be read", () => {
  test.each(["/api/domains/%zz", "/%E0%A4%A", "/api/domains/%ED%A0%80"])(
    "by its address %s is answered with 400 and a request id",
    async (path) => {
      const server = await start();
      for (const method of ["GET", "PUT"]) {
        const { status, body, headers } = await server.api(method, path);
        expect([status, body]).toEqual([
          400,
          {
            success: false,
            message: "The address of the request cannot be read.",
            fact: { code: "request.address" },
          },
        ]);
        expect(headers.get("x-request-id")).toMatch(ID);
        expect(headers.get("x-content-type-options")).toBe("nosniff");
      }
    },
  );

  test("by the name of a parameter is answered with 400 where no parameters are described", async () => {
    const server = await start();
    for (const path of ["/api/auth/state", "/api/auth/me"]) {
      expect(await server.api("GET", `${path}?%00=1`)).toMatchObject({
        status: 400,
        body: {
          success: false,
          message: "The address of the request cannot be read.",
          fact: { code: "request.address" },
        },
      });
    }
    expect((await server.api("GET", "/api/domains?%00=1")).status).toBe(422);
  });

  test.each([
    [
      "because it is no HTTP",
      "FOO / HTTP/1.1\r\n\r\n",
      400,
      "request.unreadable",
      "The request could not be read.",
    ],
    [
      "without a Host",
      "GET /api/health HTTP/1.1\r\n\r\n",
      400,
      "request.host",
      "The request must have one Host header.",
    ],
    [
      "with two of them",
      "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
      400,
      "request.host",
      "The request must have one Host header.",
    ],
    [
      "with an expectation that is not supported",
      `GET / ${HEAD}Expect: cake\r\n\r\n`,
      417,
      "request.expectation",
      "Only Expect: 100-continue can be met.",
    ],
    [
      "with a body that is compressed on the way",
      `POST /api/auth/sign-in ${HEAD}Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      501,
      "request.coding",
      "Only the transfer coding chunked is supported.",
    ],
    [
      "that requests a tunnel",
      "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n",
      405,
      "request.method",
      "Method not allowed.",
    ],
    [
      "with too large a header",
      `GET / ${HEAD}X: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "request.header",
      "The header of the request is too large: at most 16 KB.",
    ],
    [
      "with too long extensions of a chunk",
      `POST /api/auth/sign-in ${CHUNKED}1;${"x".repeat(20_000)}`,
      413,
      "request.large",
      "The body is too large: at most 256 KB.",
    ],
    [
      "with a chunk of no size",
      `POST /api/auth/sign-in ${CHUNKED}x\r\n`,
      400,
      "request.unreadable",
      "The request could not be read.",
    ],
  ])("%s is refused in the envelope, with a request id", async (_name, bytes, status, code, message) => {
    const server = await start();
    const answer = await sendRaw(server.url, bytes.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    expect([answer.status, answer.json, answer.error]).toEqual([
      status,
      { success: false, message, fact: { code, ...(status === 413 && { params: { limit: 256 } }) } },
      null,
    ]);
    expect(answer.text).toMatch(/\r\nx-request-id: [\w-]{36}\r\n/i);
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(server.problems).toEqual([]);
  });

  test("is not what one of HTTP/1.0 without a Host is, nor one that waits for a 100-continue", async () => {
    const server = await start();
    const old = await sendRaw(server.url, "GET /api/health HTTP/1.0\r\n\r\n");
    expect(old.status).toBe(200);
    const head = `POST /api/auth/sign-in ${HEAD}Content-Type: application/json\r\nExpect: 100-continue\r\n`;
    const waiting = await sendRaw(server.url, `${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`);
    expect(waiting.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 100", "HTTP/1.1 422"]);
  });

  test("behind one that was, on the same connection, ends it without spoiling the first answer", async () => {
    const server = await start();
    const { text } = await converse(server.url, (socket) => {
      socket.write(`GET /api/health ${HEAD}\r\n`);
      socket.once("data", () => socket.write("nonsense\r\n\r\n"));
    });
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
  });
});

test.each([
  ["nonsense", "nonsense\r\n\r\n", 400],
  ["a request for a tunnel", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n", 405],
])("%s sent along with requests that can be read is answered after those", async (_name, rest, status) => {
  const server = await start();
  const body = '{"name":"Shop","url":"http://127.0.0.1:1/"}';
  const head = `POST /api/domains ${HEAD}Authorization: Bearer ${server.key}\r\nContent-Type: application/json\r\n`;
  const create = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const { text, error } = await sendRaw(server.url, `${create}GET /api/health ${HEAD}\r\n${rest}`);
  expect([text.match(/HTTP\/1\.1 \d+/g), error]).toEqual([
    ["HTTP/1.1 201", "HTTP/1.1 200", `HTTP/1.1 ${status}`],
    null,
  ]);
  expect(server.problems).toEqual([]);
});

test.each(["along with", "after the answer before"])(
  "nonsense sent %s a request whose answer takes long does not come in the middle of it",
  async (when) => {
    const going = Promise.withResolvers<void>();
    const server = await startTestServer({
      engine: "sqlite",
      routes: (app) => {
        app.addHook("onRequest", ({ method }) => (method === "POST" ? going.promise : Promise.resolve()));
      },
    });
    onTestFinished(server.close);
    server.app.server.once("clientError", () => setImmediate(going.resolve));
    const rest = "nonsense\r\n\r\n";
    const { text, error } = await converse(server.url, (socket) => {
      socket.write(`GET /api/health ${HEAD}\r\nPOST /nothing ${HEAD}Content-Length: 2\r\n\r\n{}`);
      if (when === "along with") socket.write(rest);
      else socket.once("data", () => socket.write(rest));
    });
    const statuses = ["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 400"];
    expect([text.match(/HTTP\/1\.1 \d+/g), error]).toEqual([statuses, null]);
  },
);

test.each([
  ["body", `POST /api/auth/sign-in ${HEAD}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`],
  ["chunk", `POST /api/auth/sign-in ${CHUNKED}`],
])(
  "a client that leaves in the middle of a %s does no harm to the server, nor to an answer",
  async (_name, bytes) => {
    const server = await start();
    const { app } = server;
    const left = Promise.withResolvers<boolean>();
    app.server.once("request", (request: IncomingMessage, response: ServerResponse) => {
      response.once("close", () => left.resolve(response.headersSent));
      // The body's reader has begun by then.
      request.once("resume", () => setImmediate(() => socket.resetAndDestroy()));
    });
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.write(bytes));
    expect(await left.promise).toBe(false);
    await new Promise(setImmediate);
    expect(server.problems).toEqual([]);
  },
);

test("an id longer than any is unknown, whatever the method", async () => {
  const server = await start();
  for (const method of ["GET", "PUT", "DELETE"]) {
    const { status, body, headers } = await server.api(method, `/api/domains/${"x".repeat(3000)}`);
    expect([method, status, body]).toEqual([
      method,
      404,
      { success: false, message: "Resource not found.", fact: { code: "request.not_found" } },
    ]);
    expect(headers.get("x-request-id")).toMatch(ID);
  }
});

test("browsers have to insist on TLS for this host only, and only where it has TLS", async () => {
  const secure = await start("https://status.example.org");
  const { headers } = await secure.api("GET", "/api/health");
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  const plain = await start("http://status.example.org");
  expect((await plain.api("GET", "/api/health")).headers.get("strict-transport-security")).toBeNull();
});

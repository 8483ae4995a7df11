import { Agent, request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RequestLimits } from "../../../src/platform/http/errors.ts";
import { startTestServer, type TestServerOptions } from "../../harness/server.ts";
import { converse, rawRequest as request, sendRaw } from "./raw-client.ts";

const BODY = Buffer.alloc(6 * 1024 * 1024, "a");
const TRIES = 12;

async function start(more: Partial<TestServerOptions> = {}) {
  const server = await startTestServer({ engine: "sqlite", ...more });
  onTestFinished(server.close);
  return server;
}

const whole = (line: string, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(request(line, `Content-Length: ${BODY.length}`, "Connection: close", ...headers)),
    BODY,
  ]);

describe("an answer that comes before the body is all there", () => {
  test.each([
    ["413", "POST /api/domains", 413, true],
    ["401", "POST /api/domains", 401, false],
    ["404", "POST /nothing", 404, false],
    ["405", "DELETE /api/health", 405, false],
  ])("%s reaches a client that reads only once it has written all", async (_name, line, status, withKey) => {
    const server = await start();
    const headers = withKey ? ["Content-Type: application/json", `Authorization: Bearer ${server.key}`] : [];
    for (let tried = 0; tried < TRIES; tried++) {
      const { json, ...answer } = await sendRaw(server.url, whole(line, ...headers), true);
      expect([answer.status, answer.error, json?.success]).toEqual([status, null, false]);
    }
  });

  test("415 and 429 do as well", async () => {
    const server = await start({ config: { rateLimits: true } });
    // Twenty writes a minute.
    const key = await server.createKey({ plan: "free" });
    const seen: unknown[] = [];
    for (let tried = 0; tried < 20 + TRIES; tried++) {
      const headers = ["Content-Type: text/csv", `Authorization: Bearer ${key}`];
      const { status, error } = await sendRaw(server.url, whole("POST /api/domains", ...headers), true);
      seen.push(error ?? status);
    }
    expect(seen).toEqual([...Array(20).fill(415), ...Array(TRIES).fill(429)]);
  });

  test("a body in chunks that grows too large is refused as well", async () => {
    const server = await start();
    const head = request(
      "POST /api/domains",
      "Content-Type: application/json",
      `Authorization: Bearer ${server.key}`,
      "Transfer-Encoding: chunked",
    );
    const chunk = `40000\r\n${"a".repeat(0x40000)}\r\n`;
    for (let tried = 0; tried < TRIES; tried++) {
      const answer = await sendRaw(server.url, `${head}${chunk.repeat(20)}0\r\n\r\n`, true);
      expect([answer.status, answer.error, answer.json?.message]).toEqual([
        413,
        null,
        "The body is too large: at most 256 KB.",
      ]);
    }
  });

  test("a header that is too large is refused as well", async () => {
    const server = await start();
    for (let tried = 0; tried < TRIES; tried++) {
      const answer = await sendRaw(server.url, request("GET /", `X-A: ${"a".repeat(2 * 1024 * 1024)}`), true);
      expect([answer.status, answer.error]).toEqual([431, null]);
    }
  });

  test("goes out at once, and the connection serves the next request once the body has come", async () => {
    const server = await start();
    const { text } = await converse(server.url, (socket) => {
      socket.write(request("POST /api/domains", "Content-Length: 5"));
      socket.once("data", () => {
        socket.write(`12345${request("GET /api/health", "Connection: close")}`);
      });
    });
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });
});

describe("the rest of a body that is not wanted", () => {
  const limits: Partial<RequestLimits> = { dropBytes: 1024 * 1024, dropIdleMs: 200 };

  test("is read up to a bound", async () => {
    const server = await start({ limits });
    const endless = (socket: Socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(BODY.subarray(0, 65_536)));
      };
      socket.on("drain", more);
      more();
    };
    for (const connection of ["close", "keep-alive"]) {
      const answer = await converse(
        server.url,
        (socket) => {
          socket.write(
            request("POST /api/domains", "Content-Length: 999999999999", `Connection: ${connection}`),
          );
          endless(socket);
        },
        true,
      );
      expect(["ECONNRESET", "EPIPE"]).toContain(answer.error);
    }
  });

  test("leaves nothing behind on a connection that carries many requests", async () => {
    const counts: number[] = [];
    const server = await start();
    server.app.server.on("request", ({ socket }) => counts.push(socket.listenerCount("close")));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    // Larger than what is read together with the header.
    const body = Buffer.alloc(600_000, "a");
    for (let sent = 0; sent < 12; sent += 1) {
      const answered = await new Promise<number>((resolve, reject) => {
        const options = { agent, method: "POST", headers: { "content-length": body.length } };
        const posted = httpRequest(`${server.url}/nothing`, options, (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
        });
        posted.on("error", reject).end(body);
      });
      expect(answered).toBe(404);
    }
    expect(new Set(counts).size).toBeLessThanOrEqual(2);
    expect(counts).toHaveLength(12);
  });

  test("is waited for only as long as it comes", async () => {
    const server = await start({ limits });
    const answer = await sendRaw(
      server.url,
      request("POST /api/domains", "Content-Length: 9", "Connection: close"),
    );
    expect([answer.status, answer.error]).toEqual([401, null]);
  });

  test("keeps no server from closing", async () => {
    const server = await startTestServer({ engine: "sqlite" });
    const answered = Promise.withResolvers<void>();
    const ended = converse(server.url, (socket) => {
      socket.write(request("POST /api/domains", "Content-Length: 9"));
      socket.once("data", () => answered.resolve());
    });
    await answered.promise;
    await server.close();
    expect((await ended).status).toBe(401);
  });

  test("nor does it when it is answered while the server is closing", async () => {
    const requested = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    const server = await startTestServer({
      engine: "sqlite",
      limits: { dropIdleMs: 60_000 },
      routes: (app) => {
        app.addHook("onRequest", async ({ method }) => {
          if (method !== "POST") return;
          requested.resolve();
          await going.promise;
        });
        app.addHook("preClose", async () => going.resolve());
      },
    });
    const head = request("POST /nothing", "Content-Length: 9");
    const ended = converse(server.url, (socket) => void socket.write(head));
    await requested.promise;
    await server.close();
    expect((await ended).status).toBe(404);
  });
});

import { createHash } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { checkWebsocket } from "../../src/checks/websocket.ts";
import { eventually } from "../harness/eventually.ts";
import { startLineTarget } from "../harness/line-target.ts";
import { readable } from "../harness/reasons.ts";
import { closing, makeNetwork } from "./factories.ts";

type Config = Parameters<typeof checkWebsocket.run>[0];

const run = async (config: Omit<Config, "host">, timeoutMs = 5000) =>
  readable(
    await checkWebsocket.run(
      { host: "127.0.0.1", tls: false, ...config },
      { network: await makeNetwork(), timeoutMs },
    ),
  );

/** A real server that answers each message with a given text, and records the handshakes. */
async function serve(answers: (said: string) => (string | Buffer)[], greeting: string[] = []) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", path: "/socket" });
  const handshakes: { url: string | undefined; headers: object }[] = [];
  server.on("connection", (socket, { url, headers }) => {
    handshakes.push({ url, headers });
    for (const one of greeting) socket.send(one);
    socket.on("message", (said: Buffer) => {
      for (const one of answers(said.toString())) socket.send(one);
    });
  });
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, handshakes };
}

const path = "/socket?room=1";

describe("a check of a WebSocket", () => {
  test("passes with the handshake, and sends its headers", async () => {
    const { port, handshakes } = await serve(() => []);
    expect(await run({ port, path, headers: { "X-Key": "open-sesame" } })).toMatchObject({
      verdict: "ok",
      reason: null,
      address: "127.0.0.1",
    });
    expect(handshakes).toMatchObject([{ url: path, headers: { "x-key": "open-sesame" } }]);
  });

  test("fails where the server chooses none of the requested subprotocols, or another one", async () => {
    const choosing = async (chosen: string | null) => {
      const server = closing(
        await startLineTarget((socket) => {
          socket.once("data", (bytes) => {
            const key = /sec-websocket-key: (\S+)/i.exec(bytes.toString())?.[1] ?? "";
            const accept = createHash("sha1")
              .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
              .digest("base64");
            const choice = chosen === null ? "" : `Sec-WebSocket-Protocol: ${chosen}\r\n`;
            socket.write(
              `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${choice}Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
            );
          });
        }),
      );
      return { port: server.port, headers: { "Sec-WebSocket-Protocol": "graphql-ws, mqtt" } };
    };
    expect(await run(await choosing("mqtt"))).toMatchObject({ verdict: "ok", reason: null });
    const none = await choosing(null);
    expect(await run(none)).toMatchObject({
      reasonCode: "protocol",
      reason: `127.0.0.1:${none.port} chose none of the requested subprotocols: graphql-ws, mqtt.`,
    });
    const other = await choosing("stomp");
    const chose = `127.0.0.1:${other.port} chose the subprotocol "stomp", which was not requested.`;
    expect((await run(other)).reason).toBe(chose);
    expect((await run({ port: other.port })).reason).toBe(chose);
    expect(await run({ port: none.port })).toMatchObject({ verdict: "ok" });
  });

  test("sends no header twice, however its name is written, and takes its leave", async () => {
    const closed = Promise.withResolvers<number>();
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    const hosts: string[] = [];
    server.on("connection", (socket, { rawHeaders }) => {
      hosts.push(
        ...rawHeaders.filter((_, at) => at % 2 === 1 && /^(host|upgrade)$/i.test(rawHeaders[at - 1] ?? "")),
      );
      socket.on("close", (code) => closed.resolve(code));
    });
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const headers = { HOST: "shop.example", Upgrade: "other" };
    expect(await run({ port, headers })).toMatchObject({ verdict: "ok" });
    expect(hosts).toEqual(["shop.example", "websocket"]);
    expect(await closed.promise).toBe(1000);
  });

  test("sends a message and waits for the expected one, whatever comes before it", async () => {
    const long = "x".repeat(40_000);
    const { port } = await serve((said) => [long, `${said} pong`], ["welcome"]);
    expect(await run({ port, path, send: "y".repeat(4_000), expect: "y pong" })).toMatchObject({
      verdict: "ok",
    });
    const outcome = await run({ port, path, send: "ping", expect: "pang" }, 300);
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "timeout" });
  });

  test("says what came instead when the server says goodbye", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    server.on("connection", (socket) => {
      socket.send("no room for open-sesame");
      socket.close();
    });
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: "open-sesame" };
    expect((await run({ port, headers, expect: "welcome" })).reason).toBe(
      `127.0.0.1:${port} sent "no room for ********", but not the expected "welcome", and closed the connection.`,
    );
    server.removeAllListeners("connection").on("connection", (socket) => socket.close());
    expect((await run({ port, expect: "welcome" })).reason).toBe(
      `127.0.0.1:${port} closed the connection without a message; "welcome" was expected.`,
    );
  });

  test("says how the server answered instead of opening one", async () => {
    const { port } = await serve(() => []);
    expect((await run({ port, path: "/elsewhere" })).reason).toBe(
      `127.0.0.1:${port} answered HTTP 400 instead of opening a WebSocket.`,
    );
    const other = closing(await startLineTarget((socket) => void socket.write("220 mx.example\r\n")));
    expect((await run({ port: other.port })).reason).toContain("does not speak HTTP");
  });
});

/** Answers the handshake as a server does, then sends these bytes. */
const framing = async (bytes: number[] | Buffer, accept?: string) =>
  closing(
    await startLineTarget((socket) => {
      socket.once("data", (request) => {
        const [, key = ""] = /sec-websocket-key: (\S+)/i.exec(String(request)) ?? [];
        const hash = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
        const head = `HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: ${accept ?? hash}\r\n\r\n`;
        socket.write(Buffer.concat([Buffer.from(head), Buffer.from(bytes)]));
      });
    }),
  );

const text = (said: string) => [...Buffer.from(said)];

describe("frames of a server", () => {
  test("are put together, with a ping between them, which is answered", async () => {
    const { port, received } = await framing([
      ...[0x01, 2, ...text("po")],
      ...[0x89, 1, ...text("?")],
      ...[0x80, 2, ...text("ng")],
    ]);
    expect(await run({ port, expect: "pong" })).toMatchObject({ verdict: "ok", reason: null });
    await eventually(
      () => received[0],
      (said) => said?.includes("\u008a\u0081") === true,
    );
  });

  test.each([
    ["masked", [0x81, 0x81, 1, 2, 3, 4, 5]],
    ["compressed, which nobody requested", [0xc1, 1, 65]],
    ["of an unknown sort", [0x83, 1, 65]],
    ["a continuation of nothing", [0x80, 1, 65]],
    ["a new message within another", [0x01, 1, 65, 0x81, 1, 65]],
    ["a long ping", [0x89, 126, 0, 126]],
  ])("%s end the check", async (_title, bytes) => {
    const { port } = await framing(bytes);
    expect((await run({ port, expect: "never" })).reason).toContain("does not keep to the protocol");
  });

  test("are trusted only so far in their length", async () => {
    const { port } = await framing([0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    expect((await run({ port, expect: "never" })).reason).toContain("sent more than 64 KiB");
  });

  test("count only of a server that has understood the handshake", async () => {
    const { port } = await framing([], "wrong");
    expect((await run({ port })).reason).toContain("does not keep to the protocol");
  });
});

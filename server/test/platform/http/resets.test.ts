import { connect } from "node:net";
import { setTimeout as pass } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess, temporaryFolder } from "../../harness/process.ts";

const HOST = "Host: a\r\n";
const JSON_BODY = "Content-Type: application/json\r\n";
/** As long as it takes the server to be before, in and after what it does with the bytes. */
const AFTER_MS = [0, 1, 2, 3, 5, 8, 12, 20];

const data = temporaryFolder();
let server: ServerProcess;
beforeAll(async () => {
  // One of its own: an unhandled error ends the process.
  server = await startServerProcess(data.folder);
});
afterAll(async () => {
  await server.stop();
  data.remove();
});

/** Sends bytes and resets the connection so long after that. */
async function reset(bytes: string, afterMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () =>
    socket.write(bytes, () => resolve()),
  );
  // What it is sent meanwhile stays unread, so that its end is a reset in any case.
  socket.pause();
  socket.on("error", () => resolve());
  await promise;
  if (afterMs > 0) await pass(afterMs);
  socket.resetAndDestroy();
}

describe("a connection that is reset", () => {
  test.each([
    ["after it requested a tunnel", `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`],
    ["after it requested a tunnel and went on", `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n${"x".repeat(60_000)}`],
    [
      "after it requested a tunnel behind a request that is not answered yet",
      `GET /openapi.json HTTP/1.1\r\n${HOST}\r\nCONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`,
    ],
    [
      "after it requested another protocol",
      `GET /api/events HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n\u0081\u0000`,
    ],
    [
      "after it said what it expects",
      `POST /api/auth/sign-in HTTP/1.1\r\n${HOST}${JSON_BODY}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
    ],
    ["after it expected what is not supported", `GET / HTTP/1.1\r\n${HOST}Expect: cake\r\n\r\n`],
    ["after it was no HTTP", "nonsense\r\n\r\nnonsense\r\n\r\n"],
    [
      "after it was no HTTP behind a request that is not answered yet",
      `GET /openapi.json HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\n`,
    ],
    ["in the middle of a header", `GET / HTTP/1.1\r\n${HOST}X: `],
    [
      "in the middle of a body",
      `POST /api/auth/sign-in HTTP/1.1\r\n${HOST}${JSON_BODY}Content-Length: 99\r\n\r\n{`,
    ],
    [
      "in the middle of a body that was refused",
      `POST /api/domains HTTP/1.1\r\n${HOST}${JSON_BODY}Content-Length: 99999\r\n\r\n{`,
    ],
    ["in the middle of many answers", `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(20)],
  ])("%s ends nothing but itself", async (_name, bytes) => {
    for (const afterMs of AFTER_MS) await Promise.all([reset(bytes, afterMs), reset(bytes, afterMs)]);
    const answer = await fetch(`${server.url}/api/health`);
    expect([answer.status, server.output.stderr]).toEqual([200, ""]);
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer } from "../../harness/server.ts";
import { rawRequest } from "./raw-client.ts";

/** Together more than what the sockets between the two hold. */
const ANSWERS = 16;
/** More than a busy machine may keep this process waiting: client and server share it. */
const STALL_MS = 1_000;
const STATUS_LINE = "HTTP/1.1 200 OK";
/** At a time: the answers take longer than a stall may. */
const READ_BYTES = 200_000;

async function request() {
  const server = await startTestServer({ engine: "sqlite", limits: { stallMs: STALL_MS } });
  onTestFinished(server.close);
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  onTestFinished(() => void socket.destroy());
  const [connection] = await Promise.all([once(server.app.server, "connection"), once(socket, "connect")]);
  socket.write(rawRequest("GET /openapi.json").repeat(ANSWERS));
  return { socket, ended: () => connection[0].destroyed as boolean };
}

test("a client that never reads its answers is cut off", async () => {
  const { ended } = await request();
  await eventually(ended, Boolean);
});

test("a client that reads them slowly is not", async () => {
  const { socket, ended } = await request();
  let answers = 0;
  let rest = "";
  const readSome = () => {
    const text = rest + (socket.read(READ_BYTES) ?? socket.read() ?? "");
    answers += text.split(STATUS_LINE).length - 1;
    rest = text.slice(1 - STATUS_LINE.length);
  };
  const timer = setInterval(readSome, STALL_MS / 20);
  onTestFinished(() => clearInterval(timer));
  const begin = performance.now();
  await eventually(
    () => answers,
    (read) => read === ANSWERS,
    25_000,
  );
  expect(performance.now() - begin).toBeGreaterThan(3 * STALL_MS);
  expect(ended()).toBe(false);
});

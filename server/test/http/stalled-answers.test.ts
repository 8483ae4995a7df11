import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { startTestServer } from "../harness/server.ts";
import { rawRequest } from "./raw-client.ts";

const ANSWERS = 30;
const STALL_MS = 300;

async function ask() {
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
  const { ended } = await ask();
  await eventually(ended, Boolean);
});

test("a client that reads them slowly is not", async () => {
  const { socket, ended } = await ask();
  let text = "";
  const timer = setInterval(() => (text += socket.read(100_000) ?? socket.read() ?? ""), STALL_MS / 15);
  onTestFinished(() => clearInterval(timer));
  await eventually(
    () => text.split("HTTP/1.1 200").length - 1,
    (answers) => answers === ANSWERS,
  );
  expect(ended()).toBe(false);
});

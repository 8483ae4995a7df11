import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";

/** A server that takes connections and says nothing; `left`: the client has gone. */
export async function startStuckTarget() {
  const connected = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const target = createServer((socket) => {
    connected.resolve();
    socket.on("error", () => {});
    socket.on("close", () => left.resolve());
    socket.resume();
  });
  await new Promise<void>((listening) => target.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void target.close());
  const { port } = target.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, connected: connected.promise, left: left.promise };
}

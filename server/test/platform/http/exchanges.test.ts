import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer } from "../../harness/server.ts";
import { rawRequest } from "./raw-client.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test.each([
  ["without a body", rawRequest("GET /api/health")],
  [
    "with one",
    `${rawRequest("POST /api/auth/sign-in", "Content-Type: application/json", "Content-Length: 2")}{}`,
  ],
])("a request %s is let go of once it is answered, though its connection stays", async (_name, bytes) => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const requests: WeakRef<IncomingMessage>[] = [];
  server.app.server.on("request", (request) => requests.push(new WeakRef(request)));
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  await once(socket, "data");
  await eventually(
    () => {
      collectGarbage();
      return requests.map((request) => request.deref() === undefined);
    },
    ([isGone]) => isGone === true,
  );
  expect(socket.readyState).toBe("open");
});

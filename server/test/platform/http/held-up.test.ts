import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../../harness/server.ts";

/** Holds this thread, and so the server in it, as a busy machine or a suspended one does. */
const holdUp = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("a server that was held up for a second again and again refuses no request", async () => {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const statuses: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    holdUp(1_050);
    await setImmediate();
    statuses.push((await server.api("GET", "/api/domains")).status);
  }
  expect(statuses).toEqual([200, 200, 200]);
});

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { test } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { startTestServer } from "../../harness/server.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Opens a server, reads its metrics and closes it: what it worked with, unless that has been collected. */
async function useServer(): Promise<WeakRef<object>> {
  const server = await startTestServer({ engine: "sqlite", alone: true });
  await server.api("GET", "/metrics");
  await server.close();
  return new WeakRef(server.ctx);
}

test("a server that has been closed leaves nothing in its process", async () => {
  const used = [await useServer(), await useServer(), await useServer()];
  const left = () => {
    collect();
    return used.filter((one) => one.deref() !== undefined).length;
  };
  // The engine may still hold what it touched last.
  await eventually(left, (count) => count <= 1);
});

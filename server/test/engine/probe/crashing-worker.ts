import type { ActiveKind } from "../../../src/checks/check.ts";
import { activeKind } from "../../../src/checks/registry.ts";
import { runWorker } from "../../../src/engine/probe/worker-main.ts";

/** A worker with one more kind of check: it takes the whole thread down, the first time in a process. */
const crash: ActiveKind = {
  type: "crash",
  phases: [],
  configSchema: {},
  target: () => "",
  run: () => {
    setImmediate(() => {
      throw new Error("a bug in a check");
    });
    return new Promise(() => {});
  },
};

runWorker((type) => (type === "crash" ? crash : activeKind(type)));

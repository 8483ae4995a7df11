import type { CheckKind } from "../../src/check/check.ts";
import { checkKind } from "../../src/check/registry.ts";
import { runWorker } from "../../src/probe/worker-main.ts";

/** A worker with one more kind of check: it takes the whole thread down, the first time in a process. */
const crash: CheckKind<never> = {
  type: "crash",
  configSchema: {},
  run: () => {
    setImmediate(() => {
      throw new Error("a bug in a check");
    });
    return new Promise(() => {});
  },
};

runWorker((type) => (type === "crash" ? crash : checkKind(type)));

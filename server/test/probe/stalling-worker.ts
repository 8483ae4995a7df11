import type { CheckKind } from "../../src/check/check.ts";
import { checkKind } from "../../src/check/registry.ts";
import { runWorker } from "../../src/probe/worker-main.ts";

/** Short of what breaks connections off. */
const STALL_MS = 1_600;

/** A worker with one more kind of check: its whole thread stands still for a while. */
const stall: CheckKind<never> = {
  type: "stall",
  configSchema: {},
  run: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
    return new Promise(() => {});
  },
};

runWorker((type) => (type === "stall" ? stall : checkKind(type)));

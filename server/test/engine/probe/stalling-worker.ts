import type { ActiveKind } from "../../../src/checks/check.ts";
import { activeKind } from "../../../src/checks/registry.ts";
import { runWorker } from "../../../src/engine/probe/worker-main.ts";

/** Short of what breaks connections off. */
const STALL_MS = 1_600;

/** A worker with one more kind of check: its whole thread is blocked for a while. */
const stall: ActiveKind = {
  type: "stall",
  phases: [],
  configSchema: {},
  target: () => "",
  run: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
    return new Promise(() => {});
  },
};

runWorker((type) => (type === "stall" ? stall : activeKind(type)));

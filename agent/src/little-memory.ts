import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Before anything else is run: the compilers that make code fast would take 9 MB to save next to no time here.
for (const flag of ["--no-opt", "--no-maglev", "--no-sparkplug", "--expose-gc"]) setFlagsFromString(flag);

interface GarbageOptions {
  type: "major";
  execution: "sync";
  flavor: "last-resort";
}
const collect = runInNewContext("gc") as (options: GarbageOptions) => void;

/** More than the agent needs on most machines. */
const MUCH_BYTES = 54 * 1024 * 1024;
/** What has to come together for another time: collecting takes more of the processor than a minute of everything else. */
const MORE_BYTES = 2 * 1024 * 1024;
let leftBytes = 0;

/** Gives back what is no longer needed; by itself the engine would not before it is dozens of megabytes. */
export function collectGarbage(): void {
  if (process.memoryUsage.rss() <= Math.max(MUCH_BYTES, leftBytes + MORE_BYTES)) return;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  leftBytes = process.memoryUsage.rss();
}

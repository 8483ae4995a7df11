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

/** Gives back what is no longer needed; by itself the engine would not before it is dozens of megabytes. */
export function collectGarbage(): void {
  if (process.memoryUsage.rss() > MUCH_BYTES)
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=4
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import pkg from "../package.json" with { type: "json" };
import type { Wiring } from "./command/wiring.ts";

// Whatever is written, database, queue, key or backup, is for the user that runs this alone.
process.umask(0o077);

/*
 * The first line keeps memory small: 4 MB a half for new objects in this thread, and two arenas of the C library for all
 * threads instead of up to eight a core, whose gaps came to 16 MB (bench/NOTES.md).
 */

/**
 * Compiled code and stripped types are kept for the next start. Beside the packages, where only those
 * can write who may change the program itself; whoever cannot write there starts without.
 */
const { directory } = enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/vedette"));
// The threads that check find it by this variable.
if (directory) process.env["NODE_COMPILE_CACHE"] = directory;

// Only now, so that they come from the cache.
const [
  { Command },
  { systemClock },
  { addAccountCommands },
  { addBackupCommands },
  { addCheckCommand },
  { explain },
  { addStartCommand },
] = await Promise.all([
  import("commander"),
  import("./clock.ts"),
  import("./command/account.ts"),
  import("./command/backup.ts"),
  import("./command/check.ts"),
  import("./command/explain.ts"),
  import("./command/start.ts"),
]);

/** The one place that reads the environment and picks the store and the clock. */
const wiring: Wiring = {
  environment: process.env,
  clock: systemClock,
  openStore: async (location) => (await import("./store/open.ts")).openStore(location),
};

const program = new Command("vedette")
  .description("Monitors web sites, services and machines.")
  .version(pkg.version)
  .showHelpAfterError("(vedette --help lists the commands)");
addStartCommand(program, wiring);
addAccountCommands(program, wiring);
addCheckCommand(program, wiring);
addBackupCommands(program, wiring);

try {
  await program.parseAsync();
  // A server may run for months, and be killed then.
  flushCompileCache();
} catch (error) {
  process.stderr.write(`vedette: ${explain(error)}\n`);
  process.exitCode = 1;
}

import { flushCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Command } from "commander";
import pkg from "../package.json" with { type: "json" };
import { addAccountCommands } from "./app/command/account.ts";
import { addBackupCommands } from "./app/command/backup.ts";
import { addCheckCommand, explain } from "./app/command/check.ts";
import { addImportCommands } from "./app/command/import.ts";
import { addStartCommand } from "./app/command/start.ts";
import type { Wiring } from "./app/command/wiring.ts";
import { systemClock } from "./platform/clock.ts";

// As vedette.mjs has done, which units written for an earlier version do not start.
process.umask(0o077);

// The threads find compiled code (vedette.mjs) by this variable. Node answers with the folder of its own version in there.
const compiled = getCompileCacheDir();
if (compiled) process.env["NODE_COMPILE_CACHE"] = dirname(compiled);

/** The one place that reads the environment and picks the store and the clock. */
const wiring: Wiring = {
  environment: process.env,
  clock: systemClock,
  openStore: async (location) => (await import("./platform/database/open.ts")).openStore(location),
};

const program = new Command("vedette")
  .description("Monitors web sites, services and machines.")
  .version(pkg.version)
  .showHelpAfterError("(vedette --help lists the commands)");
addStartCommand(program, wiring);
addAccountCommands(program, wiring);
addCheckCommand(program, wiring);
addBackupCommands(program, wiring);
addImportCommands(program, wiring);
// Their schemas take a while to load, which nothing else should wait for.
const isKnown = program.commands.some((command) => command.name() === process.argv[2]);
if (!isKnown) (await import("./app/command/check.ts")).addToolCommands(program, wiring);

try {
  await program.parseAsync();
  // A server may run for months, and be killed then.
  flushCompileCache();
} catch (error) {
  process.stderr.write(`vedette: ${explain(error)}\n`);
  process.exitCode = 1;
}

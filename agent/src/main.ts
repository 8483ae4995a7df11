import "./little-memory.ts";
import { thisCollector } from "./collect.ts";
import { EnrollmentRefused } from "./enroll.ts";
import { FolderInUse } from "./instance-lock.ts";
import { createLog } from "./log.ts";
import { readMachineId } from "./machine.ts";
import { collectOnce } from "./once.ts";
import { HELP, OptionError, readOptions } from "./options.ts";
import { run } from "./run.ts";
import { startLean } from "./start-lean.ts";
import { VERSION } from "./version.ts";

// What the agent writes is for its user alone, and what programs print is not to depend on the user's language.
process.umask(0o077);
process.env["LC_ALL"] = "C";

async function main(): Promise<number> {
  const log = createLog();
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.command === "run") {
    startLean();
    return run(options, log, stopSignal());
  }
  if (options.command === "help") return print(HELP);
  if (options.command === "version") return print(`${VERSION}\n`);
  const { sockets } = options;
  if (options.command === "once")
    return print(`${JSON.stringify(await collectOnce(sockets, log), null, 2)}\n`);
  if (options.command === "applications")
    return print(JSON.stringify(await (await thisCollector(sockets)).applications()));
  return print(JSON.stringify(readMachineId()));
}

/** Aborted when the agent is to stop. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isExpected =
    error instanceof OptionError || error instanceof EnrollmentRefused || error instanceof FolderInUse;
  process.stderr.write(`vedette-agent: ${isExpected ? error.message : (error as Error).stack}\n`);
  process.exitCode = isExpected ? 2 : 1;
}

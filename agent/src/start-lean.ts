/** As agent/install.sh has systemd start it: code that is not compiled, little room for what is new. */
const FLAGS = ["--lite-mode", "--max-semi-space-size=1"];

/**
 * Starts this program anew in this very process, as a service is started: half the processor time, and some megabytes less, for who
 * starts it by hand. Comes back where it runs like that already, or where the system or Node (before 22.15) cannot do so.
 */
export function startLean(): void {
  const { execPath, execArgv, argv, env, platform } = process;
  const isLean = execArgv.includes("--lite-mode");
  if (isLean || platform !== "linux" || process.execve === undefined) return;
  // The warning that this is new to Node would otherwise be printed later, out of place.
  process.execve(execPath, [execPath, ...FLAGS, ...execArgv, ...argv.slice(1)], {
    MALLOC_ARENA_MAX: "1",
    ...env,
  });
}

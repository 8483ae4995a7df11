import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { shareLock } from "./lock.mjs";
import { root, windows } from "./paths.mjs";
import { SetupError } from "./say.mjs";

/**
 * Runs npm in the checkout, with its output on standard error: standard output belongs to the
 * command being set up for. Throws a SetupError when npm fails; `stopped` says that a signal ended
 * it, so that nobody knows how far it came.
 */
export async function runNpm(args, environment = {}) {
  const { command, first, options } = findNpm();
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", 2, 2],
    ...options,
  });
  if (child.pid) shareLock(child.pid);
  const { code, signal } = await endOf(child);
  if (signal) {
    throw Object.assign(new SetupError(`\`npm ${args[0]}\` was stopped; run the same command again.`), {
      stopped: true,
    });
  }
  if (code !== 0) {
    throw new SetupError(`\`npm ${args[0]}\` failed (see above); fix that and run the same command again.`);
  }
}

/** Waits for npm to put things back when it is asked to stop: whoever runs set-up again at once must not meet it. */
function endOf(child) {
  const pass = (signal) => child.kill(signal);
  // The terminal sends Ctrl-C to npm as well, and a second one would end it in the middle of that.
  const wait = () => undefined;
  process.on("SIGINT", wait).on("SIGTERM", pass).on("SIGHUP", pass);
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new SetupError(`npm could not be started: ${error.message}`)));
    child.on("exit", (code, signal) => resolve({ code, signal }));
  }).finally(() => process.off("SIGINT", wait).off("SIGTERM", pass).off("SIGHUP", pass));
}

/** The npm that is running us, under the Node that runs it: the pinned Node is about to be replaced. */
function findNpm() {
  const script = process.env.npm_execpath;
  const node = process.env.npm_node_execpath;
  if (script && node && existsSync(script) && existsSync(node) && /npm-cli\.[cm]?js$/.test(script)) {
    return { command: node, first: [script], options: {} };
  }
  return { command: windows ? "npm.cmd" : "npm", first: [], options: { shell: windows } };
}

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { shareLock } from "./lock.mjs";
import { root, windows } from "./paths.mjs";
import { SetupError } from "./say.mjs";

/**
 * Runs npm in the checkout, with its output on standard error: standard output belongs to the
 * command being set up for. `isQuiet`: only where it fails. Throws a SetupError when npm fails; `stopped` says that a
 * signal ended it.
 */
export async function runNpm(args, { environment = {}, isQuiet = false } = {}) {
  const { command, first, options } = findNpm();
  const output = [];
  const start = () => {
    const child = spawn(command, [...first, ...args], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", 2, 2],
      ...options,
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => output.push(piece));
    if (child.pid) shareLock(child.pid);
    return child;
  };
  const { code, signal } = await endOf(start).catch((error) => {
    throw new SetupError(`npm could not be started: ${error.message}`);
  });
  if (signal || code !== 0) process.stderr.write(Buffer.concat(output));
  if (signal) throw stopped(`\`npm ${args[0]}\``);
  if (code !== 0) {
    throw new SetupError(`\`npm ${args[0]}\` failed (see above); fix that and run the same command again.`);
  }
}

/** What a signal has ended: how far it came is unknown. */
const stopped = (what) =>
  Object.assign(new SetupError(`${what} was stopped; run the same command again.`), { stopped: true });

/**
 * Starts a program, and says how it ended. Waits for it when set-up has to stop, from before it has started: npm puts
 * things back, and whoever runs set-up again at once must not meet it. Throws when it could not be started.
 */
function endOf(start) {
  let child;
  const pass = (signal) => child.kill(signal);
  // The terminal sends Ctrl-C to it as well, and a second one would end it in the middle of that.
  const wait = () => undefined;
  process.on("SIGINT", wait).on("SIGTERM", pass).on("SIGHUP", pass);
  return new Promise((resolve, reject) => {
    child = start();
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal }));
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

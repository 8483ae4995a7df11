import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "./hash.mjs";
import { endOf, stopped } from "./npm.mjs";
import { packages, root } from "./paths.mjs";
import { say } from "./say.mjs";

const SOURCES = ["server/src", "package-lock.json"];
/** A start that takes longer than this is left to `npm start`, which says what is wrong. */
const LIMIT_MS = 30_000;

const stamp = join(packages, ".vedette-compiled");
/** The data of that start. One set-up at a time has it, and the next one removes what a killed one has left. */
const folder = join(packages, ".vedette-compiling");

/** Whether compiled code was kept of the server as it is now. */
export const isCompiled = () => existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(SOURCES);

/** Whether it can be kept here. A server may run as somebody who may only read its program, and starts without it then. */
export function mayCompile() {
  try {
    for (const place of [root, packages]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts the server once, on an empty folder of its own, and ends it when it is ready. A first start compiles
 * everything, and has the compiler in memory for as long as it runs: some 20 MB that this one spares it.
 * Throws a SetupError when somebody has stopped it.
 */
export async function compile(runtime) {
  say("compiling the server …");
  const hash = hashOf(SOURCES);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  try {
    if (await startOnce(runtime)) writeFileSync(stamp, hash);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether it became ready; it has ended then. */
async function startOnce(runtime) {
  let output = "";
  let limit;
  const isReady = () => output.includes("Vedette is ready");
  const start = () => {
    const child = spawnServer(runtime);
    limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    child.stdout.on("data", (piece) => {
      output += piece;
      if (isReady()) child.kill();
    });
    return child;
  };
  const { signal } = await endOf(start).catch(() => ({}));
  clearTimeout(limit);
  if (signal && signal !== "SIGKILL" && !isReady()) throw stopped("compiling the server");
  return isReady();
}

/** Settings of this machine are not passed on: they name its database. */
function spawnServer(runtime) {
  const flags = ["--min-semi-space-size=4", "--max-semi-space-size=4", "server/src/vedette.mjs"];
  return spawn(runtime, [...flags, "start", "--host", "127.0.0.1", "--port", "0", "--data", folder], {
    cwd: root,
    env: { VEDETTE_REFERENCE_TARGETS: "off" },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

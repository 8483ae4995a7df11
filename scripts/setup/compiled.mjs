import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashOf } from "./hash.mjs";
import { packages, root } from "./paths.mjs";
import { say } from "./say.mjs";

const SOURCES = ["server/src", "package-lock.json"];
/** A start that takes longer than this is left to `npm start`, which says what is wrong. */
const LIMIT_MS = 30_000;

const stamp = join(packages, ".vedette-compiled");

/** Whether compiled code was kept of the server as it is now. */
export const isCompiled = () => existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(SOURCES);

/**
 * Starts the server once, on an empty folder of its own, and ends it when it is ready. A first start compiles
 * everything, and has the compiler in memory for as long as it runs: some 20 MB that this one spares it.
 */
export async function compile(runtime) {
  say("compiling the server …");
  const hash = hashOf(SOURCES);
  const folder = mkdtempSync(join(tmpdir(), "vedette-compile-"));
  try {
    if (await startOnce(runtime, folder)) writeFileSync(stamp, hash);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether it became ready; it has ended then. Settings of this machine are not passed on: they name its database. */
async function startOnce(runtime, data) {
  const flags = ["--max-semi-space-size=4", "server/src/vedette.mjs"];
  const child = spawn(runtime, [...flags, "start", "--host", "127.0.0.1", "--port", "0", "--data", data], {
    cwd: root,
    env: { VEDETTE_REFERENCE_TARGETS: "off" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  let output = "";
  child.stdout.on("data", (piece) => {
    output += piece;
    if (isReady()) child.kill();
  });
  const isReady = () => output.includes("Vedette is ready");
  await new Promise((resolve) => child.on("error", resolve).on("exit", resolve));
  clearTimeout(limit);
  return isReady();
}

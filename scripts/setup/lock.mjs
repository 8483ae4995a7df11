import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { SetupError, say } from "./say.mjs";

const POLL_MS = 250;
const TIMEOUT_MS = 15 * 60_000;

const folder = join(root, ".setup-lock");
/** The set-up's process and the npm processes it has started, one a line. */
const holders = join(folder, "pid");

/**
 * One set-up at a time in one checkout; the others wait and then find nothing left to do. Returns
 * what gives the lock back. Throws a SetupError after a quarter of an hour of waiting.
 */
export function takeLock() {
  const deadline = Date.now() + TIMEOUT_MS;
  let hasReported = false;
  while (!tryLock()) {
    if (Date.now() > deadline) {
      throw new SetupError(`another set-up seems stuck; if none is running, remove ${folder} and try again.`);
    }
    if (!hasReported) say("waiting for another set-up of this checkout …");
    hasReported = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Keeps the lock for as long as process `pid` works, even if this one is killed. */
export const shareLock = (pid) => appendFileSync(holders, `\n${pid}`);

function tryLock() {
  try {
    mkdirSync(folder);
    writeFileSync(holders, String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (!existsSync(holders) || readFileSync(holders, "utf8").split("\n").some(isAlive)) return false;
  rmSync(folder, { recursive: true, force: true });
  return tryLock();
}

/** Whether a line of the lock names a living process. A restarted container gives our own number to us again. */
function isAlive(line) {
  const pid = Number(line);
  if (pid === process.pid) return false;
  if (!pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

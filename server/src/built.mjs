/*
 * Where dist/ holds the server as its sources are now, in a folder of that build (ADR 0057). Plain JavaScript for any Node:
 * set-up asks before anything is installed.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const source = dirname(fileURLToPath(import.meta.url));
const server = dirname(source);
const dist = join(server, "dist");
/** Which packages are built in, and how. */
const recipe = [join(dirname(server), "package-lock.json"), join(server, "rolldown.config.mjs")];
/** Written last: what is not whole is never run. */
const STAMP = "complete";

/** Of names, sizes and times of the sources. A checkout gives old contents new times: then they only seem to have changed. */
export function sourcesNow() {
  const hash = createHash("sha256");
  for (const file of [...recipe, ...filesIn(source)]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(server, file).split(sep).join("/")}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** Where the server is built from sources that were so. */
export const buildOf = (sources) => join(dist, sources);

/** A server that runs a build says so there, with its process id. */
const RUNNING = /^running-(\d+)$/;

/** Says that this process runs from that folder; where nobody may write, nobody builds either. */
export function noteRunning(build) {
  try {
    writeFileSync(join(build, `running-${process.pid}`), "");
  } catch {}
}

/** Whether a server runs it: what that starts later comes from there. */
const isRun = (build) => readdirSync(build).some((name) => isAlive(Number(RUNNING.exec(name)?.[1] ?? 0)));

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Says that the server is built from sources that were so. Of earlier builds stay the newest, and those that are run. */
export function markBuilt(sources) {
  mkdirSync(buildOf(sources), { recursive: true });
  writeFileSync(join(buildOf(sources), STAMP), "");
  const earlier = readdirSync(dist).filter((name) => name !== sources);
  const [, ...older] = earlier.map((name) => join(dist, name)).sort((a, b) => builtAt(b) - builtAt(a));
  for (const path of older) if (!isRun(path)) rmSync(path, { recursive: true, force: true });
}

const builtAt = (path) => statSync(join(path, STAMP), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What the built server starts with; null: it is to be run from its sources. */
export function builtMain() {
  try {
    const build = buildOf(sourcesNow());
    return existsSync(join(build, STAMP)) ? join(build, "main.mjs") : null;
  } catch {
    return null;
  }
}

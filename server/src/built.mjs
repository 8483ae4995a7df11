/*
 * Where dist/ holds the server as its sources are now, in a folder of that build (ADR 0057). Plain JavaScript for any Node:
 * set-up needs to know before anything is installed.
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

/**
 * A process that runs a build reads this SQLite file of it in a transaction that stays open. The operating system ends that with the
 * process, so that a kill leaves nothing behind, and no process is taken for another one.
 */
const IN_USE = "in-use";
/** Absent in older versions of Node: what they cannot know of they keep. */
const sqlite = process.getBuiltinModule?.("node:sqlite");
const held = [];

/** Keeps that build for as long as this process lives: what it loads later comes from there. */
export function holdBuild(build) {
  try {
    const lock = new sqlite.DatabaseSync(join(build, IN_USE), { readOnly: true });
    lock.exec("PRAGMA busy_timeout = 1000; BEGIN; SELECT 1 FROM sqlite_schema");
    held.push(lock);
  } catch {
    // It runs all the same.
  }
}

/** Whether anybody runs it. */
function isInUse(build) {
  const file = join(build, IN_USE);
  if (!existsSync(file)) return false;
  let lock;
  try {
    lock = new sqlite.DatabaseSync(file);
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return false;
  } catch {
    return true;
  } finally {
    lock?.close();
  }
}

/** Says that the server is built from sources that were so. Of earlier builds the newest stays, and any that is in use. */
export function markBuilt(sources) {
  mkdirSync(buildOf(sources), { recursive: true });
  writeFileSync(join(buildOf(sources), IN_USE), "", { flag: "a" });
  writeFileSync(join(buildOf(sources), STAMP), "");
  const earlier = readdirSync(dist).filter((name) => name !== sources);
  const [, ...older] = earlier.map((name) => join(dist, name)).sort((a, b) => builtAt(b) - builtAt(a));
  for (const path of older) if (!isInUse(path)) rmSync(path, { recursive: true, force: true });
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

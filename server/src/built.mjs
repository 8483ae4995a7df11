/*
 * Whether dist/ holds the server as its sources are now (ADR 0057). Plain JavaScript for any Node: set-up asks before
 * anything is installed.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const source = dirname(fileURLToPath(import.meta.url));
const server = dirname(source);
/** Of the packages that are built in. */
const packages = join(dirname(server), "package-lock.json");

/** What the built server starts with. */
export const builtMain = join(server, "dist", "main.mjs");
const stamp = join(server, "dist", "built-from");

/** Names, sizes and times of the sources. A checkout gives old contents new times: then they only seem to have changed. */
export function sourcesNow() {
  const hash = createHash("sha256");
  for (const file of [packages, ...filesIn(source)]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(server, file).split(sep).join("/")}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest("hex");
}

function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** Says that dist/ is made from sources that were so. Last of all: what is not whole is never run. */
export const markBuilt = (sources) => writeFileSync(stamp, sources);

/** Whether dist/ may be run in place of the sources. */
export function isBuilt() {
  try {
    return readFileSync(stamp, "utf8") === sourcesNow();
  } catch {
    return false;
  }
}

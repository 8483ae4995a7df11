import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "./paths.mjs";

const NOT_SOURCES = new Set(["node_modules", "dist", ".vite", "test"]);

/** One hash over names and contents of files and folders of the checkout: git sets new times on old contents, so times say nothing. */
export function hashOf(sources) {
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const file of listFiles(join(root, source))) {
      hash
        .update(`${relative(root, file).split(sep).join("/")}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    throw error;
  }
  return entries
    .filter((entry) => !NOT_SOURCES.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = join(path, entry.name);
      return entry.isDirectory() ? listFiles(child) : [child];
    });
}

/** The folders named `schemas` below a folder of the checkout. */
export function listSchemas(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}/schemas`)
    .filter((path) => existsSync(join(root, path)));
}

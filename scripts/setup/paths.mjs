import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const windows = process.platform === "win32";
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const packages = join(root, "node_modules");
/** What `node` means in npm scripts: npm puts this folder first on their PATH. */
export const command = join(packages, ".bin", windows ? "node.cmd" : "node");

export const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

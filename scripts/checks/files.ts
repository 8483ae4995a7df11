import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

const GENERATED = new Set(["node_modules", "dist", "data", "coverage"]);

/** Every file below `folder` that people wrote; hidden and generated folders are left out. */
export function listFiles(folder: string): string[] {
  return visible(folder).flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

/** The folders directly in `folder` that hold something people wrote (git keeps no empty ones). */
export function listFolders(folder: string): string[] {
  return visible(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => listFiles(folder === "." ? name : `${folder}/${name}`).length > 0);
}

function visible(folder: string): Dirent[] {
  return readdirSync(join(process.cwd(), folder), { withFileTypes: true }).filter(
    (entry) => !entry.name.startsWith(".") && !GENERATED.has(entry.name),
  );
}

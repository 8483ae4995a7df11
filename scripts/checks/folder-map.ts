import { existsSync, readFileSync } from "node:fs";
import { listFolders } from "./files.ts";
import { fromFindings, type StepResult } from "./run.ts";

const MAP = /## Map of the folders[\s\S]*?```\n([\s\S]*?)```/;
/** Folders whose every subfolder must be in the map. */
const MAPPED = [".", "server/src"];

/** The README's map of the folders shows what is there, and only that. */
export async function checkFolderMap(): Promise<StepResult> {
  const map = MAP.exec(readFileSync("README.md", "utf8"))?.[1];
  if (!map) return fromFindings(["README.md has no code block under `## Map of the folders`."]);
  const shown = readPaths(map);
  const missing = MAPPED.filter((folder) => existsSync(folder)).flatMap((parent) =>
    listFolders(parent)
      .map((name) => (parent === "." ? name : `${parent}/${name}`))
      .filter((path) => !shown.some((one) => one === path || one.startsWith(`${path}/`))),
  );
  return fromFindings([
    ...shown
      .filter((path) => !existsSync(path))
      .map((path) => `README.md maps ${path}, which does not exist.`),
    ...missing.map((path) => `${path}/ is not in README.md's map of the folders.`),
  ]);
}

/** Each line starts with one path or several, two blanks before the description; indentation nests. */
function readPaths(map: string): string[] {
  const parents: { depth: number; path: string }[] = [];
  return map
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => {
      const depth = line.search(/\S/);
      while ((parents.at(-1)?.depth ?? -1) >= depth) parents.pop();
      const parent = parents.at(-1)?.path;
      const names = (line.trim().split(/ {2,}/)[0] ?? "").split(" ").map((name) => name.replace(/\/$/, ""));
      const paths = names.map((name) => (parent ? `${parent}/${name}` : name));
      parents.push({ depth, path: paths[0] ?? "" });
      return paths;
    });
}

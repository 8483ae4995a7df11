import { readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { runNpm } from "./npm.mjs";
import { packages, readJson, root, windows } from "./paths.mjs";

const server = join(root, "server");
const link = join(packages, ".bin", windows ? "vedette.cmd" : "vedette");

/** Whether `vedette` starts the file that server/package.json names. */
export function programIsLinked() {
  const file = readJson(join(server, "package.json")).bin.vedette;
  try {
    if (windows) return readFileSync(link, "utf8").includes(basename(file));
    return realpathSync(link) === realpathSync(join(server, file));
  } catch {
    return false;
  }
}

/** An install leaves the link of a package that it has as it is, also when the file has another name since. */
export const linkProgram = () =>
  runNpm(["rebuild", readJson(join(server, "package.json")).name, "--ignore-scripts", "--loglevel=error"]);

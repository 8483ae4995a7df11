import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { command, packages, readJson, root, windows } from "./paths.mjs";
import { SetupError } from "./say.mjs";

/**
 * The pinned Node of this machine, from the npm package `node-<os>-<cpu>`, or `node-bin-…` where that is
 * the maintained one. Throws a SetupError where there is none.
 */
export function findRuntime() {
  const manifest = readJson(join(root, "package.json"));
  const os = windows ? "win" : process.platform;
  const known = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith("node-"));
  const name = known.find((one) => one.endsWith(`-${os}-${process.arch}`));
  if (!name) {
    const machines = known.map((one) => one.replace(/^node-(bin-)?/, "")).join(", ");
    throw new SetupError(
      `Vedette has no pinned Node for ${os}-${process.arch}; it runs on ${machines} (on others: in a Linux container).`,
    );
  }
  return join(packages, name, "bin", windows ? "node.exe" : "node");
}

/**
 * npm 10 forgets the link to a command that packages of other machines offer as well (here `node`),
 * when it leaves those packages out.
 */
export function linkRuntime(runtime) {
  mkdirSync(dirname(command), { recursive: true });
  // A link to a Node that is gone is in the way of a new one.
  rmSync(command, { force: true });
  const target = relative(dirname(command), runtime);
  if (windows) writeFileSync(command, `@"%~dp0\\${target}" %*\r\n`);
  else symlinkSync(target, command);
}

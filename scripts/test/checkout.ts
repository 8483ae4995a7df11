import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTree, type Run, repository, runScript, type Tree } from "./tree.ts";

export const os = process.platform === "win32" ? "win" : process.platform;
const runtime = `node-${os}-${process.arch}`;
/** The pinned Node. */
const binary = `node_modules/${runtime}/bin/node${os === "win" ? ".exe" : ""}`;

/**
 * Stands in for npm: writes down what it was asked, brings what the lockfile names and removes the tools
 * when they are to be left out. Files in the checkout let it fail: `offline`, `no-runtime`, `broken` (the app), `crash`
 * (killed in the middle), `stop` (whoever runs it gets a SIGTERM).
 */
const NPM = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
const args = process.argv.slice(2);
const log = (line) => appendFileSync("npm.log", line + "\\n");
const write = (file, text = "") => { mkdirSync(dirname(file), { recursive: true }); writeFileSync(file, text); };
const omit = args.includes("--omit=dev");
const link = () => {
  const file = JSON.parse(readFileSync("server/package.json", "utf8")).bin.vedette;
  if (process.platform === "win32") return write("node_modules/.bin/vedette.cmd", basename(file));
  mkdirSync("node_modules/.bin", { recursive: true });
  rmSync("node_modules/.bin/vedette", { force: true });
  symlinkSync(join("../../server", file), "node_modules/.bin/vedette");
};
const markServer = async () => {
  const { markBuilt, sourcesNow } = await import(join(process.cwd(), "server/src/built.mjs"));
  markBuilt(sourcesNow());
};
log(args[0] === "install" ? (omit ? "install app" : "install all") : args[0] === "run" ? (args.includes("server") ? "build server" : args.includes("agent") ? "build agent" : "run build") : args.slice(0, 2).join(" "));
if (args[0] === "rebuild") return link();
if (args.includes("server")) return markServer();
if (args.includes("agent")) return write("agent/dist/vedette-agent.mjs");
if (args[0] !== "install") {
  console.log("dist/index.html 1.09 kB");
  if (existsSync("broken")) process.exit(1);
  return write("web/dist/index.html");
}
if (existsSync("offline")) process.exit(1);
if (existsSync("stop")) {
  process.on("SIGTERM", () => { log("put back"); process.exit(1); });
  process.kill(Number(readFileSync(".setup-lock/pid", "utf8").split("\\n")[0]), "SIGTERM");
  return setTimeout(() => {}, 20_000);
}
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [path, { version, dev, optional }] of Object.entries(lock.packages)) {
  if (omit && dev) rmSync(path, { recursive: true, force: true });
  if (path === "" || optional || (omit && dev)) continue;
  if (existsSync(join(path, "package.json"))
    && JSON.parse(readFileSync(join(path, "package.json"), "utf8")).version === version) continue;
  write(join(path, "package.json"), JSON.stringify({ version }));
  if (existsSync("crash")) {
    write(join(dirname(path), ".kysely-AbCd0123/old.js"));
    process.kill(process.pid, "SIGKILL");
  }
  write(join(path, "index.js"));
}
if (!existsSync("no-runtime")) write(${JSON.stringify(binary)});
if (!existsSync("node_modules/.bin/vedette")) link();
write("node_modules/.package-lock.json", JSON.stringify(lock));
`;

/** A lockfile with one package that runs Vedette, one tool, and one binary of another machine. */
export const lockfile = ({ kysely = "1.0.0", vitest = "1.0.0" } = {}) =>
  JSON.stringify({
    packages: {
      "": { name: "tiny", devDependencies: { vitest } },
      "node_modules/kysely": { version: kysely },
      "node_modules/vitest": { version: vitest, dev: true },
      "node_modules/other-machine": { version: "1.0.0", optional: true },
    },
  });

/** The server's package, whose command is this file. */
export const program = (file: string) => JSON.stringify({ name: "@tiny/server", bin: { vedette: file } });

/** A checkout with this repository's set-up and little else. */
export function createCheckout(changes: Record<string, string> = {}): Tree {
  const tree = createTree({
    "package.json": JSON.stringify({ optionalDependencies: { [runtime]: "26.10.0" } }),
    "package-lock.json": lockfile(),
    "npm-cli.js": NPM,
    "server/package.json": program("first.mjs"),
    "server/first.mjs": "",
    "server/rolldown.config.mjs": "",
    "web/src/main.tsx": "export {};\n",
    "agent/src/main.ts": "export {};\n",
    ...changes,
  });
  for (const path of ["scripts/setup.mjs", "scripts/setup", "server/src/built.mjs"]) {
    cpSync(repository(path), join(tree.folder, path), { recursive: true });
  }
  return tree;
}

/** Runs set-up with the stand-in for npm. */
export const setUp = (tree: Tree, ...args: string[]): Promise<Run> => watchSetUp(tree, args);

/** The same, and tells what set-up says as it says it. */
export function watchSetUp(tree: Tree, args: string[], watch?: (piece: string) => void): Promise<Run> {
  const npm = { npm_execpath: join(tree.folder, "npm-cli.js"), npm_node_execpath: process.execPath };
  return runScript(tree, "scripts/setup.mjs", args, npm, watch);
}

/** What npm was asked so far, e.g. `["install app", "run build"]`. */
export function askedOf(tree: Tree): string[] {
  const log = join(tree.folder, "npm.log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

/** Whether the checkout has this file or folder. */
export const has = (tree: Tree, path: string): boolean => existsSync(join(tree.folder, path));

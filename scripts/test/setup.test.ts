import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTree, repository, runScript, type Tree } from "./tree.ts";

const os = process.platform === "win32" ? "win" : process.platform;
const runtime = `node-${os}-${process.arch}`;
/** The pinned Node. */
const binary = `node_modules/${runtime}/bin/node${os === "win" ? ".exe" : ""}`;
const KYSELY = "node_modules/kysely/index.js";
const VITEST = "node_modules/vitest/index.js";

/** In place of npm: logs its calls and brings what the lockfile names. Files let it fail: `offline`, `crash` (killed in the middle). */
const NPM = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const args = process.argv.slice(2);
const write = (file, text = "") => { mkdirSync(dirname(file), { recursive: true }); writeFileSync(file, text); };
const omit = args.includes("--omit=dev");
const what = ["server", "agent"].find((name) => args.includes(name)) ?? "web";
appendFileSync("npm.log", (args[0] === "install" ? (omit ? "install app" : "install all") : "build " + what) + "\\n");
if (existsSync("offline")) process.exit(1);
if (args[0] !== "install") {
  if (what === "server") import(join(process.cwd(), "server/src/built.mjs")).then((built) => built.markBuilt(built.sourcesNow()));
  else write(what === "agent" ? "agent/dist/vedette-agent.mjs" : "web/dist/index.html");
} else {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const [path, { version, dev }] of Object.entries(packages)) {
    if (omit && dev) rmSync(path, { recursive: true, force: true });
    if (path === "" || (omit && dev) || existsSync(join(path, "index.js"))) continue;
    write(join(path, "package.json"), JSON.stringify({ version }));
    if (existsSync("crash")) process.kill(process.pid, "SIGKILL");
    write(join(path, "index.js"));
  }
  write(${JSON.stringify(binary)});
  mkdirSync("node_modules/.bin", { recursive: true });
  if (process.platform === "win32") write("node_modules/.bin/vedette.cmd", "main.mjs");
  else if (!existsSync("node_modules/.bin/vedette")) symlinkSync("../../server/main.mjs", "node_modules/.bin/vedette");
}
`;

/** A checkout with this repository's set-up, one package that runs Vedette, and one tool. */
function createCheckout(changes: Record<string, string> = {}): Tree {
  const packages = {
    "": { name: "tiny", devDependencies: { vitest: "1.0.0" } },
    "node_modules/kysely": { version: "1.0.0" },
    "node_modules/vitest": { version: "1.0.0", dev: true },
  };
  const tree = createTree({
    "package.json": JSON.stringify({ optionalDependencies: { [runtime]: "26.10.0" } }),
    "package-lock.json": JSON.stringify({ packages }),
    "npm-cli.js": NPM,
    "server/package.json": JSON.stringify({ name: "@tiny/server", bin: { vedette: "main.mjs" } }),
    "server/main.mjs": "",
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

const setUp = (tree: Tree, ...args: string[]) =>
  runScript(tree, "scripts/setup.mjs", args, {
    npm_execpath: join(tree.folder, "npm-cli.js"),
    npm_node_execpath: process.execPath,
  });
const has = (tree: Tree, path: string) => existsSync(join(tree.folder, path));
const calls = (tree: Tree) => readFileSync(join(tree.folder, "npm.log"), "utf8").trim().split("\n");

it("installs what a start needs and builds it, without tools, and has nothing to do the second time", async () => {
  const tree = createCheckout();
  expect(await setUp(tree, "--compile")).toMatchObject({ code: 0 });
  expect(calls(tree)).toEqual(["install app", "build web", "build agent", "build server"]);
  expect([has(tree, KYSELY), has(tree, VITEST), has(tree, "node_modules/.bin/node")]).toEqual([
    true,
    false,
    true,
  ]);
  expect(await setUp(tree, "--compile")).toEqual({ code: 0, output: "" });
});

it("builds again what has changed: the app, the agent, the server", async () => {
  const tree = createCheckout();
  await setUp(tree, "--compile");
  tree.write({ "web/src/main.tsx": "1;\n", "agent/src/main.ts": "1;\n", "server/src/main.ts": "1;\n" });
  await setUp(tree, "--compile");
  expect(calls(tree).slice(4)).toEqual(["build web", "build agent", "build server"]);
});

it("brings the tools for tests later, and keeps them when a start installs again", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  await setUp(tree, "--no-web", "--all");
  rmSync(join(tree.folder, "node_modules/kysely"), { recursive: true });
  await setUp(tree, "--no-web");
  expect(calls(tree)).toEqual(["install app", "install all", "install all"]);
  expect([has(tree, KYSELY), has(tree, VITEST)]).toEqual([true, true]);
});

it("completes an install that was killed in the middle", async () => {
  const tree = createCheckout({ crash: "" });
  expect((await setUp(tree, "--no-web")).output).toContain("`npm install` was stopped");
  expect(has(tree, KYSELY)).toBe(false);
  rmSync(join(tree.folder, "crash"));
  expect((await setUp(tree, "--no-web")).output).toContain("interrupted");
  expect(has(tree, KYSELY)).toBe(true);
});

it("works once when two start at the same time, and takes over from one that was killed", async () => {
  const tree = createCheckout({ ".setup-lock/pid": "999999999" });
  const both = await Promise.all([setUp(tree, "--no-web"), setUp(tree, "--no-web")]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(calls(tree)).toEqual(["install app"]);
});

it("says in one line that npm failed, or that this machine has no pinned Node", async () => {
  const failed = await setUp(createCheckout({ offline: "" }));
  expect([failed.code, failed.output]).toEqual([1, expect.stringContaining("`npm install` failed")]);
  const plan9 = JSON.stringify({ optionalDependencies: { "node-bin-plan9-mips": "26.10.0" } });
  const missing = await setUp(createCheckout({ "package.json": plan9 }));
  expect([missing.code, missing.output]).toEqual([1, expect.stringContaining("has no pinned Node for")]);
});

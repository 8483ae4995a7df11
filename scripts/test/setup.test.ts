import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTree, type Run, repository, runScript, type Tree } from "./tree.ts";

const os = process.platform === "win32" ? "win" : process.platform;
const runtime = `node-${os}-${process.arch}`;
const binary = `node_modules/${runtime}/bin/node${os === "win" ? ".exe" : ""}`;

/** Stands in for npm: writes down what it was asked, and leaves behind what npm would. */
const NPM = `
const { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const args = process.argv.slice(2);
appendFileSync("npm.log", args.slice(0, 2).join(" ") + "\\n");
const write = (file) => { mkdirSync(dirname(file), { recursive: true }); writeFileSync(file, ""); };
if (args[0] === "install") {
  if (existsSync("offline")) process.exit(1);
  rmSync("node_modules", { recursive: true, force: true });
  if (!existsSync("no-runtime")) write(${JSON.stringify(binary)});
  write("node_modules/.package-lock.json");
  copyFileSync("package-lock.json", "node_modules/.package-lock.json");
} else write("web/dist/index.html");
`;

const lockfile = (version: string) =>
  JSON.stringify({
    packages: {
      "": { name: "tiny" },
      "node_modules/kysely": { version, integrity: "sha512-x" },
      "node_modules/other-machine": { version: "1.0.0", optional: true },
    },
  });

function createCheckout(changes: Record<string, string> = {}): Tree {
  const tree = createTree({
    "package.json": JSON.stringify({ optionalDependencies: { [runtime]: "26.10.0" } }),
    "package-lock.json": lockfile("1.0.0"),
    "npm-cli.js": NPM,
    "scripts/.keep": "",
    "web/src/main.tsx": "export {};\n",
    ...changes,
  });
  copyFileSync(repository("scripts/setup.mjs"), join(tree.folder, "scripts/setup.mjs"));
  return tree;
}

const setUp = (tree: Tree, ...args: string[]): Promise<Run> =>
  runScript(tree, "scripts/setup.mjs", args, {
    npm_execpath: join(tree.folder, "npm-cli.js"),
    npm_node_execpath: process.execPath,
  });

/** What npm was asked so far, e.g. `["install", "run build"]`. */
function askedOf(tree: Tree): string[] {
  const log = join(tree.folder, "npm.log");
  if (!existsSync(log)) return [];
  return readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replace(/ --.*/, ""));
}

it("installs and builds in a fresh checkout, and does neither the second time", async () => {
  const tree = createCheckout();
  expect(await setUp(tree)).toMatchObject({
    code: 0,
    output: expect.stringContaining("installing packages"),
  });
  expect(askedOf(tree)).toEqual(["install", "run build"]);
  expect(await setUp(tree)).toEqual({ code: 0, output: "" });
  expect(askedOf(tree)).toEqual(["install", "run build"]);
});

it("puts the pinned Node where npm scripts look first, when npm forgot to", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  const command = join(tree.folder, "node_modules/.bin", os === "win" ? "node.cmd" : "node");
  expect(existsSync(command)).toBe(true);
  rmSync(command);
  await setUp(tree, "--no-web");
  expect(existsSync(command)).toBe(true);
  expect(askedOf(tree)).toEqual(["install"]);
});

it("installs again when the lockfile names another version", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  tree.write({ "package-lock.json": lockfile("1.0.1") });
  await setUp(tree, "--no-web");
  expect(askedOf(tree)).toEqual(["install", "install"]);
});

it("builds again when a source of the app has changed, or a wire schema", async () => {
  const tree = createCheckout();
  await setUp(tree);
  tree.write({ "web/src/main.tsx": "export const a = 1;\n" });
  await setUp(tree);
  tree.write({ "server/src/wire/domain.ts": "export const b = 1;\n" });
  await setUp(tree);
  expect(askedOf(tree)).toEqual(["install", "run build", "run build", "run build"]);
});

it("leaves the app alone when asked to", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  expect(askedOf(tree)).toEqual(["install"]);
});

it("works once when two start at the same time", async () => {
  const tree = createCheckout();
  const both = await Promise.all([setUp(tree), setUp(tree)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(askedOf(tree)).toEqual(["install", "run build"]);
});

it("takes over from a set-up that was killed", async () => {
  const tree = createCheckout({ ".setup-lock/pid": "999999999" });
  expect((await setUp(tree, "--no-web")).code).toBe(0);
  expect(askedOf(tree)).toEqual(["install"]);
});

it("says in one line that npm failed", async () => {
  const { code, output } = await setUp(createCheckout({ offline: "" }));
  expect(code).toBe(1);
  expect(output).toContain("`npm install` failed");
  expect(output).not.toContain("    at ");
});

it("says which machines have a pinned Node when this one has none", async () => {
  const tree = createCheckout({
    "package.json": JSON.stringify({ optionalDependencies: { "node-bin-plan9-mips": "26.10.0" } }),
  });
  expect(await setUp(tree)).toEqual({
    code: 1,
    output: `vedette: Vedette has no pinned Node for ${os}-${process.arch}; it runs on plan9-mips (on others: in a Linux container).\n`,
  });
});

it("says that npm left the pinned Node out", async () => {
  const { code, output } = await setUp(createCheckout({ "no-runtime": "" }));
  expect(code).toBe(1);
  expect(output).toContain("npm installed everything but the pinned Node");
});

import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { askedOf, createCheckout, has, lockfile, os, program, setUp, watchSetUp } from "./checkout.ts";

const NOBODY = 65_534;

it("installs and builds in a fresh checkout, and does neither the second time", async () => {
  const tree = createCheckout();
  expect(await setUp(tree)).toMatchObject({
    code: 0,
    output: expect.stringContaining("installing packages"),
  });
  expect(askedOf(tree)).toEqual(["install app", "run build", "build agent"]);
  expect(await setUp(tree)).toEqual({ code: 0, output: "" });
  expect(askedOf(tree)).toEqual(["install app", "run build", "build agent"]);
});

it("puts the pinned Node where npm scripts look first, when npm forgot to", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  const command = `node_modules/.bin/${os === "win" ? "node.cmd" : "node"}`;
  expect(has(tree, command)).toBe(true);
  rmSync(join(tree.folder, command));
  await setUp(tree, "--no-web");
  expect(has(tree, command)).toBe(true);
  expect(askedOf(tree)).toEqual(["install app"]);
});

it("links the program again when its first file has another name, as after an update", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  tree.write({ "server/package.json": program("second.mjs"), "server/second.mjs": "" });
  await setUp(tree, "--no-web");
  await setUp(tree, "--no-web");
  expect(askedOf(tree)).toEqual(["install app", "rebuild @tiny/server"]);
});

it("installs again when the lockfile names another version", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  tree.write({ "package-lock.json": lockfile({ kysely: "1.0.1" }) });
  await setUp(tree, "--no-web");
  expect(askedOf(tree)).toEqual(["install app", "install app"]);
});

it("builds again when a source of the app or of the agent has changed, or a wire schema", async () => {
  const tree = createCheckout();
  await setUp(tree);
  tree.write({ "web/src/main.tsx": "export const a = 1;\n" });
  await setUp(tree);
  tree.write({ "server/src/wire/domain.ts": "export const b = 1;\n" });
  await setUp(tree);
  tree.write({ "agent/src/main.ts": "export const c = 1;\n" });
  await setUp(tree);
  const first = ["install app", "run build", "build agent"];
  expect(askedOf(tree)).toEqual([...first, "run build", "run build", "build agent"]);
});

it("builds the server when it is to, and again when a source of it has changed", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  await setUp(tree, "--no-web", "--compile");
  await setUp(tree, "--no-web", "--compile");
  expect(askedOf(tree)).toEqual(["install app", "build server"]);
  tree.write({ "server/src/main.ts": "export {};\n" });
  await setUp(tree, "--no-web");
  expect(askedOf(tree)).toHaveLength(2);
  await setUp(tree, "--no-web", "--compile");
  expect(askedOf(tree)).toEqual(["install app", "build server", "build server"]);
  tree.write({ "server/rolldown.config.mjs": "export default {};\n" });
  await setUp(tree, "--no-web", "--compile");
  expect(askedOf(tree)).toHaveLength(4);
});

it.skipIf(os === "win")("lets the server start from its sources where it may only read", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  const closed = ["", "node_modules", "server"];
  for (const path of closed) chmodSync(join(tree.folder, path), 0o555);
  onTestFinished(() => {
    for (const path of closed) chmodSync(join(tree.folder, path), 0o755);
  });
  // Root may write everywhere. Node gives that up once it runs: its own folder may be one that only root may enter.
  const leaveRoot = `data:text/javascript,process.setgid(${NOBODY});process.setuid(${NOBODY})`;
  const account = process.getuid?.() === 0 ? ["--import", leaveRoot] : [];
  const args = [...account, "scripts/setup.mjs", "--no-web", "--compile"];
  const run = spawnSync(process.execPath, args, { cwd: tree.folder, encoding: "utf8" });
  expect([run.status, run.stderr]).toEqual([0, ""]);
  expect(askedOf(tree)).toEqual(["install app"]);
});

it("leaves the app alone when asked to", async () => {
  const tree = createCheckout();
  await setUp(tree, "--no-web");
  expect(askedOf(tree)).toEqual(["install app"]);
});

it("works once when two start at the same time", async () => {
  const tree = createCheckout();
  const both = await Promise.all([setUp(tree), setUp(tree)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(askedOf(tree)).toEqual(["install app", "run build", "build agent"]);
});

it("takes over from a set-up that was killed", async () => {
  const tree = createCheckout({ ".setup-lock/pid": "999999999\n999999998" });
  const { code, output } = await setUp(tree, "--no-web");
  expect(code).toBe(0);
  expect(output).not.toContain("waiting");
  expect(askedOf(tree)).toEqual(["install app"]);
});

it("waits for the npm of a set-up that was killed", async () => {
  const tree = createCheckout({ ".setup-lock/pid": `999999999\n${process.pid}` });
  const { code, output } = await watchSetUp(tree, ["--no-web"], (piece) => {
    if (piece.includes("waiting")) tree.write({ ".setup-lock/pid": "999999999\n999999998" });
  });
  expect(code).toBe(0);
  expect(output).toContain("waiting for another set-up");
  expect(askedOf(tree)).toEqual(["install app"]);
});

it("shows what a build prints only where it fails", async () => {
  const tree = createCheckout();
  expect((await setUp(tree)).output).not.toContain("1.09 kB");
  tree.write({ broken: "", "web/src/main.tsx": "export const changed = 1;\n" });
  const { code, output } = await setUp(tree);
  expect(code).toBe(1);
  expect(output).toMatch(/1\.09 kB[^]*`npm run` failed/);
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

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { askedOf, createCheckout, has, lockfile, setUp } from "./checkout.ts";
import type { Tree } from "./tree.ts";

const KYSELY = "node_modules/kysely/index.js";
const VITEST = "node_modules/vitest/index.js";

const start = (tree: Tree) => setUp(tree, "--no-web");
const test = (tree: Tree) => setUp(tree, "--all", "--no-web");

it("brings for a start what runs the app, and no tools", async () => {
  const tree = createCheckout();
  await start(tree);
  expect([has(tree, KYSELY), has(tree, VITEST)]).toEqual([true, false]);
});

it("brings for tests the tools as well, at once or later", async () => {
  const fresh = createCheckout();
  await test(fresh);
  expect([has(fresh, KYSELY), has(fresh, VITEST)]).toEqual([true, true]);
  const started = createCheckout();
  await start(started);
  await test(started);
  await test(started);
  expect(has(started, VITEST)).toBe(true);
  expect(askedOf(started)).toEqual(["install app", "install all"]);
});

it("has nothing to do for a start where the tools are already", async () => {
  const tree = createCheckout();
  await test(tree);
  expect(await start(tree)).toEqual({ code: 0, output: "" });
  expect(has(tree, VITEST)).toBe(true);
});

it("keeps the tools, in their new version, when a start brings a newer package", async () => {
  const tree = createCheckout();
  await test(tree);
  tree.write({ "package-lock.json": lockfile({ kysely: "1.0.1", vitest: "1.0.1" }) });
  await start(tree);
  expect(askedOf(tree)).toEqual(["install all", "install all"]);
  expect(has(tree, VITEST)).toBe(true);
});

it("leaves a newer tool to whoever needs it", async () => {
  const tree = createCheckout();
  await test(tree);
  tree.write({ "package-lock.json": lockfile({ vitest: "1.0.1" }) });
  await start(tree);
  expect(askedOf(tree)).toEqual(["install all"]);
  await test(tree);
  expect(askedOf(tree)).toEqual(["install all", "install all"]);
});

it("believes the folders, not npm's record: that may be a copy, or shared with another checkout", async () => {
  const tree = createCheckout();
  await start(tree);
  tree.write({ "node_modules/.package-lock.json": lockfile() });
  await test(tree);
  rmSync(join(tree.folder, "node_modules/kysely"), { recursive: true });
  await start(tree);
  expect(askedOf(tree)).toEqual(["install app", "install all", "install all"]);
  expect([has(tree, KYSELY), has(tree, VITEST)]).toEqual([true, true]);
});

it("brings again whatever an install that was killed may have left in pieces", async () => {
  const tree = createCheckout({ crash: "" });
  expect((await start(tree)).output).toContain("`npm install` was stopped");
  expect([has(tree, "node_modules/kysely/package.json"), has(tree, KYSELY)]).toEqual([true, false]);
  rmSync(join(tree.folder, "crash"));
  expect((await start(tree)).output).toContain("interrupted");
  expect([has(tree, KYSELY), has(tree, "node_modules/.kysely-AbCd0123")]).toEqual([true, false]);
  expect(await start(tree)).toEqual({ code: 0, output: "" });
});

it("starts without the tools when bringing them was interrupted", async () => {
  const tree = createCheckout();
  await start(tree);
  tree.write({ crash: "" });
  await test(tree);
  expect((await start(tree)).code).toBe(0);
  expect(askedOf(tree)).toEqual(["install app", "install all"]);
  expect([has(tree, KYSELY), has(tree, "node_modules/vitest")]).toEqual([true, false]);
});

it("keeps what is there when npm fails: it may be all that a machine without a network has", async () => {
  const tree = createCheckout();
  await start(tree);
  tree.write({ "package-lock.json": lockfile({ kysely: "1.0.1" }), offline: "" });
  expect((await start(tree)).code).toBe(1);
  tree.write({ "package-lock.json": lockfile() });
  expect(await start(tree)).toEqual({ code: 0, output: "" });
});

it.skipIf(process.platform === "win32")("lets npm put things back when it is told to stop", async () => {
  const tree = createCheckout({ stop: "" });
  expect((await start(tree)).code).toBe(1);
  expect(askedOf(tree)).toEqual(["install app", "put back"]);
  expect(has(tree, ".setup-lock")).toBe(false);
});

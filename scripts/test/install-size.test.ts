import { truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTree, repository, runScript } from "./tree.ts";

const MEGABYTE = 1_000_000;

/** Runs the step where `npm start` installs a package of this size, and a tool of 900 MB lies beside it. */
function checkWith(sizeMb: number) {
  const tree = createTree({
    "package-lock.json": JSON.stringify({
      packages: { "": {}, "node_modules/icons": {}, "node_modules/browser": { dev: true } },
    }),
    "node_modules/icons/index.js": "",
    "node_modules/browser/index.js": "",
  });
  truncateSync(join(tree.folder, "node_modules/icons/index.js"), sizeMb * MEGABYTE);
  truncateSync(join(tree.folder, "node_modules/browser/index.js"), 900 * MEGABYTE);
  return runScript(tree, repository("scripts/check.ts"), ["install-size"]);
}

it("lets a start install 490 MB, whatever the tools weigh", async () => {
  expect(await checkWith(490)).toMatchObject({ code: 0 });
});

it("names what a start installs beyond that", async () => {
  const { code, output } = await checkWith(491);
  expect(code).toBe(1);
  expect(output).toContain("npm start installs 491.0 MB; the budget is 490 MB.");
  expect(output).toContain("491.0 MB  node_modules/icons");
});

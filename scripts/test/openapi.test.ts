import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTree, linkPackages, repository, runScript } from "./tree.ts";

it("npm run check -- openapi refuses a snapshot that the routes no longer match", async () => {
  const tree = createTree({
    "package.json": '{ "type": "module" }',
    "scripts/openapi.ts": readFileSync(repository("scripts/openapi.ts"), "utf8"),
    "openapi/routes.txt": "",
  });
  linkPackages(tree);
  symlinkSync(repository("server"), join(tree.folder, "server"), "dir");
  const check = () => runScript(tree, repository("scripts/check.ts"), ["openapi"]);

  const before = await check();
  expect(before.output).toContain("openapi/routes.txt is not current");
  expect(before.code).toBe(1);

  expect((await runScript(tree, "scripts/openapi.ts")).code).toBe(0);
  expect(await check()).toMatchObject({ code: 0 });
});

it("npm run check -- redocly spectral refuses a document that breaks the rules of OpenAPI's linters", async () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "Tiny", version: "1.0.0" },
    servers: [{ url: "/" }],
    paths: {
      "/a": { get: { summary: "A", tags: ["strange"], responses: { 200: { description: "Done." } } } },
    },
  };
  const tree = createTree({
    "redocly.yaml": readFileSync(repository("redocly.yaml"), "utf8"),
    "scripts/openapi.ts": "",
    "openapi/dist/openapi.json": JSON.stringify(document),
  });
  linkPackages(tree);
  const { code, output } = await runScript(tree, repository("scripts/check.ts"), ["redocly", "spectral"]);

  expect(code).toBe(1);
  expect(output).toContain("Failed: redocly, spectral");
  expect(output).toContain("operationId");
  expect(output).toContain("operation-tag-defined");
});

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createTree, linkPackages, repository, runScript } from "./tree.ts";

const CONFIGURATION = [
  ...[".dependency-cruiser.mjs", ".gitignore", ".oxlintrc.json", "biome.json", "redocly.yaml"],
  ...["tsconfig.base.json", "tsconfig.json"],
];
const manifest = (name: string, more: object) =>
  `${JSON.stringify({ name, version: "0.1.0", private: true, type: "module", ...more }, null, 2)}\n`;
const knip = {
  workspaces: {
    ".": { entry: [".dependency-cruiser.mjs"] },
    server: { entry: ["src/main.ts"], project: ["src/**/*.ts"] },
  },
};
/** A small repository that keeps every rule. */
const CLEAN = {
  ...Object.fromEntries(CONFIGURATION.map((file) => [file, readFileSync(repository(file), "utf8")])),
  "package.json": manifest("tiny", {
    workspaces: ["server"],
    devDependencies: { "dependency-cruiser": "0.0.0" },
  }),
  "server/package.json": manifest("@tiny/server", {}),
  "knip.json": JSON.stringify(knip, null, 2)
    .replaceAll(/\[\s+("[^"]+")\s+\]/g, "[$1]")
    .concat("\n"),
  "README.md":
    "## Map of the folders\n\n```\nserver/src/  it\n  engine/    rules\n  platform/  configuration\ndocs/        docs\nscripts/ web/ openapi/  more\n```\n",
  "docs/configuration.md": "`VEDETTE_PORT`: the port.\n",
  "server/src/platform/config.ts":
    "export const portOf = (environment: Record<string, string | undefined>) => Number(environment.VEDETTE_PORT);\n",
  "server/src/main.ts":
    'import { isDown } from "./engine/status/rules.ts";\nimport { portOf } from "./platform/config.ts";\n\nconsole.log(isDown(portOf(process.env)));\n',
  "server/src/engine/status/rules.ts": "export const isDown = (failures: number) => failures > 1;\n",
  "scripts/checks/ratchets.json": `{
  "files in server/src": 3,
  "lines in server/src": 7,
  "files under 60 lines with one importer in server/src": 2
}
`,
  "openapi/routes.txt": "GET /a getA\n",
  "web/src/a.txt": "",
};

function check(files: Record<string, string>, ...steps: string[]) {
  const tree = createTree({ ...CLEAN, ...files });
  if (!("node_modules/a/a.js" in files)) linkPackages(tree);
  return runScript(tree, repository("scripts/check.ts"), steps);
}

it("passes a tree that keeps the rules", async () => {
  const steps = ["types", "stripped-types", "lint", "format", "imports", "unused"];
  const { output } = await check({}, ...steps, "configuration-docs", "layout", "folder-map", "ratchets");
  expect(output).toContain("All good");
});

it("refuses a step that does not exist", async () => {
  expect(await check({}, "linting")).toMatchObject({ code: 2 });
});

const script = `"${randomBytes(210_000).toString("base64")}";\n`;
const built = { "web/dist/index.html": '<script type="module" src="/assets/a.js"></script>' };
const document = {
  ...{ openapi: "3.1.0", info: { title: "Tiny", version: "1.0.0" }, servers: [{ url: "/" }] },
  paths: { "/a": { get: { summary: "A", tags: ["strange"], responses: { 200: { description: "Done." } } } } },
};
const described = { "scripts/openapi.ts": "", "openapi/dist/openapi.json": JSON.stringify(document) };
const lock = { packages: { "": {}, "node_modules/a": {} } };
/** The number of no decision. */
const LOST = "0099";
const RULES = "server/src/engine/status/rules.ts";
const A = "server/src/monitors/a.ts";

it.each<[step: string, file: string | Record<string, string>, text: string, named: string]>([
  ["types", A, "export enum B {\n  One,\n}\n", "TS1294"],
  ["stripped-types", RULES, "export enum Rule {\n  Down,\n}\n", `${RULES}: `],
  [
    "lint",
    A,
    "export const a = async () => 1;\n\nexport function b() {\n  a();\n}\n",
    "no-floating-promises",
  ],
  ["format", A, "export const a   = 1\n", A],
  [
    "imports",
    { [A]: 'import "./b.ts";\n', "server/src/monitors/b.ts": 'import "./a.ts";\n' },
    "",
    "no-cycles",
  ],
  ["unused", RULES, "export const isDown = (n: number) => n > 1;\nexport const spare = 1;\n", "spare"],
  [
    "openapi",
    "scripts/openapi.ts",
    'console.error("not current");\nprocess.exitCode = 1;\n',
    "npm run openapi",
  ],
  ["redocly", described, "", "operationId"],
  ["spectral", described, "", "operation-tag-defined"],
  ["configuration-docs", "docs/configuration.md", "`VEDETTE_COLOUR`\n", "VEDETTE_COLOUR is in docs"],
  ["layout", "server/src/utils/a.ts", "export const a = 1;\n", "`utils` says nothing"],
  ["layout", "server/src/readAll.ts", "export const a = 1;\n", "is not in kebab-case"],
  ["layout", A, 'export * from "./b.ts";\n', "exports what another file declares"],
  ["layout", A, "// So that lost.ts can read it.\nexport const a = 1;\n", "a comment names lost.ts"],
  ["layout", A, `// ADR ${LOST}\nexport const a = 1;\n`, `there is no docs/adr/${LOST}`],
  ["folder-map", A, "export const a = 1;\n", "server/src/monitors/ is not in"],
  [
    "ratchets",
    RULES,
    "/** Who was told. */\nexport const toldSince = 1;\n",
    "private words in server/src: 2",
  ],
  ["visible-text", "web/src/a.tsx", "export const A = () => <p>Good morning</p>;\n", "web/src/a.tsx:1"],
  ["script-budget", { ...built, "web/dist/assets/a.js": script }, "", "the budget is 200 kB"],
  [
    "install-size",
    { "package-lock.json": JSON.stringify(lock), "node_modules/a/a.js": "x".repeat(491_000_000) },
    "",
    "npm start installs 491.0 MB",
  ],
])("npm run check -- %s refuses %s", async (step, file, text, named) => {
  const { code, output } = await check(typeof file === "string" ? { [file]: text } : file, step);
  expect(output).toContain(named);
  expect([code, output.includes(`Failed: ${step}`)]).toEqual([1, true]);
});
